import { isOvenError, type Json } from "@oven/contract";
import { DEFAULT_MAX_TOOL_ITERATIONS, type Definition } from "@oven/contract/workflow";
import { TYPE_FROM } from "@oven/scope";
import { answerNotes } from "../border-schema/schema-notes.ts";
import { ExpressionSyntaxError } from "../expressions/expression-error.ts";
import { getOwn, isObject, setOwn } from "../expressions/json-access.ts";
import { compileValue } from "../expressions/value.ts";
import type { CatalogEntry, NodeCatalog } from "../ports.ts";
import { fixedValue } from "./fixed-value.ts";
import { checkSchema } from "./json-schema.ts";
import { suggest } from "./nearest.ts";
import type { Problems } from "./problems.ts";
import type { Listed } from "./state-list.ts";

/** The nodes exist, and what can be known of their inputs fits their schemas. */
export function checkNodes(
  definition: Definition,
  states: readonly Listed[],
  catalog: NodeCatalog,
  problems: Problems,
): void {
  for (const listed of states) {
    const { invoke } = listed.state;
    if (!invoke || listed.state.loop) continue;
    const at = [...listed.path, "invoke"];
    const entry = catalog.get(invoke.src, invoke.version);
    if (!entry) {
      if (catalog.get(invoke.src))
        problems.error(
          [...at, "version"],
          "unknown-node",
          `${invoke.src} has no version ${invoke.version}`,
          "Leave version out for the newest.",
        );
      else
        problems.error(
          [...at, "src"],
          "unknown-node",
          `There is no node ${invoke.src}`,
          suggest(invoke.src, catalog.names(), "Choose one of GET /api/node-types, or of find_node_types over MCP."),
        );
      continue;
    }
    if (invoke.retry && entry.effect === "at-most-once" && (invoke.retry.maxAttempts ?? 1) > 1) {
      problems.error(
        [...at, "retry"],
        "retry",
        `${entry.id} may act only once, so it is never tried again`,
        "Remove retry, or handle the failure in onError.",
      );
    }
    const { initialMs = 0, maxMs = Number.POSITIVE_INFINITY } = invoke.retry ?? {};
    if (initialMs > maxMs) {
      problems.warn(
        [...at, "retry", "initialMs"],
        "retry",
        `The first wait of ${initialMs} ms is longer than the longest of ${maxMs} ms, which counts`,
        "Raise maxMs, or lower initialMs.",
      );
    }
    if (invoke.timeoutMs !== undefined && entry.isWait === true) {
      problems.error(
        [...at, "timeoutMs"],
        "timeout",
        `${entry.id} only waits, and timeoutMs counts the time that a node works`,
        'Bound the wait with "after" on the state, such as {"2h": "late"}, or with the input of the node that is made for it.',
      );
    }
    checkSchemas(listed, entry, invoke.input ?? {}, problems);
    checkLiterals(listed, entry, invoke.input ?? {}, problems);
    checkInput(listed, entry, invoke.input ?? {}, problems);
    checkExpansion(
      listed,
      entry,
      invoke.input ?? {},
      definition.maxToolIterations ?? DEFAULT_MAX_TOOL_ITERATIONS,
      problems,
    );
  }
}

/** Inputs that are code, such as SQL: what a run computes may never become part of them. */
function checkLiterals(listed: Listed, entry: CatalogEntry, input: Record<string, Json>, problems: Problems): void {
  for (const key of entry.literals ?? []) {
    const value = input[key];
    if (value === undefined || isConstant(value)) continue;
    problems.error(
      [...listed.path, "invoke", "input", key],
      "literal",
      `${entry.id}: ${key} must be written out, without paths or templates`,
      "Hand values of the run over in the inputs that are made for them, such as params.",
    );
  }
}

/** Inputs that are JSON Schemas: those that a part of the output is said to be described by. */
function checkSchemas(listed: Listed, entry: CatalogEntry, input: Record<string, Json>, problems: Problems): void {
  for (const { name, isOfModel } of schemaInputs(entry)) {
    const value = getOwn(input, name);
    const schema = value === undefined ? undefined : fixedValue(value);
    if (!isObject(schema)) continue;
    const at = [...listed.path, "invoke", "input", name];
    checkSchema(schema, at, problems);
    // What cannot be used has no readers.
    if (isOfModel && !problems.hasErrors) for (const note of answerNotes(schema)) problems.addNote(at, note);
  }
}

