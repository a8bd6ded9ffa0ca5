import type { JsonObject } from "@oven/contract";
import { pickerOf } from "./pickers.ts";
import type { Field } from "./shape.ts";

/** Optional inputs that most steps set, of nodes that do not say which come first. */
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

/**
 * Which fields are shown at once, and which are folded.
 * @param first the fields that most steps set, in the order of the form; absent: they are known by their names
 * @returns `shown`: the first ones, and what is needed or set
 */
export function foldFields(
  fields: readonly Field[],
  value: JsonObject,
  first?: readonly string[],
): { shown: Field[]; folded: Field[] } {
  if (first === undefined && fields.length <= FEW) return { shown: [...fields], folded: [] };
  const isUsual = (field: Field): boolean =>
    first === undefined ? USUAL.has(field.name) || pickerOf(field) !== null : first.includes(field.name);
  const shown = fields.filter((field) => field.required || Object.hasOwn(value, field.name) || isUsual(field));
  const place = ({ name }: Field): number => {
    const at = first?.indexOf(name) ?? -1;
    return at === -1 ? fields.length : at;
  };
  return {
    shown: shown.toSorted((one, other) => place(one) - place(other)),
    folded: fields.filter((field) => !shown.includes(field)),
  };
}
