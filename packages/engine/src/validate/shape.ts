import type { Json } from "@oven/contract";
import {
  ActionSchema,
  type Definition,
  DefinitionSchema,
  MAX_NESTING,
  MAX_STATES,
  OPERATORS,
} from "@oven/contract/workflow";
import { isObject, setOwn } from "../expressions/json-access.ts";
import { suggest } from "./nearest.ts";
import type { Problems } from "./problems.ts";

const MAX_DEFINITION_BYTES = 8 * 1024 * 1024;

/** Keys whose values are data, where `x-…` means nothing special. */
const DATA_KEYS: ReadonlySet<string> = new Set([
  "input",
  "context",
  "payloadSchema",
  "outputSchema",
  "output",
  "params",
  "collection",
  "meta",
]);

const KEYS = {
  definition:
    "id name description type initial states payloadSchema outputSchema context on entry maxToolIterations maxSteps timeoutMs maxTokens maxCostMicros agentConfig memoryConfig mcpExport mcp streamingEnabled meta",
  state:
    "type label description disabled initial states invoke loop always on after afterActive onDone onError undo entry exit output outcome history target meta",
  invoke: "src version input timeoutMs retry onDone onError",
  transition: "target guard actions reenter description meta",
  guard: "type params loose guards guard",
  params: "key operator value expression path add append keep event payload level message data",
  action: "type params guard",
  retry: "maxAttempts backoff initialMs maxMs",
  loop: "type collection condition itemVariable indexVariable maxIterations timeoutMs concurrency continueOnError onLimit bodyInitial bodyStates onDone onError",
  agentConfig: "model system temperature topP maxOutputTokens seed tools timeoutMs",
  memoryConfig: "enabled scope strategy topK store",
  mcp: "cancelOnAbort",
};

interface Issue {
  code?: string | undefined;
  path: readonly PropertyKey[];
  message: string;
  keys?: readonly string[] | undefined;
  errors?: readonly (readonly Issue[])[] | undefined;
}

/** The definition's shape by its schema, with the nearest known key for each unknown one; undefined when wrong. */
export function checkShape(json: unknown, problems: Problems): Definition | undefined {
  if (!isObject(json)) {
    problems.error([], "shape", "A definition is an object", 'Start with {"initial": "…", "states": {…}}.');
    return undefined;
  }
  const text = JSON.stringify(json);
  const bytes = text.length;
  if (bytes > MAX_DEFINITION_BYTES) {
    problems.error(
      [],
      "ceiling",
      `The definition has ${bytes} bytes; the limit is ${MAX_DEFINITION_BYTES}`,
      "Split it into several workflows.",
    );
    return undefined;
  }
  if (!checkCeilings(json, problems)) return undefined;
  const unsafe = text.includes(`"__proto__":`) ? unsafeKey(json, []) : undefined;
  if (unsafe !== undefined) {
    problems.error(
      unsafe,
      "reserved",
      "A key cannot be called __proto__, which JavaScript gives a meaning",
      "Rename it.",
    );
    return undefined;
  }
  const parsed = DefinitionSchema.safeParse(withoutExtensions(json));
  if (parsed.success) return parsed.data;
  for (const issue of parsed.error.issues) report(issue as Issue, [], json, problems); // cast: the members read here are zod's
  return undefined;
}