function schemaInputs({ outputSchema }: CatalogEntry): { name: string; isOfModel: boolean }[] {
  const properties = outputSchema?.().properties;
  return Object.values(isObject(properties) ? properties : {}).flatMap((part) => {
    const from = isObject(part) ? part[TYPE_FROM] : undefined;
    return (Array.isArray(from) ? from : [from]).flatMap((way) =>
      isObject(way) && typeof way.schema === "string" ? [{ name: way.schema, isOfModel: way.by === "model" }] : [],
    );
  });
}

function isConstant(value: Json): boolean {
  try {
    return compileValue(value).constant;
  } catch (cause) {
    if (cause instanceof ExpressionSyntaxError) return true; // reported by the expression check
    throw cause;
  }
}

interface Issue {
  code?: string;
  path: readonly PropertyKey[];
  message: string;
  keys?: readonly string[];
  /** Of checks of the node's own; `fix` says what to do. `readsNames`: it reads which inputs there are, and no values. */
  params?: { fix?: unknown; readsNames?: unknown };
}

function checkInput(listed: Listed, entry: CatalogEntry, input: Record<string, Json>, problems: Problems): void {
  const unknown: PropertyKey[][] = [];
  let known: Json;
  try {
    known = toKnown(input, [], unknown);
  } catch (cause) {
    if (cause instanceof ExpressionSyntaxError) return; // reported by the expression check
    throw cause;
  }
  const parsed = entry.input.safeParse(known);
  if (parsed.success) return;
  const at = [...listed.path, "invoke", "input"];
  for (const issue of parsed.error.issues as readonly Issue[]) {
    const { path } = issue;
    if (unknown.some((open) => startsWith(path, open))) continue;
    const readsValues = issue.code !== "unrecognized_keys" && issue.params?.readsNames !== true;
    if (readsValues && unknown.some((open) => startsWith(open, path))) continue;
    if (issue.code === "invalid_type" && valueAt(known, path) === undefined) {
      const name = path.map(String).join(".");
      problems.error([...at, ...path], "input", `${entry.id}: ${name} is missing`, "Fill it in.");
      continue;
    }
    problems.error(
      [...at, ...path, ...(issue.keys?.length === 1 ? issue.keys : [])],
      "input",
      `${entry.id}: ${issue.message}`,
      typeof issue.params?.fix === "string" ? issue.params.fix : `See the inputs of ${entry.id} in its documentation.`,
    );
  }
}

/** The input with what only the run knows left as null, and where those places are. */
function toKnown(value: Json, path: PropertyKey[], unknown: PropertyKey[][]): Json {
  if (Array.isArray(value)) return value.map((item, index) => toKnown(item, [...path, index], unknown));
  if (isObject(value) && !Object.hasOwn(value, "$cel") && !Object.hasOwn(value, "$literal")) {
    const result: Record<string, Json> = {};
    for (const [key, child] of Object.entries(value)) setOwn(result, key, toKnown(child, [...path, key], unknown));
    return result;
  }
  if (isObject(value) && Object.hasOwn(value, "$literal")) return value.$literal ?? null;
  if (compileValue(value).constant) return value;
  unknown.push(path);
  return null;
}

function valueAt(value: Json, path: readonly PropertyKey[]): Json | undefined {
  return path.reduce<Json | undefined>((at, key) => {
    if (Array.isArray(at)) return at[Number(key)];
    return isObject(at) && Object.hasOwn(at, key) ? at[String(key)] : undefined;
  }, value);
}

function startsWith(path: readonly PropertyKey[], prefix: readonly PropertyKey[]): boolean {
  return prefix.length <= path.length && prefix.every((part, index) => part === path[index]);
}

function checkExpansion(
  listed: Listed,
  entry: CatalogEntry,
  input: Record<string, Json>,
  maxToolIterations: number,
  problems: Problems,
): void {
  try {
    entry.expand?.({ stateId: listed.id, input, maxToolIterations });
  } catch (cause) {
    if (!isOvenError(cause)) throw cause;
    problems.error(
      [...listed.path, "invoke", "input"],
      "input",
      `${entry.id}: ${cause.message}`,
      cause.fix ?? `See the inputs of ${entry.id}.`,
    );
  }
}
