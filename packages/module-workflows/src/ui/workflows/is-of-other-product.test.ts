import { expect, it } from "vitest";
import { isOfOtherProduct } from "./is-of-other-product.ts";

it.each([
  ['{"nodes": [], "connections": {}}', true],
  ['{"nodes": [], "edges": []}', true],
  ["kind: app\napp: {}", true],
  ["from agents import Agent", true],
  ['{"nodes": [], "connections": ', true],
  ['{"initial": "a", "states": {}}', false],
  ['{"initial": "a", "states": ', false],
  ['{"name": "x", "definition": {}}', false],
  ["[1]", false],
])("a file is known by what is in it: %s", (text, expected) => {
  expect(isOfOtherProduct(text)).toBe(expected);
});
