import { BlockList, isIPv4, isIPv6 } from "node:net";

/** IPv4 blocks that are not the public internet (IANA special-purpose registry, RFC 6890 and later; multicast). */
const NOT_PUBLIC_V4 = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const;

/** Within 2000::/3, the only IPv6 space in public use: protocol assignments (Teredo, ORCHID), 6to4, documentation. */
const NOT_PUBLIC_V6 = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["2620:4f:8000::", 48],
  ["3fff::", 20],
] as const;

const blockedV4 = new BlockList();
for (const [network, prefix] of NOT_PUBLIC_V4) blockedV4.addSubnet(network, prefix, "ipv4");
const blockedV6 = new BlockList();
for (const [network, prefix] of NOT_PUBLIC_V6) blockedV6.addSubnet(network, prefix, "ipv6");

/**
 * Whether an IP address belongs to the public internet. An IPv4 address inside an IPv6 one (mapped, NAT64) is judged by
 * itself. Anything that is not an address, scoped ones too, is not public.
 */
export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !blockedV4.check(address, "ipv4");
  if (!isIPv6(address)) return false;
  const groups = toGroups(address);
  if (groups === undefined) return false;
  const embedded = embeddedV4(groups);
  if (embedded !== undefined) return isPublicAddress(embedded);
  const [first = 0] = groups;
  return first >> 13 === 1 && !blockedV6.check(address, "ipv6");
}

/** The eight groups; undefined for scoped addresses (`fe80::1%eth0`), which mean this machine's own links. */
function toGroups(address: string): number[] | undefined {
  if (!URL.canParse(`http://[${address}]/`)) return undefined;
  const compressed = new URL(`http://[${address}]/`).hostname.slice(1, -1);
  const [head = "", tail] = compressed.split("::");
  const parse = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  if (tail === undefined) return parse(head);
  const [left, right] = [parse(head), parse(tail)];
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right];
}

/** The address in `::ffff:0:0/96` (mapped) and `64:ff9b::/96` (NAT64). */
function embeddedV4(groups: readonly number[]): string | undefined {
  const prefix = groups.slice(0, 6).join(":");
  if (prefix !== "0:0:0:0:0:65535" && prefix !== `${0x64}:${0xff9b}:0:0:0:0`) return undefined;
  const [high = 0, low = 0] = groups.slice(6);
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}
