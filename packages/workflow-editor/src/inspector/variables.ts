import { getOwn, isObject, type Json, type JsonObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { t } from "@oven/i18n";
import {
  type After,
  CONFIG,
  choicesAt,
  getAt,
  type Origin,
  OutputTypes,
  type ScopeOptions,
  type StatePlace,
  scopeAt,
  type TypeSource,
} from "@oven/scope";

/** Something that an expression of a state can read. */
export interface Variable {
  /** As it is written: `$.review_output.action`. */
  path: string;
  /** Its keys, to find its value. */
  keys: readonly string[];
  group: string;
  /** The type from its JSON Schema, or from its value; null: unknown. */
  type: string | null;
  description: string | null;
  /** There whenever the state is entered; else it takes a `default` to be safe. */
  always: boolean;
}

const MAX_DEPTH = 4;

export type { After };

export interface VariableOptions extends ScopeOptions, Pick<TypeSource, "calledOutput" | "sampleOf"> {}

function typesOf(
  document: JsonObject,
  nodeTypes: readonly NodeType[] | undefined,
  { calledOutput, sampleOf }: Pick<VariableOptions, "calledOutput" | "sampleOf">,
): OutputTypes {
  return new OutputTypes(document, {
    outputOf: (src) => nodeTypes?.find(({ id }) => id === src)?.outputSchema,
    ...(calledOutput === undefined ? {} : { calledOutput }),
    ...(sampleOf === undefined ? {} : { sampleOf }),
  });
}

/** The values that a path can have at a place of a definition; empty: any, or nothing is known. */
export function valuesOfPath(
  path: string,
  document: JsonObject,
  stateId: string | null,
  nodeTypes: readonly NodeType[] | undefined,
  options: VariableOptions = {},
): Json[] {
  const { calledOutput: _called, sampleOf: _sample, ...scope } = options;
  return choicesAt(path, { document, stateId, types: typesOf(document, nodeTypes, options), ...scope });
}

/** Everything in scope at a place of a definition, and what is in it, one entry for each path. */
export function variablesAt(
  document: JsonObject,
  stateId: string | null,
  nodeTypes: readonly NodeType[] | undefined,
  { calledOutput, sampleOf, ...options }: VariableOptions = {},
): Variable[] {
  const types = typesOf(document, nodeTypes, {
    ...(calledOutput === undefined ? {} : { calledOutput }),
    ...(sampleOf === undefined ? {} : { sampleOf }),
  });
  const list: Variable[] = [];
  const add = (group: string, keys: readonly string[], schema: Json | undefined, always: boolean): void => {
    const described = isObject(schema) ? schema : {};
    const { type, description } = described;
    list.push({
      path: toPathText(keys),
      keys,
      group,
      type: Array.isArray(type) ? type.join(" or ") : typeof type === "string" ? type : null,
      description: typeof description === "string" ? description : (getOwn(DESCRIPTIONS(), keys.join(".")) ?? null),
      always,
    });
    if (keys.length >= MAX_DEPTH || !isObject(described.properties)) return;
    const required = Array.isArray(described.required) ? described.required : [];
    for (const [name, property] of Object.entries(described.properties))
      add(group, [...keys, name], property, always && required.includes(name));
  };
  for (const { keys, origin, schema, always } of scopeAt(document, stateId, types, options))
    add(toGroup(origin), keys, schema, always);
  return list;
}

/** What conversations keep, in words. */
const DESCRIPTIONS = (): Readonly<Record<string, string>> => ({
  messages: t("What was said so far, newest last"),
  toolCalls: t("Calls that the newest answer of a model asks for"),
  toolResults: t("What they answered"),
});

function toGroup(origin: Origin): string {
  switch (origin.kind) {
    case "payload":
      return "Payload";
    case "variable":
      return "Variables";
    case "run":
      return "Run";
    case "conversation":
      return "Conversation";
    case "configuration":
      return "Configuration";
    case "event":
      return t("Just received");
    case "loop":
      return t("Loop {{id}}", { id: origin.state.id });
    case "output":
      return origin.fresh ? t("Just produced") : labelOf(origin.state);
    case "error":
      return origin.fresh ? t("Just failed") : t("Error of {{label}}", { label: labelOf(origin.state) });
  }
}

function labelOf({ id, state }: StatePlace): string {
  return typeof state.label === "string" && state.label !== "" ? state.label : id;
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
export function toCelText(keys: readonly (string | number)[]): string | null {
  const [root = "", ...rest] = keys;
  if (root === CONFIG) return null;
  const isRoot = typeof root === "string" && CEL_ROOTS.has(root);
  return (isRoot ? rest : keys).reduce<string>(
    (path, key) =>
      typeof key === "string" && /^[A-Za-z_]\w*$/.test(key) ? `${path}.${key}` : `${path}[${JSON.stringify(key)}]`,
    isRoot ? root : "ctx",
  );
}

/** The value a variable had in a run; undefined: none. */
export function valueIn(run: { input: Json; context: Json }, { keys }: Pick<Variable, "keys">): Json | undefined {
  const [root, ...rest] = keys;
  return root === "trigger" ? getAt(run.input, rest) : getAt(run.context, keys);
}
