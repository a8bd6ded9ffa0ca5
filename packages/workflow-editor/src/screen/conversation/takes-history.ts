import type { JsonObject } from "@oven/contract";

/** Whether a run of this definition may be given what was said before. */
export function takesHistory({ payloadSchema }: JsonObject): boolean {
  if (typeof payloadSchema !== "object" || payloadSchema === null || Array.isArray(payloadSchema)) return true;
  const { properties, additionalProperties } = payloadSchema;
  if (additionalProperties !== false) return true;
  return typeof properties === "object" && properties !== null && Object.hasOwn(properties, "messages");
}
