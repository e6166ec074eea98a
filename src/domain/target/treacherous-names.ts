/**
 * Public host names that do not lead to a public place: the doors of cloud machines to their own secrets, and DNS
 * services that answer with whatever address is written into the name, or with the asker's own machine. The checks
 * of addresses see neither: the name looks like any other.
 *
 * An entry covers all names below it. The operator's block list adds to this one; nothing takes away from it.
 */
import { coveringName } from "./host-names.ts";

const metadataNames = [
  "api.metadata.cloud.ibm.com",
  "instance-data.ec2.internal",
  "metadata.azure.com",
  "metadata.azure.internal",
  "metadata.cloud.ibm.com",
  "metadata.digitalocean.com",
  "metadata.exoscale.com",
  "metadata.goog",
  "metadata.google.internal",
  "metadata.oraclecloud.com",
  "metadata.packet.net",
  "metadata.platformequinix.com",
  "metadata.scaleway.com",
  "metadata.tencentyun.com",
];

/** The address is in the name, or is chosen anew for each question. */
const anyAddressNames = [
  "1u.ms",
  "backname.io",
  "ip.addr.tools",
  "ipq.co",
  "local-ip.co",
  "local-ip.sh",
  "myunraid.net",
  "nip.io",
  "plex.direct",
  "rbndr.us",
  "rebind.it",
  "rebind.network",
  "sslip.io",
  "traefik.me",
  "xip.io",
  "xip.name",
];

/** The machine of whoever asks. */
const loopbackNames = [
  "127-0-0-1.org.uk",
  "42foo.com",
  "ddev.site",
  "fuf.me",
  "lacolhost.com",
  "lcl.host",
  "lndo.site",
  "local.gd",
  "localdev.me",
  "localho.st",
  "localhost.direct",
  "localtest.me",
  "lvh.me",
  "ulh.us",
  "vcap.me",
];

const names: ReadonlySet<string> = new Set([...metadataNames, ...anyAddressNames, ...loopbackNames]);

/** Whether a host name, lower case and without a final dot, is one of these or below one. */
export function isTreacherous(name: string): boolean {
  return coveringName(names, name) !== null;
}
