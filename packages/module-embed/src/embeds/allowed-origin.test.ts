import { expect, it } from "vitest";
import { isAllowedOrigin } from "./allowed-origin.ts";

it.each([
  ["https://shop.example.com", true],
  ["http://localhost:5173", true],
  ["https://a.example.org", true],
  ["https://a.b.example.org", true],
  ["https://example.org", false],
  ["http://a.example.org", false],
  ["https://a.example.org:8443", false],
  ["https://evilexample.org", false],
  ["https://a.example.org.evil.com", false],
  ["http://localhost", false],
  ["null", false],
  ["", false],
])("%s: %s", (origin, allowed) => {
  const list = ["https://shop.example.com", "http://localhost:5173", "https://*.example.org"];
  expect(isAllowedOrigin(list, origin)).toBe(allowed);
});
