import type { Problems } from "./problems.ts";
import { chainOf, isHistory, type Listed } from "./state-list.ts";

const KEYS = ["type", "history", "target", "label", "description", "meta"] as const;
const OTHERS = [
  "initial",
  "states",
  "invoke",
  "loop",
  "always",
  "on",
  "after",
  "onDone",
  "onError",
  "undo",
  "entry",
  "exit",
  "output",
  "outcome",
] as const;

/** A history state stands for where its parent was last; it is never active itself. */
export function checkHistory(listed: Listed, byId: ReadonlyMap<string, Listed>, problems: Problems): void {
  const { state, path, parent } = listed;
  for (const key of OTHERS) {
    if (state[key] !== undefined)
      problems.error([...path, key], "structure", `A history state has no ${key}`, `It has only ${KEYS.join(", ")}.`);
  }
  if (!parent || parent.state.loop) {
    problems.error(
      path,
      "structure",
      "A history state remembers the state around it, and here there is none that can be left and come back to",
      "Move it into a group of states.",
    );
    return;
  }
  if (state.target === undefined) return;
  const target = byId.get(state.target);
  const inside = target && target !== parent && chainOf(target).includes(parent);
  if (inside && !isHistory(target)) return;
  problems.error(
    [...path, "target"],
    "target",
    `The target of a history state lies inside ${parent.id}`,
    `Name one of ${parent.children
      .filter((child) => !isHistory(child))
      .map(({ id }) => id)
      .slice(0, 5)
      .join(", ")}, or leave target out.`,
  );
}

export function refuseHistoryKeys({ state, path }: Listed, problems: Problems): void {
  for (const key of ["history", "target"] as const) {
    if (state[key] === undefined) continue;
    const fix = key === "history" ? 'Add "type": "history".' : "Put the target into always or onDone.";
    problems.error([...path, key], "structure", `Only history states have ${key}`, fix);
  }
}
