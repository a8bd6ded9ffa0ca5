import type { JsonObject } from "@oven/contract";
import { DefinitionSchema } from "@oven/contract/workflow";
import { z } from "zod";
import { spellOutOnce, toShortSchema } from "./short-schema.ts";

/**
 * The arguments of a tool with the format of definitions spelled out. It is what clients are shown: a definition that does not fit is taken all the
 * same, because a draft may be unfinished, and its problems name their place and what to do.
 */
export function withDefinitionFormat(input: z.ZodObject): JsonObject {
  const shown = input.extend({ definition: input.shape.definition?.isOptional() ? OPTIONAL : REQUIRED });
  const document = z.toJSONSchema(shown, { io: "input", unrepresentable: "any", reused: "ref" });
  return spellOutOnce(toShortSchema(document as JsonObject)); // cast: a JSON Schema is JSON
}

const about = "A workflow as states; definition_guide says more, describe_node_type what `invoke.input` takes";
const REQUIRED = DefinitionSchema.describe(about);
const OPTIONAL = REQUIRED.optional();
