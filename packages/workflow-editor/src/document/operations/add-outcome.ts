import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { DurationSchema } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { findState, getAt, isContainer, isLoop, type Slot, setAt, WORKFLOW } from "@oven/scope";
import type { Edit, Refusal } from "../edit.ts";
import { addTransition } from "./connect.ts";

/** A way out of a state that has no line yet: by an event, after a time, or under a condition. */
export type NewOutcome = "event" | "timer" | "branch";

/** Why text cannot be the event, the time or the condition (CEL); null when it can. */
export function refuseOutcome(kind: NewOutcome, text: string): string | null {
  if (text.trim() === "") return t("It is empty");
  if (kind !== "timer") return null;
  const value = /^\d+$/.test(text) ? Number(text) : text;
  return DurationSchema.safeParse(value).success ? null : t("Milliseconds, or a duration such as PT15M or P1D");
}

export function addOutcome(document: JsonObject, id: string, kind: NewOutcome, given: string): Edit | Refusal {
  const place = findState(document, id);
  const text = given.trim();
  const reason = refuseOutcome(kind, text);
  if (id === WORKFLOW) {
    if (reason !== null || kind !== "event") return { reason: reason ?? t("A workflow handles events only") };
    if (getAt(document, ["on", text]) !== undefined) return { reason: t("The workflow has that already") };
    return { document: setAt(document, ["on", text], {}), select: [WORKFLOW] };
  }
  if (place === undefined) return { reason: t("There is no state {{id}}", { id }) };
  if (reason !== null) return { reason };
  const { state, address } = place;
  if (state.type === "final" || state.type === "history") return { reason: t("Nothing leads on from {{id}}", { id }) };
  if (kind === "branch") {
    const slot: Slot = isObject(state.invoke)
      ? "invoke.onDone"
      : isContainer(place)
        ? isLoop(place)
          ? "loop.onDone"
          : "onDone"
        : "always";
    const guard: Json = { type: "cel", params: { expression: text } };
    return { document: addTransition(document, { from: id, slot, key: null, transition: null, guard }, null) };
  }
  const at = [...address, kind === "event" ? "on" : "after", text];
  if (getAt(document, at) !== undefined) return { reason: t("{{id}} has that already", { id }) };
  return { document: setAt(document, at, {}) };
}
