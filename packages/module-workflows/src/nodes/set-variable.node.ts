import { isStateId, JsonSchema } from "@oven/contract";
import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";

export const setVariableNode = defineNode({
  id: "core.setVariable",
  version: 1,
  title: "Set variable",
  synonyms: ["set", "assign", "store", "edit fields"],
  docs: "Writes a variable of the run, readable as `$.name` from then on.",
  category: "core",
  kind: "data",
  effect: "pure",
  isLocal: true,
  input: z.strictObject({
    name: z.string().refine(isStateId, "letters, digits, `_` and `-`, starting with a letter; not a reserved name"),
    value: JsonSchema,
  }),
  output: z.strictObject({ name: z.string(), value: JsonSchema.meta({ "x-type-from": { shape: "value" } }) }),
  async run({ input }) {
    return done(
      { name: input.name, value: input.value },
      { patch: [{ op: "add", path: `/${input.name}`, value: input.value }] },
    );
  },
});
