import { isObject, type Json, type JsonObject, OvenError } from "@oven/contract";
import { compileValue, violationsOf } from "@oven/engine";

/** What is known of a trigger's input before it fires. */
export interface KnownInput {
  /** The trigger's `input`; null: what arrives is handed over as it is. */
  input: Json | null;
  /** Keys of what arrives, where its kind always has the same ones. */
  arriving: readonly string[] | undefined;
}

/**
 * Refuses a trigger of which every firing would be refused: its input lacks what the workflow's payload schema requires, or has a fixed
 * value there that does not fit. What is computed when it fires is not looked at.
 * @throws OvenError INVALID_TRIGGER with the place
 */
export function checkInput({ input, arriving }: KnownInput, payloadSchema: JsonObject | undefined): void {
  const keys = input === null ? arriving : isWritten(input) ? Object.keys(input) : undefined;
  if (payloadSchema === undefined || keys === undefined) return;
  const required = Array.isArray(payloadSchema.required) ? payloadSchema.required.map(String) : [];
  const missing = required.filter((name) => !keys.includes(name));
  if (missing.length > 0)
    throw invalid("$.input", `The workflow needs ${missing.join(", ")}, which this trigger does not hand over`, {
      fix: `Add ${missing.map((name) => `\`${name}\``).join(", ")} to the trigger's input.`,
    });
  const properties = isObject(payloadSchema.properties) ? payloadSchema.properties : {};
  for (const [name, value] of Object.entries(isWritten(input) ? input : {})) {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    const compiled = compileValue(value);
    if (!isObject(schema) || !compiled.constant) continue;
    const [first] = violationsOf(schema, value, `$.input.${name}`);
    if (first !== undefined)
      throw invalid(first.path, `The workflow does not take this: ${first.message}`, {
        fix: "Write a value that fits the workflow's payload schema.",
      });
  }
}

/** Whether its keys are written out. */
function isWritten(input: Json | null): input is JsonObject {
  return isObject(input) && !Object.hasOwn(input, "$cel") && !Object.hasOwn(input, "$literal");
}

function invalid(path: string, message: string, { fix }: { fix: string }): OvenError {
  return new OvenError("INVALID_TRIGGER", message, { status: 400, path, fix });
}
