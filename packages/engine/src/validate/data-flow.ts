import type { Json, JsonObject } from "@oven/contract";
import type { Action, Definition, Guard, Operator } from "@oven/contract/workflow";
import {
  type Followed,
  findState,
  followPath,
  isOneAlwaysThere,
  type Moments,
  OutputTypes,
  pointlessComparison,
  presenceOf,
  type ReadPath,
  readPath,
  wayWithout,
} from "@oven/scope";
import { readsOfCel } from "../expressions/cel-reads.ts";
import { isObject } from "../expressions/json-access.ts";
import { pathsIn } from "../expressions/paths-in.ts";
import type { NodeCatalog } from "../ports.ts";
import { fixedValue } from "./fixed-value.ts";
import { suggest } from "./nearest.ts";
import type { PathPart, Problems } from "./problems.ts";
import { type Listed, listTransitions, type Slot } from "./state-list.ts";
import { WrittenRoots } from "./written-roots.ts";

/** Where an expression stands, and whether a missing value fails there: conditions are false instead. */
interface Place {
  stateId: string;
  moment: Moments;
  mayBeMissing: boolean;
  /** It is asked whether there is a value at all. */
  asksWhether?: boolean;
}

/** What a state leaves behind for expressions to read. */
interface Traced {
  id: string;
  what: "output" | "error";
}

/**
 * What expressions read of the results of steps: results that are missing on some or all ways to the place, and fields that the step's
 * output does not have. Warnings: a way may never be taken, and an output may hold more than its schema says.
 */
