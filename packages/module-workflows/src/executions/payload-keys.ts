import type { JsonObject } from "@oven/contract";

/** What a workflow takes, when its payload may have nothing else; undefined: anything. */
export function strictKeys({ payloadSchema }: JsonObject): readonly string[] | undefined {
  if (typeof payloadSchema !== "object" || payloadSchema === null || Array.isArray(payloadSchema)) return undefined;
  const { properties, additionalProperties } = payloadSchema;
  if (additionalProperties !== false) return undefined;
  return typeof properties === "object" && properties !== null ? Object.keys(properties) : [];
}
