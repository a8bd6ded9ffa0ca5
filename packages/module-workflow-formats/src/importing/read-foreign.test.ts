import { expect, it } from "vitest";
import { refused } from "./testing/read-imports.ts";

it.each<[string, string, number]>([
  ["nothing", "", 1],
  ["a text", "hello", 1],
  ["a list", "[]", 1],
  ["an empty object", "{}", 1],
  ["a definition of ours", '{ "initial": "a", "states": {} }', 1],
  ["half of an object", '{\n  "nodes": [', 2],
  ["a comma too few", '{\n  "nodes": []\n  "connections": {}\n}', 3],
  ["a key twice", '{\n  "nodes": [],\n  "nodes": []\n}', 3],
  ["YAML with a tab", "app:\n\tname: x", 2],
  ["YAML with a key twice", "kind: app\nkind: app", 2],
  ["YAML with an unknown alias", "kind: app\napp: *nobody", 2],
  ["lists in lists without end", "[".repeat(200_000), 1],
  ["YAML lists in lists", `a: ${"[".repeat(200_000)}`, 1],
  ["YAML objects in objects", "{a: ".repeat(100_000), 1],
  ["YAML lists on one line", `- ${"- ".repeat(100_000)}`, 1],
  ["TypeScript of Agent Builder", 'import { Agent } from "@openai/agents";', 1],
  ["Python of Agent Builder", "from agents import Agent, Runner", 1],
])("is refused with its line: %s", async (_what, source, line) => {
  const { code, status, details } = await refused(source);
  expect([code, status, details?.line]).toEqual([expect.stringMatching(/^SOURCE_/), 422, line]);
});