export function checkDataFlow(
  definition: Definition,
  states: readonly Listed[],
  catalog: NodeCatalog,
  problems: Problems,
): void {
  const document = definition as unknown as JsonObject; // cast: a definition is JSON
  const types = new OutputTypes(document, { outputOf: (src) => catalog.get(src)?.outputSchema?.() });
  const written = new WrittenRoots(document, types);
  const ids = new Set(states.map(({ id }) => id));
  const variables = new Set(Object.keys(definition.context ?? {}));

  /** What `$.output` stands for at a place, by the name that it has everywhere. */
  const named = (root: string | number | undefined, { stateId, moment }: Place): string | number | undefined =>
    root === "output" && moment === "done" && !variables.has(root) ? `${stateId}_output` : root;

  /** The result or error of a state that a root key names; null: it names something else. */
  const traceOf = (root: string | number | undefined, place: Place): Traced | null => {
    const own = named(root, place);
    if (typeof own !== "string" || variables.has(own)) return null;
    const [, id, what] = /^(.*)_(output|error)$/.exec(own) ?? [];
    return id === undefined || !ids.has(id) ? null : { id, what: what === "error" ? "error" : "output" };
  };

  const check = (text: string, at: PathPart[], place: Place): void => {
    const chain = chainOf(text);
    for (const { path, text: one } of chain) {
      checkKeys(path.keys, one, at, place);
    }
    if (place.asksWhether !== true) checkRoot(text, at);
    const last = chain.at(-1)?.path;
    if (place.mayBeMissing || last === undefined || last.fallback === "value") return;
    const traces = chain.map(({ path }) => traceOf(path.keys[0], place));
    const [first] = traces;
    // What is no result of a step is there.
    if (first === null || first === undefined || traces.includes(null)) return;
    if (traces.length > 1) {
      const results = traces.flatMap((trace) => (trace?.what === "output" ? [trace.id] : []));
      if (isOneAlwaysThere(document, results, place)) return;
    }
    checkPresence(first, text, at, place);
  };

  const checkKeys = (keys: readonly (string | number)[], text: string, at: PathPart[], place: Place): void => {
    const [root, ...rest] = keys;
    const trace = traceOf(root, place);
    if (trace?.what === "output") checkFields(trace.id, rest, text, at);
    else if (root === "trigger") checkPayload(rest, text, at);
    else if (typeof root === "string" && !variables.has(root)) checkItem(root, rest, text, at, place);
  };

  /** What the payload schema has no place for. Its first keys are checked where paths are, which says more of them. */
  const checkPayload = (rest: readonly (string | number)[], text: string, at: PathPart[]): void => {
    const schema = definition.payloadSchema;
    const [first] = rest;
    if (schema === undefined || rest.length < 2 || !isObject(schema.properties)) return;
    if (typeof first !== "string" || !Object.hasOwn(schema.properties, first)) return;
    warnOfUnknown(followPath(schema, rest).unknown, `${text}: the payloadSchema has no`, text, at);
  };

  /** The items of the loops around a place, by `item` for the innermost, and by the names that they give them. */
  const checkItem = (
    root: string,
    rest: readonly (string | number)[],
    text: string,
    at: PathPart[],
    { stateId }: Place,
  ): void => {
    let isInnermost = true;
    for (let loop = findState(document, stateId)?.loop; loop !== undefined; loop = loop.loop) {
      const { type, itemVariable } = isObject(loop.state.loop) ? loop.state.loop : {};
      if (type !== "forEach") continue;
      if (itemVariable === root || (root === "item" && isInnermost)) {
        const { unknown } = followPath(types.itemOf(loop), rest);
        warnOfUnknown(unknown, `${text}: the items of ${loop.id} have no`, text, at);
        return;
      }
      isInnermost = false;
    }
  };

  const warnOfUnknown = (unknown: Followed["unknown"], says: string, text: string, at: PathPart[]): void => {
    if (unknown === undefined || unknown.open) return;
    const { key, known } = unknown;
    const fix = known.length === 0 ? "Describe it in the schema." : `There are ${known.join(", ")}.`;
    problems.warn(at, "unknown-field", `${says} ${key}`, suggest(key, known, fix), text);
  };

  const checkFields = (id: string, rest: readonly (string | number)[], text: string, at: PathPart[]): void => {
    const place = findState(document, id);
    const { unknown } = place === undefined ? {} : followPath(types.of(place), rest);
    if (unknown === undefined) return;
    const { key, known } = unknown;
    problems.warn(
      at,
      "unknown-field",
      `${text}: the output of ${id} has no ${key}`,
      suggest(key, known, known.length === 0 ? "It has no fields." : `It has ${known.join(", ")}.`),
      text,
    );
  };

  /** What nothing in the definition writes. Only where it stands by itself: with a default it may be missing. */
  const checkRoot = (text: string, at: PathPart[]): void => {
    const path = readPath(text);
    const root = path?.keys[0];
    if (path?.fallback !== null || typeof root !== "string" || written.mayHave(root)) return;
    problems.warn(
      at,
      "unknown-path",
      `${text}: nothing in this workflow writes ${root}`,
      "The input is $.trigger, and the result of a step is $.<state>_output.",
      text,
    );
  };

  const checkPresence = (
    trace: Traced,
    text: string,
    at: PathPart[],
    place: { stateId: string; moment: Moments },
  ): void => {
    const presence = presenceOf(document, trace, place);
    if (presence === "always") return;
    const what = trace.what === "error" ? "error" : "result";
    const way = trace.what === "error" ? null : wayWithout(document, trace.id, place.stateId);
    problems.warn(
      at,
      presence === "never" ? "never-there" : "may-be-missing",
      presence === "never"
        ? `${text}: no way to this place leads over the ${what} of ${trace.id}`
        : `${text}: the ${what} of ${trace.id} is missing ${way === null ? "on some ways to this place" : `on the way ${way.join(" → ")}`}`,
      presence === "never"
        ? "Read a step that comes before, or add | default(…)."
        : "Say what stands there then: add | default(…).",
      text,
    );
  };

  /** A comparison that has the same result whatever the run holds: another type, or none of the values that there are. */
  const checkComparison = (
    keys: readonly (string | number)[],
    operator: Operator,
    given: Json,
    text: string,
    at: PathPart[],
    place: Place,
  ): void => {
    const root = named(keys[0], place);
    const found = root === undefined ? null : pointlessComparison(types.at([root, ...keys.slice(1)]), operator, given);
    if (found === null) return;
    const written = JSON.stringify(given);
    if (found.kind === "type")
      problems.warn(
        at,
        "pointless-comparison",
        `${text} is ${found.is}, which is compared with ${written}, a ${found.given}: the result is always the same`,
        `Compare it with a ${found.is}, or by another operator.`,
        text,
      );
    else {
      const choices = found.choices.map((choice) => JSON.stringify(choice));
      problems.warn(
        at,
        "pointless-comparison",
        `${text} is never ${written}`,
        typeof given === "string"
          ? suggest(written, choices, `It is one of ${choices.join(", ")}.`)
          : `It is one of ${choices.join(", ")}.`,
        text,
      );
    }
  };

  /** CEL asks about missing values in ways of its own: only what is never there is said. */
  const checkCel = (expression: string, at: PathPart[], place: Place): void => {
    const { reads, comparisons } = readsOfCel(expression);
    for (const { keys, text } of reads) checkKeys(keys, text, at, place);
    for (const { keys, operator, value: given, text } of comparisons)
      checkComparison(keys, operator, given, text, at, place);
  };

  const value = (json: Json | undefined, at: PathPart[], place: Place): void => {
    if (typeof json === "string") for (const text of pathsIn(json)) check(text, at, place);
    else if (Array.isArray(json)) {
      for (const [index, item] of json.entries()) value(item, [...at, index], place);
    } else if (isObject(json) && Object.hasOwn(json, "$cel")) {
      if (typeof json.$cel === "string") checkCel(json.$cel, [...at, "$cel"], place);
    } else if (isObject(json) && !Object.hasOwn(json, "$literal"))
      for (const [key, child] of Object.entries(json)) value(child, [...at, key], place);
  };
  const guard = (given: Guard | undefined, at: PathPart[], place: Place): void => {
    if (given === undefined) return;
    if (given.type === "cel") checkCel(given.params.expression, [...at, "params", "expression"], place);
    else if (given.type === "condition") {
      const { key, operator, value: operand } = given.params;
      const asksWhether = operator === "exists" || operator === "empty";
      check(key, [...at, "params", "key"], { ...place, mayBeMissing: true, asksWhether });
      value(operand, [...at, "params", "value"], { ...place, mayBeMissing: true });
      const path = readPath(key);
      const fixed = operand === undefined ? undefined : fixedValue(operand);
      if (path?.fallback === null && fixed !== undefined && given.loose !== true)
        checkComparison(path.keys, operator, fixed, key, [...at, "params", "value"], place);
    } else if (given.type === "not") guard(given.guard, [...at, "guard"], place);
    else for (const [index, inner] of given.guards.entries()) guard(inner, [...at, "guards", index], place);
  };
  const actions = (list: readonly Action[] | undefined, at: PathPart[], place: Place): void =>
    (list ?? []).forEach((action, index) => {
      guard(action.guard, [...at, index, "guard"], place);
      for (const key of ["value", "add", "append", "payload", "message", "data"] as const)
        value((action.params as Record<string, Json | undefined>)[key], [...at, index, "params", key], place); // cast: each is absent or a value
    });

  for (const listed of states) {
    const { id: stateId, state, path } = listed;
    const entered: Place = { stateId, moment: "entered", mayBeMissing: false };
    value(state.loop?.collection, [...path, "loop", "collection"], entered);
    actions(state.entry, [...path, "entry"], entered);
    value(state.output, [...path, "output"], { ...entered, moment: state.type === "final" ? "entered" : "done" });
    value(state.invoke?.input, [...path, "invoke", "input"], entered);
    for (const { slot, transitions } of listTransitions(listed)) {
      const place: Place = { ...entered, moment: momentOf(slot) };
      for (const { transition, path: at } of transitions) {
        guard(transition.guard, [...at, "guard"], place);
        // An event or a timer comes at any time within the state: what is there then is not known.
        if (slot !== "on" && slot !== "after") actions(transition.actions, [...at, "actions"], place);
      }
    }
  }
}

/** A path and those of its defaults, in the order in which they are read. */
function chainOf(text: string): { text: string; path: ReadPath }[] {
  const path = readPath(text);
  if (path === null) return [];
  const { fallback } = path;
  return [{ text, path }, ...(fallback === null || fallback === "value" ? [] : chainOf(fallback.path))];
}

function momentOf(slot: Slot): Moments {
  if (slot.endsWith("onDone") || slot === "undo") return "done";
  return slot.endsWith("onError") ? "failed" : "entered";
}
