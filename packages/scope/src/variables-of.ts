import { isObject, type Json, type JsonObject } from "@oven/contract";
import { rootsInText } from "./roots-in-text.ts";

/** Names that hold a value of their own: a state of the same name is then read as `<id>_output` only. */
export function variablesOf(document: JsonObject): Set<string> {
  const names = new Set(Object.keys(isObject(document.context) ? document.context : {}));
  const collect = (value: Json): void => {
    if (Array.isArray(value)) for (const item of value) collect(item);
    if (!isObject(value)) return;
    if (value.type === "assign" && isObject(value.params) && typeof value.params.path === "string")
      for (const { key } of rootsInText(value.params.path)) names.add(key);
    for (const child of Object.values(value)) collect(child);
  };
  for (const value of [document.states, document.on, document.entry]) collect(value ?? null);
  return names;
}
