import type { Json, JsonObject } from "@oven/contract";
import { compress } from "./compress.ts";
import { missingValue } from "./expression-error.ts";
import { getChild, getOwn, isObject, setOwn } from "./json-access.ts";
import { CONFIG_ROOT, type Path, parsePath } from "./path.ts";

/** The accumulated context: variables and node outputs by key, and who wrote each bare key last. */
export interface RunContext {
  readonly values: JsonObject;
  /** Key → `""` (a variable), `"$trigger"`, or the id of the node whose output has it. */
  readonly writers: ReadonlyMap<string, string>;
}

export const VARIABLE = "";
export const TRIGGER = "$trigger";

/** Everything an expression may read. */
export interface Scope {
  readonly context: RunContext;
  readonly trigger: Json;
  readonly execution: JsonObject;
  /** Values on top of the context for one evaluation: `output` of a finished node, `<id>_error`. */
  readonly overlay?: ReadonlyMap<string, Json>;
  /** The parent's context when this child run began. */
  readonly parent?: Json;
  /** Configuration values of the run's tenant and workflow, for the keys that `configKeysOf` names. */
  readonly config?: (key: string) => Json | undefined;
}

/** Roots that no step can write. */
export const READ_ONLY_ROOTS: ReadonlySet<string> = new Set([
  "trigger",
  "item",
  "index",
  "parent",
  "execution",
  CONFIG_ROOT,
]);

/**
 * The value of a root key: the read-only roots, a variable, a state's output by its id, else the latest writer's.
 */
export function resolveRoot(scope: Scope, key: string): Json | undefined {
  const overlaid = scope.overlay?.get(key);
  if (overlaid !== undefined) return overlaid;
  if (key === "trigger") return scope.trigger;
  if (key === "execution") return scope.execution;
  if (key === "parent") return scope.parent;
  const { values, writers } = scope.context;
  const writer = writers.get(key);
  if (writer === VARIABLE) return getOwn(values, key);
  const output = getOwn(values, `${key}_output`);
  if (output !== undefined) return output;
  if (writer === TRIGGER) return isObject(scope.trigger) ? getOwn(scope.trigger, key) : undefined;
  if (writer !== undefined) return getChild(getOwn(values, `${writer}_output`), key);
  return getOwn(values, key);
}

export function resolvePath(scope: Scope, path: Path): Json | undefined {
  let value = resolveStart(scope, path);
  for (const segment of path.segments.slice(path.config ? 2 : 1)) value = getChild(value, segment);
  for (const pipe of path.pipes) {
    if (value === undefined) {
      if (pipe.name === "default") value = "path" in pipe ? resolvePath(scope, pipe.path) : pipe.value;
    } else if (pipe.name === "json") value = JSON.stringify(value);
    else if (pipe.name === "compressed") value = compress(value, path.source);
  }
  return value;
}

function resolveStart(scope: Scope, { config, segments }: Path): Json | undefined {
  if (config) return scope.config?.(String(segments[1]));
  const [root] = segments;
  return root === undefined ? scope.context.values : resolveRoot(scope, String(root));
}

/** @throws OvenError MISSING_VALUE */
export function requirePath(scope: Scope, path: Path): Json {
  const value = resolvePath(scope, path);
  if (value === undefined) throw missingValue(path.source);
  return value;
}

/** Reads a path given as text; undefined when missing. */
export function readPath(scope: Scope, text: string): Json | undefined {
  return resolvePath(scope, parsePath(text));
}

/** The context as CEL's `ctx`: every bare key, every variable and output, every state's shorthand. Shallow. */
export function toVariables(scope: Scope): JsonObject {
  const { values, writers } = scope.context;
  const keys = new Set([...Object.keys(values), ...writers.keys(), ...(scope.overlay?.keys() ?? [])]);
  for (const key of Object.keys(values)) if (key.endsWith("_output")) keys.add(key.slice(0, -"_output".length));
  const variables: JsonObject = {};
  for (const key of keys) {
    const value = resolveRoot(scope, key);
    if (value !== undefined) setOwn(variables, key, value);
  }
  return variables;
}
