import { type DataSchema, type JsonObject, OvenError } from "@oven/contract";
import { violationsOf } from "@oven/engine";

/** The payload schema, for the `input` of a request that starts the workflow. */
export function payloadOf({ definition }: { definition: JsonObject }): DataSchema {
  return { at: ["input"], schema: definition.payloadSchema };
}

/** @throws OvenError INVALID_INPUT with every violation of the definition's `payloadSchema` */
export function checkPayload(name: string, definition: JsonObject, input: JsonObject): void {
  const schema = definition.payloadSchema;
  if (typeof schema !== "object" || schema === null || Array.isArray(schema)) return;
  const [first, ...rest] = violationsOf(schema, input, "$.input");
  if (first === undefined) return;
  throw new OvenError("INVALID_INPUT", `${name} does not take this input: ${first.path}: ${first.message}`, {
    path: first.path,
    fix: "See payloadSchema of the workflow's definition.",
    details: { problems: [first, ...rest].map((problem) => ({ ...problem })) },
  });
}
