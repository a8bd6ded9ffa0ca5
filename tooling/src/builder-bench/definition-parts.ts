import type { Json, JsonObject } from "../../../packages/contract/src/index.ts";

/*
 * Parts of definitions, in short: what a task means is easier to see where the format does not take most of the place.
 */

type Target = string | JsonObject | (string | JsonObject)[];

/** A state that runs a node. */
export function step(src: string, input: JsonObject, onDone: Target, more: JsonObject = {}): JsonObject {
  return { invoke: { src, input, onDone, ...more } };
}

export function http(method: string, url: string, onDone: Target, more: JsonObject = {}, invoke: JsonObject = {}) {
  return step("core.http", { method, url, ...more }, onDone, invoke);
}

/** A model that answers with fields: a list is an enum, anything else a type. */
export function ask(
  prompt: string,
  fields: Record<string, string | string[]>,
  onDone: Target,
  invoke: JsonObject = {},
) {
  return step("agent.llm", { prompt, outputSchema: takes(fields) }, onDone, invoke);
}

export function review(show: Json, onDone: Target, more: JsonObject = {}, invoke: JsonObject = {}) {
  return step("agent.humanReview", { show, ...more }, onDone, invoke);
}

/** What an approval leads to, and what a rejection. */
export function approved(target: string, otherwise: string): (string | JsonObject)[] {
  return [when("$.output.action", "!=", "reject", target), { target: otherwise }];
}

export function when(key: string, operator: string, value: Json, target: string): JsonObject {
  return { target, guard: { type: "condition", params: { key, operator, value } } };
}

export function whenCel(expression: string, target: string): JsonObject {
  return { target, guard: { type: "cel", params: { expression } } };
}

export function junction(...always: (string | JsonObject)[]): JsonObject {
  return { always: always.map((one) => (typeof one === "string" ? { target: one } : one)) };
}

export function end(output?: Json, outcome?: string): JsonObject {
  return {
    type: "final",
    ...(output === undefined ? {} : { output }),
    ...(outcome === undefined ? {} : { outcome }),
  };
}

export function cel(expression: string): JsonObject {
  return { $cel: expression };
}

export function transform(mapping: JsonObject, onDone: Target): JsonObject {
  return step("core.transform", { mapping }, onDone);
}

export function code(source: string, inputs: JsonObject, onDone: Target, invoke: JsonObject = {}): JsonObject {
  return step("core.code", { code: source, inputs }, onDone, invoke);
}

export function forEach(
  collection: Json,
  bodyInitial: string,
  bodyStates: Record<string, JsonObject>,
  onDone: Target,
  more: JsonObject = {},
): JsonObject {
  return { loop: { type: "forEach", collection, bodyInitial, bodyStates, onDone, ...more } };
}

/** Regions that run side by side, each from its first state to its last. */
export function parallel(states: Record<string, JsonObject>, onDone: Target, more: JsonObject = {}): JsonObject {
  return { type: "parallel", states, onDone, ...more };
}

export function region(states: Record<string, JsonObject>): JsonObject {
  const [initial] = Object.keys(states);
  return { initial: initial ?? "", states };
}

/** JSON Schema of an object; a name that ends in `?` is optional, a list is an enum, `text[]` a list. */
export function takes(fields: Record<string, string | string[] | JsonObject>): JsonObject {
  const required: string[] = [];
  const properties: JsonObject = {};
  for (const [key, type] of Object.entries(fields)) {
    const name = key.replace(/\?$/, "");
    if (name === key) required.push(name);
    properties[name] = toSchema(type);
  }
  return { type: "object", properties, required };
}

function toSchema(type: string | string[] | JsonObject): JsonObject {
  if (Array.isArray(type)) return { enum: type };
  if (typeof type !== "string") return type;
  if (type.endsWith("[]")) return { type: "array", items: toSchema(type.slice(0, -2)) };
  return { type };
}

export function listOf(fields: Record<string, string | string[] | JsonObject>): JsonObject {
  return { type: "array", items: takes(fields) };
}

/** A definition that begins at its first state. */
export function flow(payloadSchema: JsonObject, states: Record<string, JsonObject>, more: JsonObject = {}): JsonObject {
  const [initial] = Object.keys(states);
  return { initial: initial ?? "", payloadSchema, ...more, states };
}

/** A copy with something else at a path, such as `["states", "call", "invoke", "input"]`; undefined takes it away. */
export function changed(definition: JsonObject, path: readonly string[], value: Json | undefined): JsonObject {
  const copy = structuredClone(definition);
  const [last, ...way] = path.toReversed();
  let at: JsonObject = copy;
  for (const key of way.toReversed()) at = at[key] as JsonObject; // cast: the path is written for this definition
  if (last === undefined) throw new Error("A change needs a path");
  if (value === undefined) delete at[last];
  else at[last] = value;
  return copy;
}
