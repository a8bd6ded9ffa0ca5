import { borderBetween, type Definition } from "@oven/contract/workflow";
import { isFanOut } from "../compile/compile-loop.ts";
import { suggest } from "./nearest.ts";
import type { PathPart, Problems } from "./problems.ts";
import { chainOf, type Listed, type ListedTransitions, listRootTransitions, listTransitions } from "./state-list.ts";

/** Where transitions lead, and whether each can be taken. */
export function checkTargets(
  definition: Definition,
  states: readonly Listed[],
  byId: ReadonlyMap<string, Listed>,
  problems: Problems,
): void {
  for (const list of listRootTransitions(definition)) checkList(undefined, list, byId, problems);
  for (const listed of states) {
    for (const list of listTransitions(listed)) {
      if (list.slot === "undo") checkUndo(definition, listed, list, byId, problems);
      else checkList(listed, list, byId, problems);
    }
  }
}

/** Slots that must lead somewhere: what an event or a timer sets off may also only act. */
const MAY_STAY: ReadonlySet<string> = new Set(["on", "after"]);
const NEEDS_DEFAULT: ReadonlySet<string> = new Set(["invoke.onDone", "onDone", "loop.onDone", "always"]);

function checkList(
  source: Listed | undefined,
  { slot, path, transitions }: ListedTransitions,
  byId: ReadonlyMap<string, Listed>,
  problems: Problems,
): void {
  transitions.forEach(({ transition, path: at }, index) => {
    if (transition.target !== undefined || !MAY_STAY.has(slot))
      checkTarget(source, transition.target, at, byId, problems);
    if (transition.reenter === true && transition.target === undefined) {
      problems.error(
        [...at, "reenter"],
        "target",
        "reenter leaves a state and enters it again, and this transition leads nowhere",
        "Name the state itself as target, or remove reenter.",
      );
    }
    if (transition.guard === undefined && index < transitions.length - 1) {
      problems.warn(
        at,
        "unreachable-branch",
        "The branches after this one are never taken",
        "Give it a guard, or move it to the end.",
      );
    }
  });
  if (NEEDS_DEFAULT.has(slot) && transitions.every(({ transition }) => transition.guard !== undefined)) {
    problems.warn(
      path,
      "no-default",
      "When no guard passes, nothing takes the run further",
      "Add a last branch without a guard.",
    );
  }
}

/** What undoes a step is entered from wherever the run is when it ends: at the top level, not in one region of several. */
function checkUndo(
  definition: Definition,
  source: Listed,
  { path, transitions }: ListedTransitions,
  byId: ReadonlyMap<string, Listed>,
  problems: Problems,
): void {
  const isWork = ({ state: { invoke, loop } }: Listed) => invoke !== undefined || loop !== undefined;
  const problem = (message: string, fix: string): void => problems.error(path, "undo", message, fix);
  if (!isWork(source))
    problem("Only a step that calls a node, or a loop, can be undone", "Move undo to the step that does the work.");
  if (definition.type === "parallel")
    problem("Regions at the top level leave no place for steps that undo others", "Put the regions into one state.");
  const around = chainOf(source).find((one) => one !== source && isFanOut(one.state.loop));
  if (around !== undefined)
    problem(
      `The iterations of ${around.id} are runs of their own: their steps cannot be undone one by one`,
      `Set undo on ${around.id}, or its concurrency to 1.`,
    );
  for (const { transition } of transitions) {
    const target = byId.get(transition.target ?? "");
    if (target === undefined) checkTarget(undefined, transition.target, path, byId, problems);
    else if (target.parent !== undefined || target === source || !isWork(target))
      problem(
        `${target.id} cannot undo a step`,
        "Name another step at the top level that calls a node; what follows it is gone along as well.",
      );
  }
}

function checkTarget(
  source: Listed | undefined,
  target: string | undefined,
  path: PathPart[],
  byId: ReadonlyMap<string, Listed>,
  problems: Problems,
): void {
  if (target === undefined) {
    problems.error(
      path,
      "no-target",
      "A transition without a target would leave the run where it is, with nothing to do",
      "Name a target.",
    );
    return;
  }
  const at = byId.get(target);
  if (!at) {
    problems.error(
      path,
      "target",
      `${target} is not a state`,
      suggest(target, byId.keys(), "Name an existing state by its id."),
    );
    return;
  }
  const border = borderBetween(source, at);
  if (!border) return;
  const { of } = border;
  switch (border.kind) {
    case "into-loop":
      problems.error(
        path,
        "loop-border",
        `${target} lies in the body of the loop ${of.id}`,
        `Lead to ${of.id}; its body begins at ${at.loop?.state.loop?.bodyInitial}.`,
      );
      return;
    case "out-of-loop":
      problems.error(
        path,
        "loop-border",
        `${target} lies outside the loop ${of.id}`,
        "End the iteration in a final state of the body; loop.onDone leads on.",
      );
      return;
    case "region":
      problems.error(
        path,
        "sibling-region",
        `${target} lies in another region of ${of.id}`,
        `Leave through ${of.id}'s onDone, or target a state in the same region.`,
      );
  }
}
