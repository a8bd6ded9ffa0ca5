import { isPublicAddress } from "@oven/module-registry";

/**
 * Where a caller is, for limits that hold for a place whoever it is. Undefined for addresses that are not public: behind a
 * reverse proxy everybody has the proxy's, and one guesser there must not lock all others out.
 */
export function placeOf(address: string | undefined): string | undefined {
  return address !== undefined && isPublicAddress(address) ? toNetwork(address) : undefined;
}

/** One IPv6 customer has a whole /64 of addresses. */
export function toNetwork(address: string): string {
  if (!address.includes(":") || /^::ffff:\d+\.\d+\.\d+\.\d+$/i.test(address)) return address.replace(/^::ffff:/i, "");
  const [head = "", tail] = address.toLowerCase().split("::");
  const left = head === "" ? [] : head.split(":");
  const right = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array.from({ length: zeros }, () => "0"), ...right];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ""))
    .join(":")}::/64`;
}
