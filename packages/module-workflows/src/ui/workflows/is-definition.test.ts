import { expect, it } from "vitest";
import { isDefinition } from "./is-definition.ts";

it.each([
  ['{"nodes": [], "connections": {}}', false],
  ['{"nodes": [], "edges": []}', false],
  ['{"StartAt": "a", "States": {}}', false],
  ["kind: app\napp: {}", false],
  ["from agents import Agent", false],
  ['{"nodes": [], "connections": ', false],
  ["[1]", false],
  ['{"initial": "a", "states": {}}', true],
  ['{"initial": "a", "states": ', true],
  ['{"name": "x", "definition": {}}', true],
])("a definition is known by what is in it: %s", (text, expected) => {
  expect(isDefinition(text)).toBe(expected);
});
