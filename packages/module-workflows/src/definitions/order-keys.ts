import type { Json, JsonObject } from "@oven/contract";
import { DefinitionSchema, toTransitions } from "@oven/contract/workflow";

/*
 * jsonb forgets the order of keys. Definitions are shown in one reading order instead: settings first, states from the
 * initial one along the transitions, and in each state what it is before where it goes.
 */

const DEFINITION_KEYS = Object.keys(DefinitionSchema.shape).filter((key) => key !== "states" && key !== "meta");
const STATE_KEYS = [
  "type",
  "label",
  "description",
  "initial",
  "entry",
  "invoke",
  "loop",
  "always",
  "on",
  "after",
  "afterActive",
  "output",
  "outcome",
  "history",
  "target",
  "onDone",
  "onError",
  "undo",
  "exit",
  "states",
  "meta",
];
const INVOKE_KEYS = ["src", "version", "input", "timeoutMs", "retry", "onDone", "onError"];
const TRANSITION_KEYS = ["target", "guard", "actions", "reenter", "description", "meta"];
const RULE_KEYS = ["type", "guards", "guard", "params", "loose", "path", "key", "operator", "value"];

/** The same definition in reading order. Unknown keys come last, in their own order. */
export function inReadingOrder(definition: JsonObject): JsonObject {
  const ordered = orderKeys(definition, [...DEFINITION_KEYS, "states", "meta"]);
  if (!isObject(ordered.states)) return ordered;
  return { ...ordered, states: orderStates(ordered.states, ordered.initial) };
}

function orderStates(states: JsonObject, initial: Json | undefined): JsonObject {
  const names: string[] = [];
  const visit = (name: string) => {
    if (names.includes(name) || !Object.hasOwn(states, name)) return;
    names.push(name);
    for (const target of targetsOf(states[name])) visit(target);
  };
  if (typeof initial === "string") visit(initial);
  for (const name of Object.keys(states)) visit(name);
  return Object.fromEntries(names.map((name) => [name, orderState(states[name] ?? null)]));
}

function orderState(state: Json): Json {
  if (!isObject(state)) return state;
  const ordered = orderKeys(state, STATE_KEYS);
  const { invoke, states } = ordered;
  for (const key of ["onDone", "onError", "always"])
    if (ordered[key] !== undefined) ordered[key] = orderRules(ordered[key]);
  if (isObject(invoke)) {
    const inner = orderKeys(invoke, INVOKE_KEYS);
    for (const key of ["onDone", "onError"]) if (inner[key] !== undefined) inner[key] = orderRules(inner[key]);
    ordered.invoke = inner;
  }
  if (isObject(states)) ordered.states = orderStates(states, ordered.initial);
  return ordered;
}

function orderRules(value: Json): Json {
  if (Array.isArray(value)) return value.map(orderRules);
  if (!isObject(value)) return value;
  const ordered = orderKeys(value, [...TRANSITION_KEYS, ...RULE_KEYS]);
  for (const key of ["guard", "guards", "actions", "params"]) {
    const inner = ordered[key];
    if (inner !== undefined) ordered[key] = orderRules(inner);
  }
  return ordered;
}

function targetsOf(state: Json | undefined): string[] {
  if (!isObject(state)) return [];
  const invoke = isObject(state.invoke) ? state.invoke : {};
  return [invoke.onDone, state.onDone, state.always, invoke.onError, state.onError, state.undo].flatMap((transition) =>
    // cast: only `target` is read, and checked; broken transitions are the validator's business
    transition === undefined || transition === null || typeof transition === "number" || typeof transition === "boolean"
      ? []
      : toTransitions(transition as Parameters<typeof toTransitions>[0]).flatMap(({ target }) =>
          typeof target === "string" ? [target] : [],
        ),
  );
}

function orderKeys(value: JsonObject, order: readonly string[]): JsonObject {
  const known = order.filter((key) => Object.hasOwn(value, key));
  const rest = Object.keys(value).filter((key) => !order.includes(key));
  return Object.fromEntries([...known, ...rest].map((key) => [key, value[key] ?? null]));
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
