/** What cannot be run in a test is at least held against what it speaks of. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { needs } from "../support/needs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, "utf8");
/** Variables that the service reads, as its help names them, and those that Node and npm read. */
const variables = new Set(
  [...read("src/cli/configuration-help.ts").matchAll(/^ {2}([A-Z][A-Z_, ]+?) {2,}/gm)]
    .map(([, names]) => names!)
    .flatMap((names) => names.split(", "))
    .concat("NODE_ENV"),
);

interface Instruction {
  name: string;
  text: string;
  stage: number;
}

function instructionsOf(dockerfile: string): Instruction[] {
  const lines = dockerfile.split("\n").filter((line) => !/^\s*(#|$)/.test(line));
  let stage = -1;
  return lines
    .join("\n")
    .replaceAll(/\\\n\s*/g, " ")
    .split("\n")
    .map((line) => {
      const [, name, text] = /^([A-Z]+) (.+)$/.exec(line) ?? assert.fail(`not an instruction: ${line}`);
      if (name === "FROM") stage++;
      return { name: name!, text: text!, stage };
    });
}

const dockerfile = instructionsOf(read("Dockerfile"));
const last = dockerfile.filter(({ stage }) => stage === 1);
const of = (name: string, among = last) => among.filter((instruction) => instruction.name === name);

test("the Dockerfile uses known instructions, in two stages from one image with a fixed version", () => {
  const known = /^(ARG|FROM|WORKDIR|COPY|RUN|ENV|USER|VOLUME|EXPOSE|HEALTHCHECK|CMD)$/;
  for (const { name } of dockerfile) assert.match(name, known);
  for (const { text } of of("FROM", dockerfile)) assert.match(text, /^\$\{NODE_IMAGE\}( AS build)?$/);
  assert.equal(of("FROM", dockerfile).length, 2);
  assert.match(dockerfile[0]!.text, /^NODE_IMAGE=node:\d+\.\d+\.\d+-[a-z]+-slim(@sha256:[0-9a-f]{64})?$/);
});

test("the image is built for amd64 and arm64 alike", () => {
  for (const { text } of dockerfile) assert.doesNotMatch(text, /--platform|amd64|x86_64|arm64|aarch64/, text);
  assert.ok(of("RUN", dockerfile).some(({ text, stage }) => stage === 0 && /^npm ci\b/.test(text)));
  const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, object> };
  const ofAmd64 = Object.keys(packages).filter((path) => /linux-x64(?!.*musl)/.test(path));
  assert.ok(ofAmd64.length > 0);
  for (const path of ofAmd64) {
    assert.ok(path.replace("linux-x64", "linux-arm64") in packages, `${path} has no counterpart for arm64`);
  }
});

test("neither the image nor the compose file puts a live key into a log, and both say how to get one", () => {
  assert.match(of("ENV")[0]!.text, /\bQRELAY_BOOTSTRAP=off\b/);
  assert.match(read("compose.yaml"), /^ {6}QRELAY_BOOTSTRAP: "off"$/m);
  for (const file of ["Dockerfile", "compose.yaml"]) {
    const commands = [...read(file).matchAll(/\bqrelay admin (\w+) (\w+)/g)];
    assert.deepEqual(
      commands.map(([, noun, verb]) => `${noun} ${verb}`),
      ["account create", "key create"],
      file,
    );
  }
});

test("the data folder of the image is its owner's alone", () => {
  assert.ok(of("RUN").some(({ text }) => text === "install -d -o node -g node -m 0700 /data"));
});

test("what the image copies exists and is not ignored", () => {
  const allowed = read(".dockerignore")
    .split("\n")
    .filter((line) => line.startsWith("!"));
  const made = ["/app/node_modules", "/app/dist"];
  for (const { text } of of("COPY", dockerfile)) {
    const fromBuild = text.startsWith("--from=build ");
    const paths = text.replace("--from=build ", "").split(" ").slice(0, -1);
    for (const path of paths) {
      const local = fromBuild ? path.replace("/app/", "") : path;
      if (fromBuild && made.includes(path)) continue;
      assert.ok(existsSync(`${root}${local}`), `COPY ${path}`);
      assert.ok(allowed.includes(`!${local}`), `${local} is ignored`);
    }
  }
});

test("all that the build script names is copied before it runs", () => {
  const build = dockerfile.findIndex(({ text }) => text.startsWith("npm run build"));
  const copied = of("COPY", dockerfile.slice(0, build)).flatMap(({ text }) => text.split(" "));
  const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };
  const named: Record<string, string> = { ...scripts, bundle: read("scripts/build.mjs") };
  for (const script of ["build", "generate", "bundle"]) {
    for (const [, folder] of named[script]!.matchAll(/\b(src|workers|scripts)\//g)) {
      assert.ok(copied.includes(folder!), `${script} needs ${folder}`);
    }
  }
  assert.ok(copied.includes("tsconfig.json"));
});

test("the image runs as somebody without rights, checks its health with Node, and starts the bundle", () => {
  const users = of("USER");
  assert.deepEqual(
    users.map(({ text }) => text),
    ["node"],
  );
  assert.ok(last.indexOf(users[0]!) < last.indexOf(of("CMD")[0]!));
  const { scripts } = JSON.parse(read("package.json")) as { scripts: { start: string } };
  const command = JSON.parse(of("CMD")[0]!.text) as string[];
  const start = scripts.start.replace(" --import ./scripts/build.mjs", "");
  assert.ok(start.endsWith(`exec ${command.join(" ")}`));
  const health = JSON.parse(of("HEALTHCHECK")[0]!.text.replace(/^.* CMD /, "")) as string[];
  assert.deepEqual(health.slice(0, 2), ["node", "-e"]);
  const environment = of("ENV")[0]!
    .text.split(/\s+/)
    .map((pair) => pair.split("=")[0]!);
  for (const name of environment) assert.ok(variables.has(name) || name.startsWith("npm_"), name);
});

test("the health check tells a service that answers from one that does not", () => {
  const [, , script] = JSON.parse(of("HEALTHCHECK")[0]!.text.replace(/^.* CMD /, "")) as string[];
  const check = (answer: string) =>
    spawnSync(process.execPath, ["-e", `fetch = async (url) => { ${answer} };\n${script}`], {
      env: { ...process.env, PORT: "8123" },
    }).status;
  assert.equal(check(`return { ok: url === "http://127.0.0.1:8123/healthz" }`), 0);
  assert.equal(check("return { ok: false }"), 1);
  assert.equal(check("throw new Error('refused')"), 1);
});

interface Compose {
  services: Record<
    string,
    {
      image: string;
      command?: string[];
      depends_on?: Record<string, { condition: string }>;
      environment?: Record<string, string>;
      volumes: string[];
      networks: string[];
      healthcheck?: { test: string[] };
      ports?: string[];
    }
  >;
  volumes: object;
  networks: Record<string, { internal?: boolean } | null>;
}

interface ClusterCompose extends Omit<Compose, "services" | "networks"> {
  services: Record<string, Omit<Compose["services"][string], "networks"> & { networks: string[] | object }>;
  networks: Record<string, { internal?: boolean; ipam?: { config: { subnet: string }[] } } | null>;
}

test("the compose file starts the service after a replica set that takes writes", () => {
  const yaml = createRequire(import.meta.url)("js-yaml") as { load(text: string): unknown };
  const compose = yaml.load(read("compose.yaml")) as Compose;
  const { qrelay, mongo } = compose.services as {
    qrelay: Compose["services"][string];
    mongo: Compose["services"][string];
  };
  for (const { volumes, networks } of [qrelay, mongo]) {
    for (const volume of volumes) assert.ok(volume.split(":")[0]! in compose.volumes, volume);
    for (const network of networks) assert.ok(network in compose.networks, network);
  }
  assert.match(mongo.image, /^mongo:\d+\.\d+\.\d+(@sha256:[0-9a-f]{64})?$/);
  assert.equal(qrelay.depends_on?.mongo?.condition, "service_healthy");
  for (const name of Object.keys(qrelay.environment!))
    assert.ok(name === "MONGODB_URL" || variables.has(name), name);
  assert.equal(qrelay.volumes[0]!.split(":")[1], of("VOLUME")[0]!.text);
  assert.equal(qrelay.ports?.[0]?.split(":").at(-1), of("EXPOSE")[0]!.text);

  const url = new URL(qrelay.environment!.MONGODB_URL!);
  const set = url.searchParams.get("replicaSet");
  assert.equal(url.hostname, "mongo");
  assert.deepEqual(mongo.command?.slice(0, 3), ["mongod", "--replSet", set]);
  assert.equal(mongo.ports, undefined);
  assert.deepEqual(mongo.networks, ["store"]);
  assert.equal(compose.networks.store?.internal, true);

  const script = mongo.healthcheck!.test.at(-1)!;
  assert.deepEqual(foundingOf(script, { founded: false }), { exit: 1, host: url.host, set });
  assert.deepEqual(foundingOf(script, { founded: true }), { exit: 0, host: null, set: null });
});

test("the compose file of three members gives each a name, a journal and a way to all others", () => {
  const yaml = createRequire(import.meta.url)("js-yaml") as { load(text: string): unknown };
  const { services, volumes, networks } = yaml.load(read("scripts/cluster/compose.yaml")) as ClusterCompose;
  const members = Object.keys(services).filter((name) => name.startsWith("qrelay-"));
  const stores = Object.keys(services).filter((name) => name.startsWith("mongo-"));
  assert.equal(members.length, 3);
  const nginx = read("scripts/cluster/nginx.conf");
  const port = of("EXPOSE")[0]!.text;
  assert.deepEqual(
    [...nginx.matchAll(/^ {4}server (\S+) /gm)].map(([, server]) => server),
    members.map((name) => `${name}:${port}`),
  );
  const addresses = new Set<string>();
  const journals = new Set<string>();
  for (const name of members) {
    const { environment, networks: own, volumes: kept } = services[name]!;
    for (const variable of Object.keys(environment!))
      assert.ok(variable === "MONGODB_URL" || variables.has(variable), variable);
    assert.equal(environment!.CLUSTER, "on");
    const [host] = environment!.CLUSTER_ADDRESS!.split(":");
    assert.deepEqual((own as Record<string, { aliases: string[] } | null>).members?.aliases, [host]);
    assert.deepEqual(Object.keys(own), ["outside", "store", "members"]);
    addresses.add(environment!.CLUSTER_ADDRESS!);
    const [journal, folder] = kept[0]!.split(":");
    assert.ok(journal! in volumes);
    assert.equal(folder, of("VOLUME")[0]!.text);
    journals.add(journal!);
    // The driver reads several hosts, which a URL has not.
    const [, hosts, set] = /^mongodb:\/\/([^/]+)\/\w+\?replicaSet=(\w+)$/.exec(environment!.MONGODB_URL!)!;
    assert.deepEqual(
      hosts!.split(","),
      stores.map((store) => `${store}:27017`),
    );
    for (const store of stores)
      assert.deepEqual(services[store]!.command?.slice(0, 3), ["mongod", "--replSet", set]);
    const [subnet] = networks.outside!.ipam!.config;
    assert.equal(environment!.TRUSTED_PROXIES, subnet!.subnet);
  }
  assert.equal(addresses.size, members.length);
  assert.equal(journals.size, members.length);
  for (const name of ["members", "store"]) assert.equal(networks[name]?.internal, true);
  assert.deepEqual(services.nginx!.networks, ["outside"]);
  for (const store of stores) {
    assert.deepEqual(services[store]!.networks, ["store"]);
    assert.match(services["mongo-1"]!.healthcheck!.test.at(-1)!, new RegExp(`host: "${store}:27017"`));
  }
});

/** Runs the script of the health check with what the shell would give it. */
function foundingOf(script: string, { founded }: { founded: boolean }) {
  const outcome = { exit: -1, host: null as string | null, set: null as string | null };
  const rs = {
    status() {
      if (!founded) throw new Error("no replset config has been received");
    },
    initiate(config: { _id: string; members: { host: string }[] }) {
      outcome.host = config.members[0]!.host;
      outcome.set = config._id;
    },
  };
  const db = { hello: () => ({ isWritablePrimary: founded }) };
  const quit = (code: number) => {
    outcome.exit = code;
  };
  new Function("rs", "db", "quit", script)(rs, db, quit);
  return outcome;
}

const unit = read("scripts/qrelay.service");

test("the unit starts what the image starts, keeps its data, and gives it time to drain", () => {
  const value = (name: string) => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1];
  const command = (JSON.parse(of("CMD")[0]!.text) as string[]).join(" ");
  assert.equal(value("ExecStart"), `/usr/bin/${command}`);
  assert.match(value("Environment")!, new RegExp(`DATA_DIR=/var/lib/${value("StateDirectory")}$`));
  assert.ok(Number(value("TimeoutStopSec")) > 10);
  assert.equal(value("DynamicUser"), "yes");
});

test("systemd knows every directive of the unit", { skip: needs("systemd-analyze") }, () => {
  const verify = spawnSync("systemd-analyze", ["verify", `${root}scripts/qrelay.service`], {
    encoding: "utf8",
  });
  // A machine without Node in this place is no fault of the unit.
  const said = verify.stderr
    .split("\n")
    .filter((line) => line !== "" && !line.includes("/usr/bin/node is not"));
  assert.deepEqual(said, []);
});
