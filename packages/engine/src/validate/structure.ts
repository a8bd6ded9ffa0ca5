import { isStateId, UNSAFE_NAMES } from "@oven/contract";
import type { Definition, State } from "@oven/contract/workflow";
import { READ_ONLY_ROOTS } from "../expressions/scope.ts";
import { checkEvents, checkTimers } from "./events.ts";
import { checkHiddenCharacters } from "./hidden-characters.ts";
import { checkHistory, refuseHistoryKeys } from "./history.ts";
import { checkLookalikes } from "./lookalike-names.ts";
import { checkLoop } from "./loops.ts";
import { suggest } from "./nearest.ts";
import type { PathPart, Problems } from "./problems.ts";
import { isComposed, isFinal, isHistory, type Listed } from "./state-list.ts";

/** What a state may be made of, and names. */
export function checkStructure(
  definition: Definition,
  states: readonly Listed[],
  byId: ReadonlyMap<string, Listed>,
  problems: Problems,
): void {
  checkNames(definition, states, problems);
  checkInitial(definition.initial, activeKeys(definition.states), definition.type === "parallel", [], problems);
  checkEvents(definition.on, ["on"], problems);
  if (Object.keys(definition.states).length === 0)
    problems.error(["states"], "structure", "There are no states", 'Add one, for example {"done": {"type": "final"}}.');
  for (const listed of states) {
    if (isHistory(listed)) {
      checkHistory(listed, byId, problems);
      continue;
    }
    refuseHistoryKeys(listed, problems);
    checkEvents(listed.state.on, [...listed.path, "on"], problems);
    checkTimers(listed.state.after, [...listed.path, "after"], problems);
    if (listed.state.afterActive === true && listed.state.after === undefined)
      problems.error(
        [...listed.path, "afterActive"],
        "structure",
        "afterActive says how the time limits of a state count, and this state has none",
        'Add "after", such as {"2h": "late"}, or remove it.',
      );
    if (isFinal(listed)) checkFinal(listed, problems);
    else if (listed.state.loop) checkLoop(listed, problems);
    else if (isComposed(listed)) checkCompound(listed, problems);
    else checkAtomic(listed, problems);
  }
}

function checkNames(definition: Definition, states: readonly Listed[], problems: Problems): void {
  const seen = new Map<string, Listed>();
  for (const listed of states) {
    const { id, path } = listed;
    if (!isStateId(id)) {
      problems.error(
        path,
        "state-id",
        `${JSON.stringify(id)} cannot be a state id`,
        "Use a letter or _ first, then up to 63 letters, digits, _ or -, and none of the reserved names (trigger, item, index, parent, execution, context, messages, toolCalls, toolResults).",
      );
    }
    if (seen.has(id))
      problems.error(
        path,
        "duplicate-id",
        `The id ${id} is used twice`,
        "Ids are unique across all nesting; rename one.",
      );
    seen.set(id, listed);
  }
  for (const [id, listed] of seen) {
    const base = id.replace(/_(output|error)$/, "");
    if (base !== id && seen.has(base)) {
      problems.error(listed.path, "output-name", `${id} is where ${base}'s result is read`, "Rename this state.");
    }
  }
  for (const key of Object.keys(definition.context ?? {})) {
    const path = ["context", key];
    if (READ_ONLY_ROOTS.has(key) || UNSAFE_NAMES.has(key))
      problems.error(path, "reserved", `$.${key} has a meaning of its own`, "Rename the variable.");
    if (seen.has(key))
      problems.warn(
        path,
        "shadows-state",
        `The variable ${key} hides the state of that name: $.${key} is the variable`,
        `Rename it, or read the state as $.${key}_output.`,
      );
    const owner = key.replace(/_(output|error)$/, "");
    if (owner !== key && seen.has(owner))
      problems.error(path, "output-name", `${key} is where ${owner}'s result is read`, "Rename the variable.");
  }
  checkLookalikes(definition, states, problems);
  checkHiddenCharacters(definition, problems);
}

function checkFinal({ state, path, parent }: Listed, problems: Problems): void {
  for (const key of [
    "invoke",
    "loop",
    "always",
    "on",
    "after",
    "states",
    "initial",
    "onDone",
    "onError",
    "exit",
  ] as const) {
    if (state[key] !== undefined)
      problems.error([...path, key], "structure", `A final state has no ${key}`, "Remove it, or drop the type final.");
  }
  if (state.outcome !== undefined && parent) {
    problems.error(
      [...path, "outcome"],
      "structure",
      "Only final states at the top level have an outcome",
      "Remove it; the run's outcome is decided at the top.",
    );
  }
}

function checkCompound({ state, path }: Listed, problems: Problems): void {
  if (state.invoke)
    problems.error(
      [...path, "invoke"],
      "structure",
      "A state with inner states cannot invoke a node",
      "Move the node into an inner state.",
    );
  if (state.type === "atomic")
    problems.error(
      [...path, "type"],
      "structure",
      "An atomic state has no inner states",
      "Use compound, or remove states.",
    );
  refuseFinalKeys(state, path, problems);
  if (state.type === "parallel" && activeKeys(state.states ?? {}).length === 0) {
    problems.error(
      [...path, "states"],
      "structure",
      "A parallel state without regions would never be done",
      "Add at least one state to it: each is a region.",
    );
  }
  checkInitial(state.initial, activeKeys(state.states ?? {}), state.type === "parallel", path, problems);
}

function checkAtomic({ state, path }: Listed, problems: Problems): void {
  if (state.type === "compound" || state.type === "parallel")
    problems.error(path, "structure", `A ${state.type} state needs inner states`, "Add states, or drop the type.");
  if (state.initial !== undefined)
    problems.error([...path, "initial"], "structure", "A state without inner states has no initial", "Remove it.");
  refuseFinalKeys(state, path, problems);
  if (state.invoke && state.always) {
    problems.error(
      [...path, "always"],
      "always-with-invoke",
      "always beside invoke would leave before the node ran",
      "Use onDone inside invoke.",
    );
  }
  for (const key of ["onDone", "onError"] as const) {
    if (state[key] === undefined) continue;
    problems.error(
      [...path, key],
      "structure",
      `${key} stands beside invoke instead of inside it`,
      `Move it to invoke.${key}.`,
    );
  }
}

function refuseFinalKeys(state: Listed["state"], path: PathPart[], problems: Problems): void {
  for (const key of ["output", "outcome"] as const) {
    if (state[key] !== undefined)
      problems.error(
        [...path, key],
        "structure",
        `Only final states have ${key}`,
        'Add "type": "final", or remove it.',
      );
  }
}

/** History states are never active, so they cannot be first. */
function activeKeys(states: Record<string, State>): string[] {
  return Object.keys(states).filter((key) => states[key]?.type !== "history");
}

function checkInitial(
  initial: string | undefined,
  children: string[],
  parallel: boolean,
  path: PathPart[],
  problems: Problems,
): void {
  if (parallel) {
    if (initial !== undefined)
      problems.error(
        [...path, "initial"],
        "structure",
        "All regions of a parallel state start; it has no initial",
        "Remove it.",
      );
  } else if (initial === undefined) {
    problems.error(path, "initial", "initial is missing", `Name the first state: ${children.slice(0, 5).join(", ")}.`);
  } else if (!children.includes(initial)) {
    problems.error(
      [...path, "initial"],
      "initial",
      `initial names ${initial}, which is not a state here`,
      suggest(initial, children, `Use one of ${children.slice(0, 5).join(", ")}.`),
    );
  }
}
