import type { JsonObject } from "@oven/contract";
import { DefinitionSchema, StateSchema } from "@oven/contract/workflow";
import { z } from "zod";
import { spellOutOnce, toShortSchema } from "./short-schema.ts";

/**
 * The arguments of a tool with the format of definitions spelled out. It is what clients are shown: a definition that does not fit is taken all the
 * same, because a draft may be unfinished, and its problems name their place and what to do.
 */
export function withDefinitionFormat(input: z.ZodObject): JsonObject {
  const about = "A workflow as states; definition_guide says more, describe_node_type what `invoke.input` takes";
  return spellOut(input.extend({ definition: DefinitionSchema.describe(about) }));
}

/** The arguments of `change_steps` with the format of states spelled out, for models that have no other tool that shows it. */
export function withStateFormat(input: z.ZodObject): JsonObject {
  const about = "States by id; definition_guide says more, describe_node_type what `invoke.input` takes";
  return spellOut(input.extend({ put: z.record(z.string(), StateSchema).optional().describe(about) }));
}

function spellOut(input: z.ZodObject): JsonObject {
  const document = z.toJSONSchema(input, { io: "input", unrepresentable: "any", reused: "ref" });
  return spellOutOnce(toShortSchema(document as JsonObject)); // cast: a JSON Schema is JSON
}
