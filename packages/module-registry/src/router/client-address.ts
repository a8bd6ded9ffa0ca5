import { isIP } from "node:net";
import { type AddressRanges, toPlainAddress } from "./address-ranges.ts";

/**
 * The address of the client behind reverse proxies: the first one from the right that no trusted proxy has. Each proxy appends
 * the address it was called from to X-Forwarded-For, so what stands left of an untrusted address is that client's own claim.
 *
 * @param peer the address at the other end of the socket
 * @param forwardedFor the header X-Forwarded-For as it arrived
 * @returns `peer` itself when it is no trusted proxy; the last proxy when it forwards no readable address
 */
export function toClientAddress(peer: string, forwardedFor: string | undefined, trusted: AddressRanges): string {
  let client = toPlainAddress(peer);
  const hops = forwardedFor === undefined ? [] : forwardedFor.split(",");
  while (trusted.has(client)) {
    const before = toAddress(hops.pop() ?? "");
    if (before === undefined) return client;
    client = before;
  }
  return client;
}

/** Some proxies add the port: `192.0.2.1:4711`, `[2001:db8::1]:4711`. */
function toAddress(hop: string): string | undefined {
  const text = hop.trim();
  const [, bracketed] = /^\[([^\]]+)\](?::\d+)?$/.exec(text) ?? [];
  const [, ported] = /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(text) ?? [];
  const address = toPlainAddress(bracketed ?? ported ?? text);
  return isIP(address) === 0 ? undefined : address;
}
