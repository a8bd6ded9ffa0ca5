import type { Json, JsonObject } from "@oven/contract";
import type { Action, Definition, Guard } from "@oven/contract/workflow";
import { findState, followPath, type Moments, OutputTypes, presenceOf, readPath, wayWithout } from "@oven/scope";
import { isObject } from "../expressions/json-access.ts";
import { pathsIn } from "../expressions/paths-in.ts";
import type { NodeCatalog } from "../ports.ts";
import { suggest } from "./nearest.ts";
import type { PathPart, Problems } from "./problems.ts";
import { type Listed, listTransitions, type Slot } from "./state-list.ts";

/** Where an expression stands, and whether a missing value fails there: conditions are false instead. */
interface Place {
  stateId: string;
  moment: Moments;
  mayBeMissing: boolean;
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
  const ids = new Set(states.map(({ id }) => id));
  const variables = new Set(Object.keys(definition.context ?? {}));

  const check = (text: string, at: PathPart[], { stateId, moment, mayBeMissing }: Place): void => {
    const path = readPath(text);
    const [root, ...rest] = path?.keys ?? [];
    if (path === null || typeof root !== "string" || variables.has(root)) return;
    const own = root === "output" && moment === "done" ? `${stateId}_output` : root;
    const [, id, what] = /^(.*)_(output|error)$/.exec(own) ?? [];
    if (id === undefined || !ids.has(id)) return;
    const trace = { id, what: what === "error" ? ("error" as const) : ("output" as const) };
    if (!mayBeMissing && !path.hasDefault) checkPresence(trace, text, at, { stateId, moment });
    if (trace.what === "error") return;
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

  const checkPresence = (
    trace: { id: string; what: "output" | "error" },
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

  const value = (json: Json | undefined, at: PathPart[], place: Place): void => {
    if (typeof json === "string") for (const text of pathsIn(json)) check(text, at, place);
    else if (Array.isArray(json)) {
      for (const [index, item] of json.entries()) value(item, [...at, index], place);
    } else if (isObject(json) && !Object.hasOwn(json, "$literal") && !Object.hasOwn(json, "$cel"))
      for (const [key, child] of Object.entries(json)) value(child, [...at, key], place);
  };
  const guard = (given: Guard | undefined, at: PathPart[], place: Place): void => {
    if (given === undefined || given.type === "cel") return;
    if (given.type === "condition") {
      check(given.params.key, [...at, "params", "key"], { ...place, mayBeMissing: true });
      value(given.params.value, [...at, "params", "value"], { ...place, mayBeMissing: true });
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

function momentOf(slot: Slot): Moments {
  if (slot.endsWith("onDone")) return "done";
  return slot.endsWith("onError") ? "failed" : "entered";
}
