import { type Execution, isTerminal, type JsonObject } from "@oven/contract";
import { type GraphModel, type NodeProgress, toTakenEdges } from "@oven/workflow-editor";
import { formatMoney, formatTokens } from "../../components/format.ts";
import { type TimelineRow, toProgress } from "../../resources/executions/timeline.ts";

/** The part of a run's id of a node that names the state. */
function stateOf({ nodeId }: TimelineRow): string {
  return nodeId.split(".")[0] ?? nodeId;
}

/** How far a run got in each state, with what it used there and how many of its items have ended. */
export function toRunProgress(
  rows: readonly TimelineRow[],
  run: { status: string; currentState: string },
): Record<string, NodeProgress> {
  const progress = toProgress(rows, run);
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
