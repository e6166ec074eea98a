/** A code with an address of this machine's own leads every phone to the phone itself. */
import { isIPv4 } from "node:net";
import type { networkInterfaces } from "node:os";

const addressesShown = 3;
const portDefault = 3000;

/** What to say at the start when phones cannot open the links, with commands to copy; empty when they may. */
export function phoneHint(
  publicUrl: string,
  host: string,
  port: number,
  interfaces: ReturnType<typeof networkInterfaces>,
  startCommand: string,
): string {
  if (!isOwnMachine(new URL(publicUrl).hostname)) return "";
  const commands = reachable(interfaces).map(
    (address) => `      ${settings(address, host, port)} ${startCommand}\n`,
  );
  const offer =
    commands.length > 0
      ? `Start it with an address that phones can reach. This machine has:\n\n${commands.join("")}`
      : "Start it with PUBLIC_URL, and HOST, set to an address that phones can reach.\n";
  return `
  Codes that are made now lead to ${publicUrl}, which a phone cannot open.
  ${offer}
`;
}

/** Those of a network, IPv4 before IPv6. */
function reachable(interfaces: ReturnType<typeof networkInterfaces>): string[] {
  const addresses = Object.values(interfaces)
    .flatMap((each) => each ?? [])
    .filter(({ internal, address }) => !internal && !/^(169\.254\.|f[cde])/i.test(address))
    .map(({ address }) => address);
  const ipv4 = addresses.filter(isIPv4);
  return (ipv4.length > 0 ? ipv4 : addresses).slice(0, addressesShown);
}

function settings(address: string, host: string, port: number): string {
  const isV4 = isIPv4(address);
  return [
    ...(isOwnMachine(host) ? [`HOST=${isV4 ? "0.0.0.0" : "::"}`] : []),
    ...(port === portDefault ? [] : [`PORT=${port}`]),
    `PUBLIC_URL=http://${isV4 ? address : `[${address}]`}:${port}`,
  ].join(" ");
}

/** The host of a URL or an address to listen on. That for all addresses leads nowhere as a link, but listens well. */
function isOwnMachine(host: string): boolean {
  return /^(?:localhost\.?|.*\.localhost\.?|127(?:\.\d+){3}|\[?::1\]?)$/i.test(host);
}
