import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";

export interface Example {
  title: string;
  input: JsonObject;
}

/** `meta.examples` of a definition: inputs to run it with at one click. */
export function readExamples(definition: JsonObject): Example[] {
  const { meta } = definition;
  if (!isObject(meta) || !Array.isArray(meta.examples)) return [];
  return meta.examples.flatMap((entry, index) =>
    isObject(entry) && isObject(entry.input)
      ? [{ title: typeof entry.title === "string" ? entry.title : `Example ${index + 1}`, input: entry.input }]
      : [],
  );
}
