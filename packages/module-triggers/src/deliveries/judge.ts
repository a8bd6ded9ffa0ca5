import { isOvenError, type Json, type JsonObject } from "@oven/contract";
import type { Guard } from "@oven/contract/workflow";
import { compileGuard, compileValue, ExpressionSyntaxError, initialContext, readPath, type Scope } from "@oven/engine";

export interface Rules {
  filter: Guard | null;
  input: JsonObject | null;
}

export type Judgement =
  | { decision: "started"; input: JsonObject }
  | { decision: "filtered" | "refused"; reason: string };

/** What a trigger makes of something that arrived, before anything is started. */
export function judge({ filter, input }: Rules, payload: Json, arrivedAt: Date): Judgement {
  const scope: Scope = {
    context: initialContext({}, payload),
    trigger: payload,
    execution: { startedAt: arrivedAt.toISOString() },
  };
  try {
    if (filter !== null && !compileGuard(filter)(scope))
      return { decision: "filtered", reason: toReason(filter, scope) };
    if (input === null) return { decision: "started", input: isObject(payload) ? payload : { event: payload } };
    const computed = compileValue(input).resolve(scope);
    // cast: an object of values computes to an object
    return { decision: "started", input: computed as JsonObject };
  } catch (error) {
    if (!isOvenError(error) && !(error instanceof ExpressionSyntaxError)) throw error;
    return { decision: "refused", reason: error.message };
  }
}

function toReason(filter: Guard, scope: Scope): string {
  const missing = keysOf(filter).filter((key) => readPath(scope, key) === undefined);
  return missing.length === 0 ? "The filter said no" : `The filter said no; nothing arrived at ${missing.join(", ")}`;
}

function keysOf(guard: Guard): string[] {
  switch (guard.type) {
    case "condition":
      return [guard.params.key];
    case "not":
      return keysOf(guard.guard);
    case "all":
    case "any":
      return guard.guards.flatMap(keysOf);
    case "cel":
      return [];
  }
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
