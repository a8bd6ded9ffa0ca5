import type { JsonObject } from "@oven/contract";
import { type NodeDefinition, unknownMost } from "@oven/module-registry";
import { reviewCeiling } from "./review-ceiling.ts";

interface Operation {
  id: string;
  /** Each call of it waits for a review. */
  asksFirst: boolean;
  /** It starts runs, or makes what does. */
  delegates: boolean;
  permissions: readonly string[];
}

/** What a step that calls an operation of the platform needs at most. */
export function operationCeiling({
  id,
  asksFirst,
  delegates,
  permissions,
}: Operation): NonNullable<NodeDefinition["ceiling"]> {
  const called = { toolCalls: 1, [`tool:${id}`]: 1 };
  const unknown = unknownMost({ code: "tool", about: id });
  return ({ input }, facts) => ({
    perCall: delegates || facts.spends(permissions) ? { ...called, ...unknown } : called,
    ...(asksFirst ? { perVisit: reviewCeiling(toObject(input.approval)) } : {}),
  });
}

function toObject(value: unknown): JsonObject {
  // cast: an input is JSON
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as JsonObject) : {};
}
