import type { McpToolDefinition } from "@oven/contract/mcp";
import type { Effect } from "@oven/contract/node";

type Annotations = NonNullable<McpToolDefinition["annotations"]>;

/** What the effect class of one tool means to a client. */
export function toAnnotations(effect: Effect): Annotations {
  if (effect === "pure") return { readOnlyHint: true };
  return { readOnlyHint: false, destructiveHint: effect !== "idempotent", idempotentHint: effect === "idempotent" };
}

/** Of a whole workflow: it only reads when all its steps do; it may destroy when one of them must not happen twice. */
export function annotationsOfAll(effects: readonly Effect[]): Annotations {
  if (effects.every((effect) => effect === "pure")) return { readOnlyHint: true };
  return { readOnlyHint: false, destructiveHint: effects.includes("at-most-once") };
}
