import type { JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { findState, getAt } from "@oven/scope";
import { refuseBegin, refuseEnd } from "../overlay/partial-run.ts";
import type { CommandContext } from "./command-context.ts";
import type { Command } from "./commands.ts";
import type { RunActions } from "./run-actions.ts";
import { selectedStates } from "./selected.ts";

const NOWHERE = t("Workflows are not run here");

function toRun(what: (runs: RunActions, stateId: string) => void) {
  return (context: CommandContext): void => {
    if (context.runs !== null) what(context.runs, selectedStates(context)[0] ?? "");
  };
}

const needsRuns = ({ runs }: CommandContext): string | null => (runs === null ? NOWHERE : runs.refused);

/** One state, to begin or end at. */
function needsPlace(refuse: (document: JsonObject, id: string | undefined) => string | null) {
  return (context: CommandContext): string | null => {
    const [id, ...others] = selectedStates(context);
    return refuse(context.drawn.document, others.length > 0 ? undefined : id) ?? needsRuns(context);
  };
}

function needsNode(context: CommandContext): string | null {
  const [id, ...others] = selectedStates(context);
  if (id === undefined || others.length > 0) return t("Select one state first");
  const place = findState(context.drawn.document, id);
  if (context.runs === null) return NOWHERE;
  return getAt(place?.state, ["invoke"]) === undefined ? t("Only what a node puts out can be pinned") : null;
}

export const RUN_COMMANDS: readonly Command[] = [
  {
    id: "run",
    title: t("Run the draft, or stop it"),
    group: "Workflow",
    keys: ["Mod+Enter"],
    in: ["pane"],
    refuse: ({ runs }) => (runs === null ? NOWHERE : runs.going ? null : runs.refused),
    run: toRun((runs) => (runs.going ? runs.stop() : runs.run())),
  },
  {
    id: "dry-run",
    title: t("Dry run: nothing has an effect"),
    group: "Workflow",
    keys: ["Mod+Shift+Enter"],
    in: ["pane"],
    refuse: (context) => needsRuns(context) ?? (context.runs?.going === true ? t("A run goes on") : null),
    run: toRun((runs) => runs.dryRun()),
  },
  {
    id: "run-until",
    title: t("Run until here"),
    group: "Workflow",
    keys: ["U"],
    in: ["node"],
    refuse: needsPlace(refuseEnd),
    run: toRun((runs, id) => runs.runUntil(id)),
  },
  {
    id: "run-from",
    title: t("Run from here"),
    group: "Workflow",
    keys: ["Shift+U"],
    in: ["node"],
    refuse: needsPlace(refuseBegin),
    run: toRun((runs, id) => runs.runFrom(id)),
  },
  {
    id: "continue-run",
    title: t("Continue the failed run with this draft…"),
    group: "Workflow",
    in: ["pane"],
    refuse: ({ runs }) => (runs === null ? NOWHERE : runs.broken === null ? t("Show a run that failed first") : null),
    run: toRun((runs) => runs.broken?.()),
  },
  {
    id: "pin-output",
    title: t("Pin or unpin the output"),
    group: "Workflow",
    keys: ["P"],
    in: ["node"],
    refuse: (context) => {
      const [id = ""] = selectedStates(context);
      const pinnable = context.runs?.isPinned(id) === true || context.runs?.hasOutput(id) === true;
      return needsNode(context) ?? (pinnable ? null : t("Run it first, or write its output: Edit the pinned output"));
    },
    run: toRun((runs, id) => (runs.isPinned(id) ? runs.unpin(id) : runs.pin(id))),
  },
  {
    id: "edit-pin",
    title: t("Edit the pinned output…"),
    group: "Workflow",
    keys: ["Shift+P"],
    in: ["node"],
    refuse: needsNode,
    run: toRun((runs, id) => runs.editPin(id)),
  },
];
