import { suggest } from "./nearest.ts";
import type { Problems } from "./problems.ts";
import { type Listed, listTransitions } from "./state-list.ts";

/** Where transitions lead, and whether each can be taken. */
export function checkTargets(states: readonly Listed[], byId: ReadonlyMap<string, Listed>, problems: Problems): void {
  for (const listed of states) {
    for (const { slot, path, transitions } of listTransitions(listed)) {
      transitions.forEach(({ transition, path: at }, index) => {
        checkTarget(listed, transition.target, at, byId, problems);
        if (transition.guard === undefined && index < transitions.length - 1) {
          problems.warn(
            at,
            "unreachable-branch",
            "The branches after this one are never taken",
            "Give it a guard, or move it to the end.",
          );
        }
      });
      const guarded = transitions.every(({ transition }) => transition.guard !== undefined);
      if (guarded && (slot === "invoke.onDone" || slot === "onDone" || slot === "always")) {
        problems.warn(
          path,
          "no-default",
          "When no guard passes, nothing takes the run further",
          "Add a last branch without a guard.",
        );
      }
    }
  }
}

function checkTarget(
  source: Listed,
  target: string | undefined,
  path: (string | number)[],
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
  const region = crossedParallel(source, at);
  if (region) {
    problems.error(
      path,
      "sibling-region",
      `${target} lies in another region of ${region.id}`,
      `Leave through ${region.id}'s onDone, or target a state in the same region.`,
    );
  }
}

/** The parallel state two states are in different regions of. */
function crossedParallel(source: Listed, target: Listed): Listed | undefined {
  const regions = new Map(
    chain(source).flatMap((state) => (state.parent?.state.type === "parallel" ? [[state.parent, state] as const] : [])),
  );
  for (const state of chain(target)) {
    const own = state.parent && regions.get(state.parent);
    if (own && own !== state) return state.parent;
  }
  return undefined;
}

function chain(state: Listed): Listed[] {
  const list: Listed[] = [];
  for (let at: Listed | undefined = state; at; at = at.parent) list.push(at);
  return list;
}
