import { type Json, type JsonObject, OvenError } from "@oven/contract";
import { validateJson } from "@oven/engine";

/** What is wrong with a model's answer as JSON of a schema; undefined when nothing is. */
export function findMismatch(schema: JsonObject, object: Json | undefined): string | undefined {
  if (object === undefined) return "the answer is not JSON";
  const [first] = validateJson(schema, object);
  return first === undefined ? undefined : `${first.path}: ${first.message}`;
}

/**
 * What the model is asked after an answer that does not fit.
 * @param mismatch where and why it does not fit
 */
export function toCorrection(mismatch: string, schema: JsonObject): string {
  return [
    `Your answer cannot be used: ${mismatch}.`,
    "Answer again with nothing but JSON that fits this JSON Schema:",
    JSON.stringify(schema),
  ].join("\n");
}

/**
 * The error of an answer that never fitted the step's schema.
 * @returns OvenError OUTPUT_SCHEMA_MISMATCH 422
 */
export function outputMismatch(mismatch: string, attempts: number): OvenError {
  return new OvenError(
    "OUTPUT_SCHEMA_MISMATCH",
    `The model's answer does not fit \`outputSchema\` after ${attempts} attempts: ${mismatch}`,
    {
      status: 422,
      fix: "Say in the prompt what is wanted, relax the schema, or use a stronger model",
      details: { attempts },
    },
  );
}
