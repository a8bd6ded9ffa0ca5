import type { JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { removeAt, WORKFLOW } from "@oven/scope";
import { removeFrames, removeNotes } from "../document/operations/annotations.ts";
import { deleteStates } from "../document/operations/delete-states.ts";
import { dropPositions } from "../document/operations/positions.ts";
import { removeTransitions } from "../document/transitions.ts";
import type { CommandContext } from "./command-context.ts";
import { FRAME, NOTE, selectedAnnotations, selectedLines, selectedStates } from "./selected.ts";

const OWN: ReadonlySet<string> = new Set([WORKFLOW]);

/** Takes away all that is selected; what led to a state leads on to where it led. */
export function removeSelected(context: CommandContext): void {
  const { store, drawn } = context;
  const lines = selectedLines(context);
  const states = selectedStates(context);
  const isEmpty =
    states.length === 0 &&
    !store.getState().selection.nodes.has(WORKFLOW) &&
    selectedAnnotations(context, NOTE).length + selectedAnnotations(context, FRAME).length === 0;
  if (isEmpty && lines.length > 0 && lines.every((line) => line === null)) {
    store.refuse(t("A workflow begins somewhere: lead the start to another state instead"));
    return;
  }
  let document: JsonObject = removeTransitions(
    drawn.document,
    lines.filter((line) => line !== null),
  );
  if (store.getState().selection.nodes.has(WORKFLOW)) document = dropPositions(removeAt(document, ["on"]), OWN);
  document = removeFrames(
    removeNotes(document, new Set(selectedAnnotations(context, NOTE))),
    new Set(selectedAnnotations(context, FRAME)),
  );
  const count = states.length;
  const label =
    count === 1
      ? t("Delete {{state}}", { state: states[0] })
      : count > 1
        ? t("Delete {{states}} states", { states: count })
        : "Delete";
  store.apply(label, { document: deleteStates(document, states).document, select: [] });
}
