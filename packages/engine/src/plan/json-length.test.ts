import type { Json } from "@oven/contract";
import { expect, it } from "vitest";
import { jsonLength } from "./json-length.ts";

it("is about the length of the text", () => {
  for (const value of [null, true, -1, "text", [], {}, [1, "two", [null]], { a: { b: ["c", 2] }, d: "" }] as Json[]) {
    const { length } = JSON.stringify(value);
    expect(jsonLength(value, 1_000)).toBeGreaterThanOrEqual(length);
    expect(jsonLength(value, 1_000)).toBeLessThanOrEqual(3 * length + 6);
  }
});

it("counts shared parts each time and stops beyond the limit", () => {
  let value: Json = "x".repeat(100);
  for (let round = 0; round < 60; round += 1) value = [value, value];
  const length = jsonLength(value, 10_000);
  expect(length).toBeGreaterThan(10_000);
  expect(length).toBeLessThan(11_000);
});
