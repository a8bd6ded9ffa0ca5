import { wayOn } from "../compile/pass-disabled.ts";
import type { Problems } from "./problems.ts";
import { type Listed, listTransitions } from "./state-list.ts";

/** A state that is switched off must lead on. */
export function checkDisabled(states: readonly Listed[], problems: Problems): void {
  for (const { id, state, path } of states) {
    if (state.disabled !== true) continue;
    const target = wayOn(state);
    if (target !== undefined && target !== id) continue;
    const what = state.type === "final" || state.type === "history" ? `A ${state.type} state` : `${id}`;
    problems.error(
      [...path, "disabled"],
      "disabled",
      `${what} cannot be switched off: nothing says where the run goes on`,
      "Give it an onDone without a guard, or switch it on.",
    );
  }
}

/** Where switched-off states lead, by id, once they are on again: what only they lead to is no mistake meanwhile. */
export function targetsOfDisabled(states: readonly Listed[]): ReadonlyMap<string, string[]> {
  const targets = (state: Listed): string[] => [
    ...listTransitions(state).flatMap(({ transitions }) =>
      transitions.flatMap(({ transition }) => transition.target ?? []),
    ),
    ...state.children.flatMap(targets),
  ];
  return new Map(states.filter(({ state }) => state.disabled === true).map((state) => [state.id, targets(state)]));
}
