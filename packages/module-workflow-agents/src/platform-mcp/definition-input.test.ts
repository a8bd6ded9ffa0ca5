import { readFileSync } from "node:fs";
import { JsonObjectSchema } from "@oven/contract";
import { toBorderSchema, violationsOf } from "@oven/engine";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { withDefinitionFormat } from "./definition-input.ts";
import { spellOutOnce } from "./short-schema.ts";

const shown = toBorderSchema(withDefinitionFormat(z.strictObject({ definition: JsonObjectSchema })), "mcp").schema;
const text = JSON.stringify(shown);

describe("the schema of a definition, as clients are shown it", () => {
  it("spells out states, steps, loops, transitions and guards, without references, in less than 9 kB", () => {
    expect(text).not.toContain("$ref");
    expect(text.length).toBeLessThan(9_000);
    for (const key of [
      "bodyStates",
      "collection",
      "onDone",
      "guard",
      "operator",
      "matches",
      "afterActive",
      "maxAttempts",
    ])
      expect(text).toContain(`"${key}"`);
    expect(text).toMatch(/"description":"As at definition\.states\.\*[^"]*"/);
  });

  it("takes every example of the guide, and refuses what is none", () => {
    const page = readFileSync(new URL("../../../../docs/guides/definition-examples.md", import.meta.url), "utf8");
    const examples = [...page.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = ""]) => JSON.parse(json));
    expect(examples.length).toBeGreaterThan(2);
    for (const definition of examples) expect(violationsOf(shown, { definition }, "$")).toEqual([]);
    expect(violationsOf(shown, { definition: { states: { a: { invoke: { src: 7 } } } } }, "$")).not.toEqual([]);
    expect(violationsOf(shown, { definition: { initial: "a" } }, "$")).not.toEqual([]);
  });
});

it("a schema that holds itself is spelled out once, and named where it comes again", () => {
  const node = {
    type: "object",
    properties: {
      value: { type: "string", description: "What this node of the tree has to say to those who read it" },
    },
  };
  const tree = { ...node, properties: { ...node.properties, next: { $ref: "#/$defs/node" } } };
  const spelled = spellOutOnce({
    type: "object",
    properties: { tree: { $ref: "#/$defs/node" } },
    $defs: { node: tree },
  });
  expect(spelled).toMatchObject({
    properties: { tree: { properties: { value: {}, next: { type: "object", description: "As at tree" } } } },
  });
});
