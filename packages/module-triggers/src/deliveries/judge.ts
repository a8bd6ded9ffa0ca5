import { isOvenError, type Json, type JsonObject } from "@oven/contract";
import type { TriggerShaping } from "@oven/contract/trigger";
import type { Guard } from "@oven/contract/workflow";
import { compileGuard, compileValue, ExpressionSyntaxError, initialContext, readPath, type Scope } from "@oven/engine";

export interface Rules {
  filter: Guard | null;
  input: JsonObject | null;
  shaping: TriggerShaping | null;
}

/** Something that arrived. */
export interface Event {
  payload: Json;
  arrivedAt: Date;
  /** The payload is `{events}` already. */
  isBatch?: boolean;
}

export interface Refused {
  decision: "filtered" | "refused";
  reason: string;
}

export type Judgement = { decision: "started"; input: JsonObject } | Refused;

/** What expressions of a trigger read. */
export function scopeOf({ payload, arrivedAt }: Event): Scope {
  return {
    context: initialContext({}, payload),
    trigger: payload,
    execution: { startedAt: arrivedAt.toISOString() },
  };
}

/** What a trigger makes of something that arrived, before anything is started. */
export function judge(rules: Rules, event: Event): Judgement {
  return askFilter(rules, event) ?? toInput(rules, event);
}

/** Why it is turned away; undefined: it is not. A batch is made of what was let through. */
export function askFilter({ filter }: Rules, event: Event): Refused | undefined {
  if (filter === null || event.isBatch) return undefined;
  const scope = scopeOf(event);
  return refusing((): Refused | undefined =>
    compileGuard(filter)(scope) ? undefined : { decision: "filtered", reason: toReason(filter, scope) },
  );
}

/** The input of its run. One event that is delivered by itself to a trigger that gathers is a batch of one. */
export function toInput({ input, shaping }: Rules, event: Event): Judgement {
  const isAlone = shaping?.batch !== undefined && !event.isBatch;
  const payload: Json = isAlone ? { events: [event.payload] } : event.payload;
  if (input === null) return { decision: "started", input: isObject(payload) ? payload : { event: payload } };
  return refusing(() => {
    const computed = compileValue(input).resolve(scopeOf({ ...event, payload }));
    // cast: an object of values computes to an object
    return { decision: "started", input: computed as JsonObject };
  });
}

/** What an expression cannot make of an event is a refusal; anything else is thrown. */
export function refusing<T>(compute: () => T): T | Refused {
  try {
    return compute();
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
