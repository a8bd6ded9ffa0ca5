import type { Json, JsonObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { t } from "@oven/i18n";
import { isObject } from "@oven/ui/components/is-object.ts";
import { getAt } from "../document/address.ts";
import { variablesOf } from "../document/references.ts";
import { findState, type StatePlace } from "../document/states.ts";
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

/** What a transition follows: what it hands on is in scope of its condition. */
export type After = "done" | "error" | "event";

export interface ScopeOptions {
  /** Where a condition of the state itself stands; left out, where the state is entered. */
  after?: After | null;
  /** Keys of the configuration with what they are. */
  config?: readonly { key: string; schema: JsonObject }[];
}

/** Everything in scope where a state is entered (null: where the run begins), and nothing else: payload, variables, results before it, loops around it, the run. */
export function variablesAt(
  document: JsonObject,
  stateId: string | null,
  nodeTypes: readonly NodeType[] | undefined,
  { after = null, config = [] }: ScopeOptions = {},
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
  const outputOf = ({ state }: StatePlace): Json | undefined =>
    isObject(state.loop) ? LOOP : nodeTypes?.find((type) => type.id === getAt(state, ["invoke", "src"]))?.outputSchema;
  const here = stateId === null ? undefined : findState(document, stateId);
  if (here !== undefined && after === "done") {
    add(t("Just produced"), ["output"], outputOf(here), true);
    add(t("Just produced"), [`${here.id}_output`], outputOf(here), true);
  }
  if (here !== undefined && after === "error") add(t("Just failed"), [`${here.id}_error`], ERROR, true);
  if (after === "event") add(t("Just received"), ["event"], EVENT, true);
  add("Payload", ["trigger"], document.payloadSchema ?? {}, true);
  const context = isObject(document.context) ? document.context : {};
  for (const name of variablesOf(document))
    add("Variables", [name], Object.hasOwn(context, name) ? schemaOf(context[name]) : {}, Object.hasOwn(context, name));
  for (const { id, what, always } of stateId === null ? [] : tracesBefore(document, stateId)) {
    const place = findState(document, id);
    if (place === undefined) continue;
    // Just produced, it is there for sure.
    if (id === stateId && (after === "done" ? what === "output" : after === "error" && what === "error")) continue;
    const label = typeof place.state.label === "string" && place.state.label !== "" ? place.state.label : id;
    if (what === "error") add(t("Error of {{label}}", { label }), [`${id}_error`], ERROR, always);
    else add(label, [`${id}_output`], outputOf(place), always);
  }
  for (let at = here?.loop; at !== undefined; at = at.loop) {
    const loop = isObject(at.state.loop) ? at.state.loop : {};
    const group = t("Loop {{id}}", { id: at.id });
    if (loop.type !== "while")
      add(group, [typeof loop.itemVariable === "string" ? loop.itemVariable : "item"], {}, true);
    add(group, [typeof loop.indexVariable === "string" ? loop.indexVariable : "index"], { type: "integer" }, true);
  }
  for (const name of ["id", "kind", "workflowId", "startedAt"]) add("Run", ["execution", name], RUN[name], true);
  for (const [name, schema] of Object.entries(CONVERSATION)) add("Conversation", [name], schema, true);
  for (const { key, schema } of config) add("Configuration", [CONFIG, key], schema, true);
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
const EVENT: JsonObject = {
  type: "object",
  properties: { name: { type: "string" }, payload: {}, correlation: { type: "string" } },
  required: ["name", "payload"],
};
const CONVERSATION: Readonly<Record<string, JsonObject>> = {
  messages: { type: "array", description: t("What was said so far, newest last") },
  toolCalls: { type: "array", description: t("Calls that the newest answer of a model asks for") },
  toolResults: { type: "array", description: t("What they answered") },
};
/** The first key of `$config.KEY`, as the engine has it. */
const CONFIG = "$config";
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

const NAME = /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/;

function toPathText(keys: readonly string[]): string {
  const [root, ...rest] = keys;
  const start = root === CONFIG ? CONFIG : "$";
  return (root === CONFIG ? rest : keys).reduce(
    (path, key) => (NAME.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`),
    start,
  );
}

/** What stands beside `ctx`, not in it. */
const CEL_ROOTS: ReadonlySet<string> = new Set(["trigger", "item", "index", "parent", "execution", "output", "event"]);

/** How a variable is written in CEL; null: it cannot be read there. */
export function toCelText(keys: readonly string[]): string | null {
  const [root = "", ...rest] = keys;
  if (root === CONFIG) return null;
  const isRoot = CEL_ROOTS.has(root);
  return (isRoot ? rest : keys).reduce(
    (path, key) => (/^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`),
    isRoot ? root : "ctx",
  );
}

/** The value a variable had in a run; undefined: none. */
export function valueIn(run: { input: Json; context: Json }, { keys }: Pick<Variable, "keys">): Json | undefined {
  const [root, ...rest] = keys;
  return root === "trigger" ? getAt(run.input, rest) : getAt(run.context, keys);
}
