import { type Json, UNSAFE_NAMES } from "@oven/contract";
import type { Action, Definition, Guard, Operator } from "@oven/contract/workflow";
import { readPath } from "@oven/scope";
import { compileAction } from "../compile/action.ts";
import { celType } from "../expressions/cel.ts";
import { readsOfCel } from "../expressions/cel-reads.ts";
import { ExpressionSyntaxError } from "../expressions/expression-error.ts";
import { compileGuard } from "../expressions/guard.ts";
import { isObject } from "../expressions/json-access.ts";
import { type Path, parsePath } from "../expressions/path.ts";
import { pathsIn } from "../expressions/paths-in.ts";
import { compileValue } from "../expressions/value.ts";
import { fixedValue } from "./fixed-value.ts";
import { suggest } from "./nearest.ts";
import type { PathPart, Problems } from "./problems.ts";
import { type Listed, type ListedTransitions, listRootTransitions, listTransitions } from "./state-list.ts";

/** Every path, template, guard and CEL text of the definition. */
export function checkExpressions(definition: Definition, states: readonly Listed[], problems: Problems): void {
  const known = new KnownRoots(definition, states);
  const value = (json: Json, path: PathPart[]): void => {
    attempt(path, problems, () => compileValue(json));
    checkPaths(json, path, known, problems);
  };
  const guard = (given: Guard | undefined, path: PathPart[]): void => {
    if (!given) return;
    attempt(path, problems, () => compileGuard(given));
    checkGuardPaths(given, path, known, problems);
  };
  const transitionsOf = (lists: readonly ListedTransitions[]): void => {
    for (const { transition, path } of lists.flatMap(({ transitions }) => transitions)) {
      guard(transition.guard, [...path, "guard"]);
      actions(transition.actions, [...path, "actions"]);
    }
  };
  const actions = (list: readonly Action[] | undefined, path: PathPart[]): void =>
    (list ?? []).forEach((action, index) => {
      const at = [...path, index];
      attempt(at, problems, () => compileAction(action));
      if (action.type === "assign") {
        checkAssigned(action.params.path, [...at, "params", "path"], problems);
        checkAdded(action.params.add, [...at, "params", "add"], problems);
      }
      guard(action.guard, [...at, "guard"]);
      for (const key of ["value", "add", "append", "payload", "message", "data"] as const) {
        const given = (action.params as Record<string, Json | undefined>)[key]; // cast: each is absent or a value
        if (given !== undefined) checkPaths(given, [...at, "params", key], known, problems);
      }
    });

  actions(definition.entry, ["entry"]);
  transitionsOf(listRootTransitions(definition));
  for (const listed of states) {
    const { state, path } = listed;
    known.standIn(listed);
    if (state.loop?.collection !== undefined) value(state.loop.collection, [...path, "loop", "collection"]);
    actions(state.entry, [...path, "entry"]);
    actions(state.exit, [...path, "exit"]);
    if (state.output !== undefined) value(state.output, [...path, "output"]);
    for (const [key, given] of Object.entries(state.invoke?.input ?? {}))
      value(given, [...path, "invoke", "input", key]);
    transitionsOf(listTransitions(listed));
    known.standIn(listed, true);
    guard(state.loop?.condition, [...path, "loop", "condition"]);
  }
}

function attempt(path: PathPart[], problems: Problems, compile: () => unknown): void {
  try {
    compile();
  } catch (cause) {
    if (!(cause instanceof ExpressionSyntaxError)) throw cause;
    problems.error(path, cause.rule, cause.message, cause.fix);
  }
}

type Report = Problems["error"];

/** What can be said about a path before the run: results of states that do not exist, payload keys that cannot be. */
class KnownRoots {
  readonly #states: ReadonlySet<string>;
  readonly #variables: Set<string>;
  /** The loop variables that exist where the checker stands. */
  #here: ReadonlySet<string> = new Set();
  readonly #payload: { keys: string[]; closed: boolean } | undefined;

  constructor(definition: Definition, states: readonly Listed[]) {
    this.#states = new Set(states.map(({ id }) => id));
    this.#variables = new Set(Object.keys(definition.context ?? {}));
    const schema = definition.payloadSchema;
    if (schema && isObject(schema.properties)) {
      this.#payload = { keys: Object.keys(schema.properties), closed: schema.additionalProperties === false };
    }
  }

  /** `inOwnLoop`: where a loop's condition is asked, which knows the index to come. */
  standIn(listed: Listed, inOwnLoop = false): void {
    const here = new Set<string>(inOwnLoop ? ["index"] : []);
    for (let { loop } = listed; loop; loop = loop.loop) {
      here.add("index");
      if (loop.state.loop?.type === "forEach") here.add("item");
    }
    this.#here = here;
  }

  check(text: string, at: PathPart[], problems: Problems): void {
    this.#checkPath(parsePath(text), at, problems, problems.error.bind(problems));
  }

  /** Warnings only: `has(…)` asks whether a value is there, and is false for a step that does not exist. */
  checkCel(expression: string, at: PathPart[], problems: Problems): void {
    const warn: Report = (place, rule, message, fix) => problems.warn(place, rule, message, fix);
    for (const { keys, text } of readsOfCel(expression).reads) {
      const path: Path = { source: text, config: false, segments: keys, pipes: [{ name: "default", value: null }] };
      this.#checkPath(path, at, problems, warn);
    }
  }

