import type { JsonObject } from "@oven/contract";
import { pickerOf } from "./pickers.ts";
import type { Field } from "./shape.ts";

/** Optional inputs that most states of their type set. */
const USUAL: ReadonlySet<string> = new Set([
  "prompt",
  "system",
  "temperature",
  "template",
  "show",
  "title",
  "actions",
  "dueIn",
  "query",
  "text",
  "input",
  "body",
  "method",
  "headers",
  "params",
  "payload",
  "data",
  "value",
  "facts",
  "schema",
  "deadline",
  "payloadSchema",
  "outputSchema",
  "context",
]);
/** A form this short is shown whole. */
const FEW = 5;

/** Which fields are shown at once, and which are folded: what is optional, unusual and not set. */
export function foldFields(fields: readonly Field[], value: JsonObject): { shown: Field[]; folded: Field[] } {
  const isShown = (field: Field): boolean =>
    field.required || Object.hasOwn(value, field.name) || USUAL.has(field.name) || pickerOf(field) !== null;
  if (fields.length <= FEW) return { shown: [...fields], folded: [] };
  const shown = fields.filter(isShown);
  return { shown, folded: fields.filter((field) => !isShown(field)) };
}
