import type { JsonObject } from "@oven/contract";
import { type Execution, isTerminal, type Waiting } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { formatClock, formatMoney, formatTokens } from "@oven/ui/components/format.ts";
import type { GraphModel, NodeProgress } from "../../graph/graph-model.ts";
import { toTakenEdges } from "../../overlay/taken-edges.ts";
import { type TimelineRow, toProgress } from "../../run/timeline.ts";

/** The part of a run's id of a node that names the state. */
function stateOf({ nodeId }: Pick<TimelineRow, "nodeId">): string {
  return nodeId.split(".")[0] ?? nodeId;
}

type ShownState = Pick<Execution, "status" | "currentState" | "activeStates" | "waitingUntil" | "checkpoint">;

/** How far a run got in each state, with what it used there and how many of its items have ended. */
export function toRunProgress(
  rows: readonly TimelineRow[],
  run: ShownState,
  /** States in which a run, or a region of it, ends. */
  ends: ReadonlySet<string> = new Set(),
): Record<string, NodeProgress> {
  const progress = { ...toProgress(rows, run), ...toWaits(rows, run, ends) };
  const used = new Map<string, { tokens: number; cost: number; ended: number; items: number }>();
  for (const row of rows) {
    const state = stateOf(row);
    const sum = used.get(state) ?? { tokens: 0, cost: 0, ended: 0, items: 0 };
    used.set(state, sum);
    // What is inside of a node is part of what the node says it used.
    if (row.nodeId === state && row.run?.item == null) {
      sum.tokens += row.run?.tokenUsage?.total ?? 0;
      sum.cost += row.run?.costMicros ?? 0;
    }
    if (row.run?.item != null && row.nodeId === state) {
      sum.items += 1;
      if (row.end !== null) sum.ended += 1;
    }
  }
  return Object.fromEntries(
    Object.entries(progress).map(([state, shown]) => {
      const sum = used.get(state);
      if (sum === undefined) return [state, shown];
      const usage = { input: 0, output: 0, total: sum.tokens };
      const spent = [
        ...(sum.tokens > 0 ? [formatTokens(usage)] : []),
        ...(sum.cost > 0 ? [formatMoney(sum.cost)] : []),
      ];
      return [
        state,
        {
          ...shown,
          ...(spent.length === 0 ? {} : { spent }),
          ...(sum.items === 0 ? {} : { items: { ended: sum.ended, total: sum.items } }),
        },
      ];
    }),
  );
}

/** Where a run that goes on stands and no node is at work: what it waits for there. */
function toWaits(
  rows: readonly TimelineRow[],
  { status, activeStates, waitingUntil, checkpoint }: ShownState,
  ends: ReadonlySet<string>,
): Record<string, NodeProgress> {
  if (status !== "running" && status !== "paused") return {};
  const waits: Record<string, NodeProgress> = {};
  for (const state of activeStates) {
    if (ends.has(state)) continue;
    const last = rows.findLast((row) => row.nodeId === state && row.run?.item == null);
    const visits = last === undefined ? {} : { visits: last.visit };
    const waiting = checkpoint?.waiting.find(({ nodeId }) => stateOf({ nodeId }) === state);
    if (waiting !== undefined) {
      const isOutside = waiting.for === "review" || waiting.for === "input" || waiting.for === "event";
      waits[state] = {
        status: isOutside ? "paused" : "running",
        label: toWaitLabel(waiting, waiting.dueAt),
        ...visits,
      };
      continue;
    }
    // With an instant to wait for, no node is at work anywhere.
    if (waitingUntil === null && rows.some((row) => stateOf(row) === state && row.end === null)) continue;
    waits[state] = { status: "running", label: toWaitLabel(undefined, waitingUntil), ...visits };
  }
  return waits;
}

function toWaitLabel(waiting: Waiting | undefined, until: string | null): string {
  switch (waiting?.for) {
    case "review":
      return t("waits for a decision");
    case "input":
      return t("waits for an answer");
    case "event":
      return `waits for ${waiting.events?.join(", ") ?? t("an event")}`;
    case "child":
    case "items":
      return t("waits for other runs");
    default:
      return until === null ? "here" : `waits until ${formatClock(until)}`;
  }
}

/** The lines that a run took in the graph of its definition. */
export function toRunPath(
  model: GraphModel,
  rows: readonly TimelineRow[],
  run: Pick<Execution, "status" | "currentState">,
): Set<string> {
  const steps = rows.flatMap((row) =>
    row.run?.item != null || row.nodeId.includes(".")
      ? []
      : [{ stateId: row.nodeId, start: row.start, failed: row.status === "failed" }],
  );
  return toTakenEdges(model, steps, isTerminal(run.status) ? run.currentState.split(", ") : []);
}

/** The newest outputs of a run by state, as they can be pinned. */
export function toOutputs(run: Pick<Execution, "nodes"> | undefined): JsonObject {
  const outputs: JsonObject = {};
  for (const node of run?.nodes ?? [])
    if (node.status === "completed" && node.item === null && !node.nodeId.includes("."))
      outputs[node.nodeId] = node.output;
  return outputs;
}
