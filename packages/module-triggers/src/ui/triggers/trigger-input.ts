import { isObject, type Json, type JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { toFields } from "@oven/ui/components/schema-form/schema-fields.ts";

/** How a trigger's input is given: what arrives as it is, field by field, or as JSON. */
export type InputWay = "arrives" | "fields" | "json";

/** What is known of the workflow and of what arrives. */
export interface InputTerms {
  payloadSchema: JsonObject | null;
  /** Keys of what arrives; null: they are not known before. */
  arriving: readonly string[] | null;
}

/** The way an input is shown before anybody chose one. */
export function toInputWay(input: JsonObject | null, { payloadSchema, arriving }: InputTerms): InputWay {
  const hasFields = (toFields(payloadSchema) ?? []).length > 0;
  if (input !== null) return hasFields && !isComputed(input) ? "fields" : "json";
  return hasFields && arriving !== null && missingIn(payloadSchema, arriving).length > 0 ? "fields" : "arrives";
}

/** Whether a value is read from what arrives when the trigger fires: a `$.path`, or a text with such. */
export function isReference(value: Json | undefined): value is string {
  return typeof value === "string" && (/^\$[.[]|^\$config\b/.test(value) || value.includes("{{"));
}

/** Whether a value is an expression of its own and no object of fields. */
export function isComputed(value: Json | undefined): boolean {
  return isObject(value) && (Object.hasOwn(value, "$cel") || Object.hasOwn(value, "$literal"));
}

/** Paths into what arrives, by an example of it. */
export function pathsOf(sample: Json, path = "$", depth = 0): string[] {
  if (!isObject(sample) || depth > 2) return [];
  return Object.entries(sample).flatMap(([key, value]) => {
    const here = /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`;
    return [here, ...pathsOf(value, here, depth + 1)];
  });
}

/** The messages of a problem, each at its field of the workflow's payload. */
export function toFieldProblems(
  problem: { path?: string | undefined; message: string } | null,
  input: JsonObject | null,
  payloadSchema: JsonObject | null,
): Record<string, string> {
  if (problem === null) return {};
  if (problem.path === "$.input") {
    const missing = missingIn(payloadSchema, Object.keys(input ?? {}));
    return Object.fromEntries(missing.map((name) => [name, t("The workflow needs this")]));
  }
  const names = (toFields(payloadSchema) ?? []).map(({ name }) => name);
  const at = names.find((name) => {
    const rest = problem.path?.startsWith(`$.input.${name}`) ? problem.path.slice(`$.input.${name}`.length) : null;
    return rest !== null && (rest === "" || rest.startsWith(".") || rest.startsWith("["));
  });
  return at === undefined ? {} : { [at]: problem.message };
}

function missingIn(payloadSchema: JsonObject | null, keys: readonly string[]): string[] {
  const required = Array.isArray(payloadSchema?.required) ? payloadSchema.required.map(String) : [];
  return required.filter((name) => !keys.includes(name));
}
