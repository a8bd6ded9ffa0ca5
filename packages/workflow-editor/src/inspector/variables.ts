import type { Json, JsonObject, NodeType } from "@oven/contract";
import { getAt, isObject } from "../document/address.ts";
import { variablesOf } from "../document/references.ts";
import { findState, isLoop } from "../document/states.ts";
import { tracesBefore } from "./before.ts";

/** Something that an expression of a state can read. */
export interface Variable {
  /** As it is written: `$.review_output.action`. */
  path: string;
  /** Its keys, to find its value. */
  keys: readonly string[];
  group: string;
  /** Of its JSON Schema, or of its value; null: not known. */
  type: string | null;
  description: string | null;
  /** There whenever the state is entered; else it takes a `default` to be safe. */
  always: boolean;
}

const MAX_DEPTH = 4;

/** Everything in scope where a state is entered (null: where the run begins), and nothing else: payload, variables, results before it, loops around it, the run. */
export function variablesAt(
  document: JsonObject,
  stateId: string | null,
  nodeTypes: readonly NodeType[] | undefined,
): Variable[] {
  const list: Variable[] = [];
  const add = (group: string, keys: readonly string[], schema: Json | undefined, always: boolean): void => {
    const described = isObject(schema) ? schema : {};
    const { type, description } = described;
    list.push({
      path: toPathText(keys),
      keys,
      group,
      type: Array.isArray(type) ? type.join(" or ") : typeof type === "string" ? type : null,
      description: typeof description === "string" ? description : null,
      always,
    });
    if (keys.length >= MAX_DEPTH || !isObject(described.properties)) return;
    const required = Array.isArray(described.required) ? described.required : [];
    for (const [name, property] of Object.entries(described.properties))
      add(group, [...keys, name], property, always && required.includes(name));
  };
  add("Payload", ["trigger"], document.payloadSchema ?? {}, true);
  const context = isObject(document.context) ? document.context : {};
  for (const name of variablesOf(document))
    add("Variables", [name], Object.hasOwn(context, name) ? schemaOf(context[name]) : {}, Object.hasOwn(context, name));
  for (const { id, what, always } of stateId === null ? [] : tracesBefore(document, stateId)) {
    const place = findState(document, id);
    if (place === undefined) continue;
    const label = typeof place.state.label === "string" && place.state.label !== "" ? place.state.label : id;
    if (what === "error") add(`Error of ${label}`, [`${id}_error`], ERROR, always);
    else {
      const src = getAt(place.state, ["invoke", "src"]);
      const schema = isLoop(place) ? LOOP : nodeTypes?.find((type) => type.id === src)?.outputSchema;
      add(label, [`${id}_output`], schema, always);
    }
  }
  for (let at = (stateId === null ? undefined : findState(document, stateId))?.loop; at !== undefined; at = at.loop) {
    const loop = isObject(at.state.loop) ? at.state.loop : {};
    const group = `Loop ${at.id}`;
    if (loop.type !== "while")
      add(group, [typeof loop.itemVariable === "string" ? loop.itemVariable : "item"], {}, true);
    add(group, [typeof loop.indexVariable === "string" ? loop.indexVariable : "index"], { type: "integer" }, true);
  }
  for (const name of ["id", "kind", "workflowId", "startedAt"]) add("Run", ["execution", name], RUN[name], true);
  return list;
}

const ERROR: JsonObject = {
  type: "object",
  properties: { code: { type: "string" }, message: { type: "string" } },
  required: ["code", "message"],
};
const LOOP: JsonObject = {
  type: "object",
  properties: {
    items: { type: "array" },
    count: { type: "integer" },
    failed: { type: "integer" },
    truncated: { type: "boolean" },
  },
  required: ["items", "count", "failed", "truncated"],
};
const RUN: JsonObject = {
  id: { type: "integer" },
  kind: { type: "string" },
  workflowId: { type: "integer" },
  startedAt: { type: "string" },
};

function schemaOf(value: Json | undefined): JsonObject {
  if (value === undefined || value === null) return {};
  if (Array.isArray(value)) return { type: "array" };
  if (!isObject(value)) return { type: typeof value };
  return {
    type: "object",
    properties: Object.fromEntries(Object.entries(value).map(([key, child]) => [key, schemaOf(child)])),
    required: Object.keys(value),
  };
}

function toPathText(keys: readonly string[]): string {
  return keys.reduce(
    (path, key) => (/^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`),
    "$",
  );
}

/** How a variable is written in CEL. */
export function toCelText(keys: readonly string[]): string {
  return keys.reduce(
    (path, key) => (/^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`),
    "ctx",
  );
}

/** The value a variable had in a run; undefined: none. */
export function valueIn(run: { input: Json; context: Json }, { keys }: Variable): Json | undefined {
  const [root, ...rest] = keys;
  return root === "trigger" ? getAt(run.input, rest) : getAt(run.context, keys);
}
