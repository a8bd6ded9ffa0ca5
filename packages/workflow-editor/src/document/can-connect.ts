import type { JsonObject } from "@oven/contract";
import { borderBetween } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { findState, indexStates, isParallel, type StatePlace, WORKFLOW } from "@oven/scope";

export type Verdict = { ok: true } | { ok: false; reason: string };

const YES: Verdict = { ok: true };
const no = (reason: string): Verdict => ({ ok: false, reason });

/**
 * Whether a transition may lead from one state to another: the borders are the engine's own rule. `from` is null for the start of
 * the definition, `WORKFLOW` for what it handles itself.
 */
export function canConnect(document: JsonObject, from: string | null, to: string): Verdict {
  const target = findState(document, to);
  if (target === undefined) return no(t("There is no state {{to}}", { to }));
  if (from === null) return canStart(document, undefined, target);
  if (from === WORKFLOW) {
    const loop = borderBetween(undefined, target)?.of.id;
    return loop === undefined
      ? YES
      : no(t("{{to}} is inside the loop {{loop}}: lead to the loop itself", { to, loop }));
  }
  const source = findState(document, from);
  if (source === undefined) return no(t("There is no state {{from}}", { from }));
  if (source.state.type === "final") return no(t("{{from}} is an end: nothing leads on from it", { from }));
  if (source.state.type === "history") return canRemember(source, target);
  const border = borderBetween(source, target);
  switch (border?.kind) {
    case undefined:
      return YES;
    case "into-loop":
      return no(t("{{to}} is inside the loop {{id}}: lead to the loop itself", { to, id: border.of.id }));
    case "out-of-loop":
      return no(
        t("{{from}} is inside the loop {{id}}: end the round in a final state, and lead on from the loop", {
          from,
          id: border.of.id,
        }),
      );
    case "region":
      return no(
        t("{{to}} is in another region of {{id}}: lead on from {{id2}} instead", {
          to,
          id: border.of.id,
          id2: border.of.id,
        }),
      );
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
        ? t("{{id}} is inside {{id2}}", { id: target.id, id2: target.parent?.id })
        : t("{{id}} is not directly in {{id2}}", { id: target.id, id2: container.id }),
    );
  if (isParallel(document, container)) return no(t("All regions of a parallel state start together"));
  if (target.state.type === "history")
    return no(t("A history state is never active itself, so nothing begins with it"));
  return YES;
}

function canRemember(source: StatePlace, target: StatePlace): Verdict {
  if (target.state.type === "history") return no(t("A history state cannot stand for another one"));
  for (let at = target.parent; at; at = at.parent) if (at === source.parent) return YES;
  return no(
    t("{{id}} remembers {{state}}: its default lies inside it", {
      id: source.id,
      state: source.parent?.id ?? t("its group"),
    }),
  );
}
