import { expect, it } from "vitest";
import { AddressRanges } from "./address-ranges.ts";
import { toClientAddress } from "./client-address.ts";

const trusted = new AddressRanges(["10.0.0.1", "192.168.0.0/16", "2001:db8:1::/48"]);

it.each([
  ["the peer when nothing is forwarded", "10.0.0.1", undefined, "10.0.0.1"],
  ["the peer when it is no trusted proxy, whatever it claims", "8.8.8.8", "6.6.6.6", "8.8.8.8"],
  ["what the trusted proxy forwards", "10.0.0.1", "6.6.6.6", "6.6.6.6"],
  ["the first untrusted one from the right", "10.0.0.1", "1.1.1.1, 6.6.6.6, 192.168.3.4", "6.6.6.6"],
  ["the outermost proxy when all are trusted", "10.0.0.1", "192.168.1.1, 192.168.2.2", "192.168.1.1"],
  ["the last proxy when it forwards no address", "10.0.0.1", "6.6.6.6, unknown", "10.0.0.1"],
  ["a proxy on a socket that takes both families", "::ffff:10.0.0.1", "6.6.6.6", "6.6.6.6"],
  ["an IPv6 client behind an IPv6 proxy", "2001:db8:1::9", "2001:db8:2::7", "2001:db8:2::7"],
  ["an address with a port", "10.0.0.1", "6.6.6.6:4711", "6.6.6.6"],
  ["an IPv6 address with a port", "10.0.0.1", "[2001:db8:2::7]:4711", "2001:db8:2::7"],
  ["a peer that no longer has an address", "", "6.6.6.6", ""],
])("is %s", (_name, peer, forwardedFor, expected) => {
  expect(toClientAddress(peer, forwardedFor, trusted)).toBe(expected);
});

it.each(["", "10.0.0", "10.0.0.1/33", "2001:db8::/129", "10.0.0.0/8/8", "10.0.0.0/", "proxy.example", "fe80::1%eth0"])(
  "refuses the range %j",
  (text) => {
    expect(() => new AddressRanges([text])).toThrow(RangeError);
  },
);
