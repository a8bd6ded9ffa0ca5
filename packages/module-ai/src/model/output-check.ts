import { type JsonObject, OvenError } from "@oven/contract";
import type { ModelAnswer } from "@oven/contract/ai";
import { mismatchOf, NO_JSON, readAnswer } from "./read-answer.ts";

/**
 * Why an answer cannot be used as JSON of a schema; undefined when it can.
 * @throws OvenError NUMBER_NOT_EXACT: to ask the model again would not help
 */
export function findMismatch(
  schema: JsonObject,
  { text, object }: Pick<ModelAnswer, "text" | "object">,
): string | undefined {
  if (object !== undefined) return mismatchOf(schema, object);
  const { problem = NO_JSON, refusal } = readAnswer(text, schema);
  if (refusal !== undefined) throw refusal;
  return problem;
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
