import { isObject, type Json, type JsonObject } from "@oven/contract";
import { tracesBefore } from "./flow.ts";
import { findState, indexStates, type StatePlace } from "./states.ts";
import { type OutputTypes, schemaOfValue } from "./types.ts";
import { variablesOf } from "./variables-of.ts";

/** What a root of an expression is, for those who put it in words. */
export type Origin =
  | { kind: "payload" | "variable" | "run" | "conversation" | "configuration" }
  | { kind: "event" }
  /** What a state answered, or how it failed; `fresh`: just now, where its own transitions are taken. */
  | { kind: "output" | "error"; state: StatePlace; fresh: boolean }
  | { kind: "loop"; state: StatePlace };

/** One thing that expressions can read at a place. */
export interface ScopeRoot {
  /** `["trigger"]`, `["review_output"]`, `["$config", "KEY"]`. */
  keys: readonly string[];
  origin: Origin;
  /** JSON Schema; empty: nothing is known of its type. */
  schema: JsonObject;
  /** It is there on every way to the place; else on some. */
  always: boolean;
}

/** What a transition follows: what it hands on is in scope of its condition. */
export type After = "done" | "error" | "event";

export interface ScopeOptions {
  /** Where a condition of the state itself stands; left out, where the state is entered. */
  after?: After | null;
  /** Keys of the configuration with what they are. */
  config?: readonly { key: string; schema: JsonObject }[];
}

/** The first key of `$config.KEY`. */
export const CONFIG = "$config";

/**
 * Everything in scope where a state is entered, and nothing else: payload, variables, results before it, loops around it, the run.
 * @param stateId null: where the run begins
 */
export function scopeAt(
  document: JsonObject,
  stateId: string | null,
  types: OutputTypes,
  { after = null, config = [] }: ScopeOptions = {},
): ScopeRoot[] {
  const list: ScopeRoot[] = [];
  const add = (keys: readonly string[], origin: Origin, schema: Json | undefined, always: boolean): void =>
    void list.push({ keys, origin, schema: isObject(schema) ? schema : {}, always });
  const here = stateId === null ? undefined : findState(document, stateId);
  if (here !== undefined && after === "done") {
    const origin: Origin = { kind: "output", state: here, fresh: true };
    add(["output"], origin, types.of(here), true);
    add([`${here.id}_output`], origin, types.of(here), true);
  }
  if (here !== undefined && after === "error")
    add([`${here.id}_error`], { kind: "error", state: here, fresh: true }, ERROR, true);
  if (after === "event") add(["event"], { kind: "event" }, EVENT, true);
  const undone = indexStates(document).list.filter(({ state }) => here !== undefined && state.undo === here.id);
  if (undone.length > 0) add(["undo"], { kind: "run" }, schemaOfUndo(undone, types), true);
  add(["trigger"], { kind: "payload" }, document.payloadSchema, true);
  const context = isObject(document.context) ? document.context : {};
  for (const name of variablesOf(document)) {
    const isSet = Object.hasOwn(context, name);
    add([name], { kind: "variable" }, isSet ? schemaOfValue(context[name]) : {}, isSet);
  }
  for (const { id, what, always } of stateId === null ? [] : tracesBefore(document, stateId)) {
    const state = findState(document, id);
    if (state === undefined) continue;
    // Just produced, it is there for sure.
    if (id === stateId && (after === "done" ? what === "output" : after === "error" && what === "error")) continue;
    const origin: Origin = { kind: what, state, fresh: false };
    if (what === "error") add([`${id}_error`], origin, ERROR, always);
    else add([`${id}_output`], origin, types.of(state), always);
  }
  for (let at = here?.loop; at !== undefined; at = at.loop) {
    const loop = isObject(at.state.loop) ? at.state.loop : {};
    const origin: Origin = { kind: "loop", state: at };
    if (loop.type !== "while")
      add([typeof loop.itemVariable === "string" ? loop.itemVariable : "item"], origin, types.itemOf(at), true);
    add([typeof loop.indexVariable === "string" ? loop.indexVariable : "index"], origin, { type: "integer" }, true);
  }
  for (const name of ["id", "kind", "workflowId", "startedAt"])
    add(["execution", name], { kind: "run" }, RUN[name], true);
  for (const [name, schema] of Object.entries(CONVERSATION)) add([name], { kind: "conversation" }, schema, true);
  for (const { key, schema } of config) add([CONFIG, key], { kind: "configuration" }, schema, true);
  return list;
}

const ERROR: JsonObject = {
  type: "object",
  properties: { code: { type: "string" }, message: { type: "string" } },
  required: ["code", "message"],
};
const EVENT: JsonObject = {
  type: "object",
  properties: { name: { type: "string" }, payload: {}, correlation: { type: "string" } },
  required: ["name", "payload"],
};
const CONVERSATION: Readonly<Record<string, JsonObject>> = {
  messages: { type: "array" },
  toolCalls: { type: "array" },
  toolResults: { type: "array" },
};
const RUN: JsonObject = {
  id: { type: "integer" },
  kind: { type: "string" },
  workflowId: { type: "integer" },
  startedAt: { type: "string" },
};

/** What a step reads of the one that it undoes. @param undone the steps that it undoes */
function schemaOfUndo(undone: readonly StatePlace[], types: OutputTypes): JsonObject {
  const [only, ...others] = undone;
  const output = only === undefined || others.length > 0 ? {} : types.of(only);
  const properties: JsonObject = {
    output: isObject(output) ? output : {},
    step: { type: "string", description: "The step that is undone" },
    visit: { type: "integer", description: "Which of its visits" },
    error: { type: ["object", "null"], description: "Why the run ends" },
  };
  const isInLoop = undone.every(({ loop }) => loop !== undefined);
  return {
    type: "object",
    required: ["output", "step", "visit", "error"],
    properties: isInLoop ? { ...properties, item: {}, index: { type: "integer" } } : properties,
  };
}
