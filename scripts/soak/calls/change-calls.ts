/** Changes: new targets, codes archived and brought back, and old ones archived for good. */
import { type Code, isCertain, labelOf, propose, type State, settle, targetOf } from "../ledger.ts";
import { type CodeBody, checkCounts } from "./read-calls.ts";
import { about, type Call, keyHeader, type World } from "./world.ts";

const archiveShare = 0.2;

export const change: Call = async (world) => {
  const { chance, ledger } = world;
  const old = ledger.outlived();
  if (old !== null) {
    ledger.retire(old);
    await patch(world, old, { ...old.settled, active: false });
    return;
  }
  const code = ledger.pick(chance, "plain", (code) => isCertain(code) && code.slug !== null);
  if (code === null) return;
  const { version, active } = code.settled;
  if (!active || chance.chance(archiveShare)) await patch(world, code, { version, active: !active });
  else await patch(world, code, { version: version + 1, active });
};

async function patch(world: World, code: Code, state: State): Promise<void> {
  const { judge } = world;
  const { answered } = code;
  const json =
    state.active === code.settled.active
      ? { redirect_url: targetOf(code.number, state.version) }
      : { status: state.active ? "active" : "archived" };
  propose(code, state);
  const answer = await judge.ask("api", {
    method: "PATCH",
    path: `/v1/qr-codes/${code.id}`,
    headers: keyHeader(world, code.account),
    json,
  });
  code.busy = false;
  // Without an answer it stays proposed until a read tells.
  if (answer === null) return;
  if (answer.status !== 200) {
    judge.fail(`a change was answered with ${answer.status}: ${answer.body}, ${about(code)}`);
    return;
  }
  const body = JSON.parse(String(answer.body)) as CodeBody;
  const isDone =
    body.label === labelOf(code.number) &&
    body.redirect_url === targetOf(code.number, state.version) &&
    body.status === (state.active ? "active" : "archived");
  if (!isDone) judge.fail(`a change was answered with another state: ${answer.body}, ${about(code)}`);
  settle(code, state);
  checkCounts(world, code, answered, body.scan_count);
}
