import type { IncomingHttpHeaders } from "node:http";
import { AddressRanges } from "@oven/module-registry/address-ranges";
import { toClientAddress } from "@oven/module-registry/client-address";

/** What reverse proxies add. A client can send them too, so they are believed from a trusted proxy only. */
const FORWARDED = ["x-forwarded-for", "forwarded", "x-real-ip", "x-forwarded-host", "x-forwarded-proto"];

/** The addresses of clients, in front of the router: what it reads, it reads from the X-Forwarded-For that is set here. */
export class ClientAddresses {
  readonly #trusted: AddressRanges;
  readonly #isSet: boolean;
  #hasWarned = false;

  /** @param trustedProxies addresses and ranges of reverse proxies, checked by the environment */
  constructor(trustedProxies: readonly string[]) {
    this.#trusted = new AddressRanges(trustedProxies);
    this.#isSet = trustedProxies.length > 0;
  }

  /** @param peer the address at the other end of the socket */
  find(peer: string, headers: IncomingHttpHeaders): string {
    if (!this.#hasWarned && FORWARDED.some((name) => headers[name] !== undefined) && !this.#trusted.has(peer)) {
      this.#hasWarned = true;
      console.warn(this.#warning(peer));
    }
    return toClientAddress(peer, [headers["x-forwarded-for"]].flat().join(","), this.#trusted);
  }

  /** Once a process: without a proxy in front, any client can send these headers. */
  #warning(peer: string): string {
    const unknown = this.#isSet ? "OVEN_TRUSTED_PROXIES does not name it" : "OVEN_TRUSTED_PROXIES is not set";
    return (
      `a request from ${peer} has forwarded headers and ${unknown}: they are ignored, and limits and the audit log see ` +
      `${peer}. If that is your reverse proxy, add it to OVEN_TRUSTED_PROXIES.`
    );
  }
}
