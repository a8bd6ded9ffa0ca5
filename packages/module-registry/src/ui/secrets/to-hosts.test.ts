import { expect, it } from "vitest";
import { toHosts } from "./to-hosts.ts";

it("reads hosts between commas, spaces and line ends", () => {
  expect(toHosts(" api.example.com,10.0.0.5:8080\n shop.example ")).toEqual([
    "api.example.com",
    "10.0.0.5:8080",
    "shop.example",
  ]);
  expect(toHosts(" , ")).toEqual([]);
});