/** Where a key `__proto__` stands. */
function unsafeKey(value: Json, path: readonly PropertyKey[]): PropertyKey[] | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  for (const [key, child] of Object.entries(value)) {
    const at = [...path, Array.isArray(value) ? Number(key) : key];
    const found = key === "__proto__" ? at : unsafeKey(child, at);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Before any recursion over the whole. */
function checkCeilings(definition: Record<string, Json>, problems: Problems): boolean {
  let count = 0;
  let level: Json[] = [definition];
  for (let depth = 0; level.length > 0; depth += 1) {
    const children = level.flatMap((state) =>
      isObject(state) ? [state.states, isObject(state.loop) ? state.loop.bodyStates : undefined] : [],
    );
    level = children.flatMap((states) => (isObject(states) ? Object.values(states) : []));
    count += level.length;
    if (level.length > 0 && depth >= MAX_NESTING) {
      problems.error(
        ["states"],
        "ceiling",
        `States are nested deeper than ${MAX_NESTING}`,
        "Flatten the workflow, or call a sub-workflow.",
      );
      return false;
    }
  }
  if (count <= MAX_STATES) return true;
  problems.error(
    ["states"],
    "ceiling",
    `${count} states; the limit is ${MAX_STATES}`,
    "Split it into several workflows.",
  );
  return false;
}

/** `x-…` keys are kept by whoever stores the definition and mean nothing here. */
function withoutExtensions(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutExtensions);
  if (!isObject(value)) return value;
  const result: Record<string, Json> = {};
  for (const [key, child] of Object.entries(value)) {
    if (key.startsWith("x-")) continue;
    setOwn(result, key, DATA_KEYS.has(key) ? child : withoutExtensions(child));
  }
  return result;
}

function report(issue: Issue, base: readonly PropertyKey[], json: Json, problems: Problems): void {
  const path = [...base, ...issue.path];
  if (issue.code === "invalid_union" && issue.errors && issue.errors.length > 0) {
    for (const inner of bestBranch(issue.errors)) report(inner, path, json, problems);
    return;
  }
  if (issue.code === "unrecognized_keys") {
    const known = KEYS[kindOf(path)].split(" ");
    for (const key of issue.keys ?? []) {
      problems.error(
        [...path, key],
        "unknown-key",
        `${key} is not a key that is known here`,
        suggest(key, known, `Remove it, or keep it under meta or as x-${key}. Known: ${known.join(", ")}.`),
      );
    }
    return;
  }
  problems.error(path, "shape", `${issue.message} (found ${describe(valueAt(json, path))})`, fixFor(path));
}

/** Of a union's branches the one that got furthest: unknown keys say more than a wrong type. */
function bestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] {
  const score = (issues: readonly Issue[]): number =>
    Math.max(
      ...issues.map((issue) =>
        issue.code === "unrecognized_keys" ? 100 : issue.path.length * 10 + (issue.code === "invalid_union" ? 5 : 0),
      ),
    );
  return [...branches].sort((one, other) => score(other) - score(one))[0] ?? [];
}

function kindOf(path: readonly PropertyKey[]): keyof typeof KEYS {
  const names = path.filter((part) => typeof part !== "number").map(String);
  const last = names.at(-1);
  const previous = names.at(-2);
  if (last === undefined) return "definition";
  if (previous === "states" || previous === "bodyStates") return "state";
  if (previous === "on" || previous === "after" || last === "onDone" || last === "onError" || last === "always")
    return "transition";
  if (last === "guard" || last === "guards" || last === "condition") return "guard";
  if (last === "actions" || last === "entry" || last === "exit") return "action";
  if (
    last === "invoke" ||
    last === "retry" ||
    last === "loop" ||
    last === "params" ||
    last === "agentConfig" ||
    last === "memoryConfig" ||
    last === "mcp"
  )
    return last;
  return "state";
}

function fixFor(path: readonly PropertyKey[]): string {
  const last = String(path.at(-1) ?? "");
  if (last === "operator") return `Use one of ${OPERATORS.join(" ")}.`;
  if (last === "type" && kindOf(path.slice(0, -1)) === "action")
    return `Use one of ${ActionSchema.options.map((option) => option.shape.type.value).join(", ")}.`;
  if (last === "guards") return "Give at least one guard.";
  return "The guide to definitions has the format: docs/guides/definition-format.md, or the tool definition_guide.";
}

function valueAt(json: Json, path: readonly PropertyKey[]): Json | undefined {
  let value: Json | undefined = json;
  for (const part of path) {
    if (Array.isArray(value)) value = value[Number(part)];
    else value = isObject(value) && Object.hasOwn(value, String(part)) ? value[String(part)] : undefined;
  }
  return value;
}

function describe(value: Json | undefined): string {
  if (value === undefined) return "nothing";
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}