  #checkPath({ config, segments, pipes }: Path, at: PathPart[], problems: Problems, refuse: Report): void {
    for (const pipe of pipes) if ("path" in pipe) this.#checkPath(pipe.path, at, problems, refuse);
    const [root, key] = segments;
    if (config || typeof root !== "string") return;
    if (root === "parent") {
      if (pipes.some(({ name }) => name === "default")) return;
      const fix = "Add | default(…) if it may also be started by itself.";
      problems.warn(at, "unknown-path", "$.parent exists only while another workflow calls this one", fix);
      return;
    }
    if ((root === "item" || root === "index") && !this.#here.has(root)) {
      const where = { item: "in the body of a forEach loop", index: "in the body of a loop" };
      refuse(at, "unknown-path", `$.${root} exists only ${where[root]}`, "Read $.trigger or a step's output.");
      return;
    }
    if (root === "trigger") {
      if (!this.#payload || typeof key !== "string" || this.#payload.keys.includes(key)) return;
      const message = `$.trigger.${key} is not in the payloadSchema`;
      const fix = suggest(key, this.#payload.keys, "Add it to payloadSchema.properties.");
      if (this.#payload.closed) refuse(at, "unknown-path", message, fix);
      else problems.warn(at, "unknown-path", message, fix);
      return;
    }
    const owner = /^(.*)_(output|error)$/.exec(root);
    if (!owner?.[1] || this.#variables.has(root) || root.includes(".") || this.#states.has(owner[1])) return;
    const names = [...this.#states].map((id) => `$.${id}_${owner[2]}`);
    refuse(
      at,
      "unknown-path",
      `$.${root}: there is no state ${owner[1]}`,
      suggest(`$.${root}`, names, "Name an existing state."),
    );
  }
}

function checkPaths(json: Json, at: PathPart[], known: KnownRoots, problems: Problems): void {
  if (typeof json === "string") {
    for (const text of pathsIn(json)) checkOne(text, at, known, problems);
  } else if (Array.isArray(json)) {
    for (const [index, item] of json.entries()) checkPaths(item, [...at, index], known, problems);
  } else if (isObject(json) && Object.hasOwn(json, "$cel")) {
    if (typeof json.$cel === "string") known.checkCel(json.$cel, [...at, "$cel"], problems);
  } else if (isObject(json) && !Object.hasOwn(json, "$literal")) {
    for (const [key, child] of Object.entries(json)) checkPaths(child, [...at, key], known, problems);
  }
}

function checkGuardPaths(guard: Guard, at: PathPart[], known: KnownRoots, problems: Problems): void {
  if (guard.type === "condition") {
    const { key, operator, value } = guard.params;
    checkOne(key, [...at, "params", "key"], known, problems);
    if (value === undefined) return;
    checkPaths(value, [...at, "params", "value"], known, problems);
    checkOperand(operator, value, [...at, "params", "value"], problems);
  } else if (guard.type === "cel") {
    const place = [...at, "params", "expression"];
    known.checkCel(guard.params.expression, place, problems);
    const type = celType(guard.params.expression);
    if (type !== undefined && type !== "bool" && type !== "dyn")
      problems.error(
        place,
        "guard",
        `A condition is true or false, and this is always of the type ${type}`,
        "Compare it with something: size(ctx.items) > 0.",
      );
  } else if (guard.type === "not") checkGuardPaths(guard.guard, [...at, "guard"], known, problems);
  else {
    for (const [index, inner] of guard.guards.entries())
      checkGuardPaths(inner, [...at, "guards", index], known, problems);
  }
}

/** Names that JavaScript gives a meaning: what is written there could not be read everywhere. */
function checkAssigned(text: string, at: PathPart[], problems: Problems): void {
  const unsafe = readPath(text)?.keys.find((key) => typeof key === "string" && UNSAFE_NAMES.has(key));
  if (unsafe !== undefined)
    problems.error(
      at,
      "assign",
      `${text}: ${unsafe} cannot be the name of a variable or of a key in one`,
      "Choose another name.",
    );
}

/** Only numbers are added; lists grow by `append`. */
function checkAdded(value: Json | undefined, at: PathPart[], problems: Problems): void {
  const fixed = value === undefined ? undefined : fixedValue(value);
  if (fixed !== undefined && typeof fixed !== "number")
    problems.error(
      at,
      "assign",
      `add takes a number, not ${JSON.stringify(fixed)}`,
      "Join texts with value and a template; add to a list with append.",
    );
}

/** A fixed value that the operator can take of no run: the condition would always be false. */
function checkOperand(operator: Operator, value: Json, at: PathPart[], problems: Problems): void {
  const fixed = fixedValue(value);
  if (fixed === undefined) return;
  const refuse = (takes: string, fix: string): void =>
    problems.error(at, "guard", `The operator ${operator} takes ${takes}, not ${JSON.stringify(fixed)}`, fix);
  switch (operator) {
    case "in":
      if (!Array.isArray(fixed))
        refuse("a list", `Write the values that are accepted as a list: ${JSON.stringify([fixed])}.`);
      return;
    case "matches":
      if (typeof fixed !== "string") refuse("a pattern", "Write a regular expression as text.");
      return;
    case "<":
    case "<=":
    case ">":
    case ">=":
      if (fixed === null || typeof fixed === "object")
        refuse("a number or a text", "Compare it with a number or a text.");
  }
}

/** Syntax errors are reported where the whole value is compiled. */
function checkOne(text: string, at: PathPart[], known: KnownRoots, problems: Problems): void {
  try {
    known.check(text, at, problems);
  } catch (cause) {
    if (!(cause instanceof ExpressionSyntaxError)) throw cause;
  }
}
