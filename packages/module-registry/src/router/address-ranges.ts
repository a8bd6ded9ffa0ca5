import { BlockList, isIP } from "node:net";

/**
 * IP addresses and CIDR ranges, IPv4 and IPv6, such as `10.0.0.0/8` and `2001:db8::7`.
 */
export class AddressRanges {
  readonly #list = new BlockList();

  /** @throws RangeError naming the text that is neither an address nor a range */
  constructor(ranges: readonly string[]) {
    for (const text of ranges) {
      const [address = "", prefix, ...rest] = text.split("/");
      const family = isIP(address);
      const most = family === 6 ? 128 : 32;
      const bits = prefix === undefined ? most : Number(prefix);
      if (family === 0 || address.includes("%") || rest.length > 0 || !/^\d{1,3}$/.test(prefix ?? "0") || bits > most)
        throw new RangeError(`${text} is no address`);
      this.#list.addSubnet(address, bits, family === 6 ? "ipv6" : "ipv4");
    }
  }

  /** Whether an address is in one of the ranges; what is no address is in none. */
  has(address: string): boolean {
    const plain = toPlainAddress(address);
    const family = isIP(plain);
    return family !== 0 && this.#list.check(plain, family === 6 ? "ipv6" : "ipv4");
  }
}

/** An IPv4 address that arrives in an IPv6 one (`::ffff:192.0.2.1`, from a socket that takes both) is the IPv4 address. */
export function toPlainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/i, "").replace(/%.*$/, "");
}
