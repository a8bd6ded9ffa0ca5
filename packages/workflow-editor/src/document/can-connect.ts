import { borderBetween, type JsonObject } from "@oven/contract";
import { findState, indexStates, isParallel, type StatePlace } from "./states.ts";
import { WORKFLOW } from "./transitions.ts";

export type Verdict = { ok: true } | { ok: false; reason: string };

const YES: Verdict = { ok: true };
const no = (reason: string): Verdict => ({ ok: false, reason });

/**
 * Whether a transition may lead from one state to another: the borders are the engine's own rule. `from` is null for the start of
 * the definition, `WORKFLOW` for what it handles itself.
 */
export function canConnect(document: JsonObject, from: string | null, to: string): Verdict {
  const target = findState(document, to);
  if (target === undefined) return no(`There is no state ${to}`);
  if (from === null) return canStart(document, undefined, target);
  if (from === WORKFLOW) {
    const loop = borderBetween(undefined, target)?.of.id;
    return loop === undefined ? YES : no(`${to} is inside the loop ${loop}: lead to the loop itself`);
  }
  const source = findState(document, from);
  if (source === undefined) return no(`There is no state ${from}`);
  if (source.state.type === "final") return no(`${from} is an end: nothing leads on from it`);
  if (source.state.type === "history") return canRemember(source, target);
  const border = borderBetween(source, target);
  switch (border?.kind) {
    case undefined:
      return YES;
    case "into-loop":
      return no(`${to} is inside the loop ${border.of.id}: lead to the loop itself`);
    case "out-of-loop":
      return no(
        `${from} is inside the loop ${border.of.id}: end the round in a final state, and lead on from the loop`,
      );
    case "region":
      return no(`${to} is in another region of ${border.of.id}: lead on from ${border.of.id} instead`);
  }
}

/** The states that a transition of this one may lead to, itself last. */
export function targetsFrom(document: JsonObject, from: StatePlace): string[] {
  const ids = indexStates(document).list.flatMap(({ id }) => (canConnect(document, from.id, id).ok ? [id] : []));
  return [...ids.filter((id) => id !== from.id), ...ids.filter((id) => id === from.id)];
}

/** Whether a container, or the definition, may begin with a state. */
export function canStart(document: JsonObject, container: StatePlace | undefined, target: StatePlace): Verdict {
  if (target.parent !== container)
    return no(
      container === undefined
        ? `${target.id} is inside ${target.parent?.id}`
        : `${target.id} is not directly in ${container.id}`,
    );
  if (isParallel(document, container)) return no("All regions of a parallel state start together");
  if (target.state.type === "history") return no("A history state is never active itself, so nothing begins with it");
  return YES;
}

function canRemember(source: StatePlace, target: StatePlace): Verdict {
  if (target.state.type === "history") return no("A history state cannot stand for another one");
  for (let at = target.parent; at; at = at.parent) if (at === source.parent) return YES;
  return no(`${source.id} remembers ${source.parent?.id ?? "its group"}: its default lies inside it`);
}
