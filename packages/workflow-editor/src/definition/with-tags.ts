import type { JsonObject } from "@oven/contract";

/** A definition as a file: a new workflow made from it takes the tags out of `meta` again. */
export function withTags(definition: JsonObject, tags: readonly string[]): JsonObject {
  if (tags.length === 0) return definition;
  const { meta } = definition;
  const others = typeof meta === "object" && meta !== null && !Array.isArray(meta) ? meta : {};
  return { ...definition, meta: { ...others, tags: [...tags] } };
}
