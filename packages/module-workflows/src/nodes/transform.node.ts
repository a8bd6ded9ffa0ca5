import { type Json, JsonSchema } from "@oven/contract";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";

export const transformNode = defineNode({
  id: "core.transform",
  version: 1,
  title: "Transform",
  synonyms: ["set", "map", "edit fields", "json", "merge", "combine", "split", "format", "rename", "expression"],
  docs: 'Answers one key for each entry of `mapping`, computed from the run: `$.path`, `{{ text }}` or `{"$cel": "…"}`.',
  category: "core",
  kind: "data",
  effect: "pure",
  isLocal: true,
  input: z.strictObject({ mapping: z.record(z.string().min(1), JsonSchema).describe("Output key → value") }),
  output: z.looseObject({}).meta({ "x-type-from": { shape: "mapping" } }),
  async run({ input }) {
    return done(input.mapping as Record<string, Json>); // cast: the schema's values are JSON
  },
});
