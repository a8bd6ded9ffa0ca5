import { createHash } from "node:crypto";
import { OvenError } from "@oven/contract";
import { compileValue, type Scope } from "@oven/engine";

/** Longer keys are stored as their hash. */
const MAX_KEY_CHARACTERS = 200;
/** What is no JSON text, so that no event's own key is the same. */
const NO_KEY = "";

/**
 * What a part of a trigger's shaping counts an event by.
 * @param expression CEL; without one all events belong together
 * @throws OvenError INVALID_INPUT when it comes to nothing; what the expression throws
 */
export function keyOf(part: string, expression: string | undefined, scope: Scope): string {
  if (expression === undefined) return NO_KEY;
  const value = compileValue({ $cel: expression }).resolve(scope);
  if (value === undefined || value === null) {
    throw new OvenError("INVALID_INPUT", `The key of ${part}, ${expression}, came to nothing`, {
      status: 422,
      fix: "Use a key that each event has, or let the filter turn the others away.",
    });
  }
  const text = JSON.stringify(value);
  return text.length <= MAX_KEY_CHARACTERS ? text : createHash("sha256").update(text).digest("hex");
}
