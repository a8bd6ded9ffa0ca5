import { readPath } from "@oven/scope";
import { toCelText } from "./variables.ts";

/** What is dragged from the values of a run onto a field. */
export const VARIABLE_TYPE = "application/x-oven-variable";

/** How a dragged path is written into a field: alone it keeps its type, unless the field holds a text. */
export function droppedText(before: string, path: string, bare: boolean): string {
  if (before.trim() === "") return bare ? path : `{{ ${path} }}`;
  // A path that stood alone becomes one of several.
  if (/^\$[.[]\S*$/.test(before.trim())) return `{{ ${before.trim()} }} {{ ${path} }}`;
  return `${before}${/\s$/.test(before) ? "" : " "}{{ ${path} }}`;
}

/** How a dragged path is written into CEL, behind what stands there; null: it cannot be read there. */
export function droppedCel(before: string, path: string): string | null {
  const keys = readPath(path)?.keys;
  const text = keys === undefined ? null : toCelText(keys);
  if (text === null) return null;
  return before.trim() === "" ? text : `${before}${/[\s([!]$/.test(before) ? "" : " "}${text}`;
}
