/**
 * What is known of a visitor, looked up only as far as somebody asks: the peer's address alone costs half a
 * microsecond.
 *
 * A hot scan is over before its handler returns, so one visit object serves them all, one after the other.
 * A cold scan outlives its request and gets an object of its own that has read everything.
 */

import {
  type CountedVisitor,
  countryCode,
  countryNumber,
  unknownCountry,
  visitorWord,
} from "../analytics/visitor-word.ts";
import type { Device } from "../domain/documents.ts";
import type { HttpResponse } from "../engine/engine.ts";
import { addressCountriesMax } from "../limits.ts";
import type { Visitor } from "../link/match-rules.ts";
import { minuteOfWeek } from "../link/schedule.ts";
import type { Millis } from "../runtime/clock.ts";
import { type Agent, noAgent } from "../visitor/agent.ts";
import {
  clientAddress,
  noTrustedProxies,
  plainAddress,
  type TrustedProxies,
} from "../visitor/client-address.ts";
import { type Countries, countryFromHeader } from "../visitor/country.ts";
import type { LinkHead } from "./link-head.ts";

export interface VisitOptions {
  countries: Countries;
  trustedProxies: TrustedProxies;
  /** The address that every peer has, when the server listens to this machine alone; see `onlyPeerOf`. */
  onlyPeer?: string | null;
  /** In lower case. */
  countryHeader: string | null;
}

const ipv4Bytes = 4;
/** Leaves the bits of a hash that are a place among the addresses. */
const placeShift = Math.clz32(addressCountriesMax) + 1;

export class Visit implements Visitor, CountedVisitor {
  readonly #options: VisitOptions;
  readonly #asksPeer: boolean;
  /** Of the request that is under way, and of no use to a visit that is kept. */
  readonly #head: LinkHead;
  readonly #byAddress: AddressCountries;
  #res: HttpResponse | null = null;
  /** Null as long as the head has it. */
  #agent: Agent | null = null;
  /** Null as long as the head has it. */
  #referer: string | null = null;
  /** -1 until it is looked up; otherwise as in the analytics. */
  #country = -1;

  constructor(options: VisitOptions, head: LinkHead, byAddress = new AddressCountries(options.countries)) {
    this.#options = options;
    this.#asksPeer = (options.onlyPeer ?? null) === null;
    this.#head = head;
    this.#byAddress = byAddress;
  }

  /** The head has been read. */
  begin(res: HttpResponse): void {
    // A response is new and this is old: to keep one where nobody asks for the peer would cost for nothing.
    if (this.#asksPeer) this.#res = res;
    this.#country = -1;
  }

  /** A visit that stays readable when the request is gone. */
  kept(): Visit {
    const kept = new Visit(this.#options, this.#head, this.#byAddress);
    kept.#agent = this.#knownAgent();
    kept.#referer = this.referer();
    kept.#country = this.countryNumber();
    return kept;
  }

  referer(): string {
    return this.#referer ?? this.#head.referer ?? "";
  }

  device(): Device {
    return this.#knownAgent().device;
  }

  isRobot(): boolean {
    return this.#knownAgent().isRobot;
  }

  word(): number {
    const { device, isRobot } = this.#knownAgent();
    return visitorWord(this.countryNumber(), device, isRobot);
  }

  #knownAgent(): Agent {
    return this.#agent ?? this.#head.agent ?? noAgent;
  }

  countryNumber(): number {
    if (this.#country === -1) this.#country = this.#lookUpCountry();
    return this.#country;
  }

  country(): string | null {
    return countryCode(this.countryNumber());
  }

  minuteOfWeek(timezone: string, now: Millis): number {
    return minuteOfWeek(timezone, now);
  }

  #lookUpCountry(): number {
    const { trustedProxies, countries, onlyPeer = null } = this.#options;
    if (trustedProxies === noTrustedProxies) {
      return onlyPeer === null ? this.#byAddress.of(this.#res!.getRemoteAddress()) : unknownCountry;
    }
    const peer = onlyPeer ?? Buffer.from(this.#res!.getRemoteAddressAsText()).toString("latin1");
    if (!trustedProxies.isTrusted(peer)) return countryNumber(countries.lookup(plainAddress(peer)));
    const { country, forwardedFor } = this.#head;
    if (country !== "") return countryNumber(countryFromHeader(country));
    return countryNumber(countries.lookup(clientAddress(peer, forwardedFor ?? "", trustedProxies)));
  }
}

/** Countries of peers, with a small cache for IPv4 that makes no text of an address it has seen. */
class AddressCountries {
  readonly #countries: Countries;
  readonly #addresses = new Uint32Array(addressCountriesMax);
  readonly #found = new Int16Array(addressCountriesMax).fill(-1);

  constructor(countries: Countries) {
    this.#countries = countries;
  }

  of(peer: ArrayBuffer): number {
    const bytes = new Uint8Array(peer);
    if (bytes.length !== ipv4Bytes && !isMapped(bytes)) {
      return countryNumber(this.#countries.lookup(ipv6Text(bytes)));
    }
    const at = bytes.length - ipv4Bytes;
    const address =
      ((bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!) >>> 0;
    const place = Math.imul(address, 0x9e3779b1) >>> placeShift;
    if (this.#addresses[place] === address && this.#found[place]! >= 0) return this.#found[place]!;
    const found = countryNumber(
      this.#countries.lookup(`${bytes[at]}.${bytes[at + 1]}.${bytes[at + 2]}.${bytes[at + 3]}`),
    );
    this.#addresses[place] = address;
    this.#found[place] = found;
    return found;
  }
}

function isMapped(bytes: Uint8Array): boolean {
  for (let at = 0; at < 10; at++) if (bytes[at] !== 0) return false;
  return bytes[10] === 0xff && bytes[11] === 0xff;
}

function ipv6Text(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += 2) {
    text += (at === 0 ? "" : ":") + ((bytes[at]! << 8) | bytes[at + 1]!).toString(16);
  }
  return text;
}

/** Peers of a socket on a loopback address are on this machine. Asking for the address costs more than a look-up. */
export function onlyPeerOf(host: string): string | null {
  return host === "127.0.0.1" || host === "::1" ? host : null;
}
