import { isObject, type Json, type JsonObject, OvenError } from "@oven/contract";
import type { TriggerProblem } from "@oven/contract/trigger";
import { compileValue, violationsOf } from "@oven/engine";

/** What is known of a trigger's input before it fires. */
export interface KnownInput {
  /** The trigger's `input`; null: what arrives is handed over as it is. */
  input: Json | null;
  /** Keys of what arrives, where its kind always has the same ones. */
  arriving: readonly string[] | undefined;
}

/**
 * Refuses a trigger of which every firing would be refused.
 * @throws OvenError INVALID_TRIGGER with the place
 */
export function checkInput(known: KnownInput, payloadSchema: JsonObject | undefined): void {
  const found = inputProblem(known, payloadSchema);
  if (found === undefined) return;
  const { path, message, fix } = found;
  throw new OvenError("INVALID_TRIGGER", message, { status: 400, path, fix });
}

/**
 * Why every firing of a trigger would be refused: its input lacks what the workflow's payload schema requires, or has a fixed value
 * there that does not fit. What is computed when it fires is not looked at.
 */
export function inputProblem(known: KnownInput, payloadSchema: JsonObject | undefined): TriggerProblem | undefined {
  const missing = missingKeys(known, payloadSchema);
  if (missing.length > 0)
    return {
      path: "$.input",
      message: `The workflow needs ${missing.join(", ")}, which this trigger does not hand over`,
      fix: `Add ${missing.map((name) => `\`${name}\``).join(", ")} to the trigger's input.`,
    };
  const { input } = known;
  const properties = isObject(payloadSchema?.properties) ? payloadSchema.properties : {};
  for (const [name, value] of Object.entries(isWritten(input) ? input : {})) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const compiled = compileValue(value);
    if (!isObject(schema) || !compiled.constant) continue;
    const [first] = violationsOf(schema, value, `$.input.${name}`);
    if (first !== undefined)
      return {
        path: first.path,
        message: `The workflow does not take this: ${first.message}`,
        fix: "Write a value that fits the workflow's payload schema.",
      };
  }
  return undefined;
}

/** Keys that the workflow needs and no firing hands over. */
function missingKeys({ input, arriving }: KnownInput, payloadSchema: JsonObject | undefined): string[] {
  const keys = input === null ? arriving : isWritten(input) ? Object.keys(input) : undefined;
  if (keys === undefined || !Array.isArray(payloadSchema?.required)) return [];
  return payloadSchema.required.map(String).filter((name) => !keys.includes(name));
}

/** Whether its keys are written out. */
function isWritten(input: Json | null): input is JsonObject {
  return isObject(input) && !Object.hasOwn(input, "$cel") && !Object.hasOwn(input, "$literal");
}
