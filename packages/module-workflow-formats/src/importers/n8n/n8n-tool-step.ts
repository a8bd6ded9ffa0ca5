import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { toLiteral } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { type N8nNode, textOf } from "./n8n-document.ts";
import type { N8nReferences } from "./n8n-expression.ts";
import { schemaIn } from "./n8n-parsers.ts";

/** What a call of a tool runs; the rest of it is known by its node. */
export interface ToolStep {
  name?: string;
  /** As n8n has it. */
  description: Json;
  /** JSON Schema of what the model gives. */
  parameters: JsonObject;
  src: string;
  input: JsonObject;
  /** What of its output the model is shown. */
  result?: string;
  notes?: readonly string[];
}

/** What a model gives to a tool of n8n that takes a text. */
export const ASKED = "$.toolArguments.query";

const oneText = (name: string): JsonObject => ({
  type: "object",
  properties: { [name]: { type: "string" } },
  required: [name],
});
export const ASKS_FOR_QUERY = oneText("query");
export const ASKS_FOR_INPUT = oneText("input");

export const aboutTool = (
  { parameters }: N8nNode,
  description: Json | undefined,
): Pick<ToolStep, "name" | "description"> => {
  const name = textOf(parameters.name);
  return { ...(name === undefined ? {} : { name }), description: description ?? "" };
};

/** The schema that a tool has been given. @throws NoEquivalent */
export function schemaOfTool(parameters: JsonObject, references: N8nReferences): JsonObject {
  const schema = toLiteral(schemaIn(parameters, references));
  if (!isObject(schema)) throw new NoEquivalent("its schema is no object");
  return schema;
}
