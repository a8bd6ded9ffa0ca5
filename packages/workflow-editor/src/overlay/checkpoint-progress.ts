import { getOwn } from "@oven/contract";
import type { RunCheckpoint } from "@oven/contract/run";
import { t } from "@oven/i18n";
import type { NodeProgress } from "../graph/graph-model.ts";
import type { RunStep } from "./taken-edges.ts";

const STATUS: Partial<Record<RunCheckpoint["cause"], NodeProgress["status"]>> = {
  done: "completed",
  signal: "completed",
  wait: "paused",
  failed: "failed",
  starting: "running",
};

/** A run as it stood after one of its moves, to be drawn. */
export interface Standstill {
  nodes: Record<string, NodeProgress>;
  steps: RunStep[];
  /** The final states, when it had ended. */
  ends: string[];
}

/** How far a run had got at the checkpoint at `index`, from the checkpoints up to it. */
export function toStandstill(checkpoints: readonly RunCheckpoint[], index: number): Standstill {
  const nodes: Record<string, NodeProgress> = {};
  const steps: RunStep[] = [];
  const seen = new Set<string>();
  const past = checkpoints.slice(0, index + 1);
  for (const [at, { nodeId, visit, item, cause }] of past.entries()) {
    const stateId = nodeId?.split(".")[0];
    const status = STATUS[cause];
    if (stateId === undefined || status === undefined) continue;
    const visits = Math.max(visit ?? 1, getOwn(nodes, stateId)?.visits ?? 1);
    // Items and parts of a node are not its end.
    const isWhole = item === null && nodeId === stateId;
    nodes[stateId] = { status: isWhole ? status : "running", visits };
    const key = `${stateId} ${visit ?? 1}`;
    if (!seen.has(key)) steps.push({ stateId, start: at, failed: false });
    seen.add(key);
    const step = steps.findLast((entry) => entry.stateId === stateId);
    if (step !== undefined && isWhole) step.failed = status === "failed";
  }
  const last = past.at(-1);
  if (last === undefined) return { nodes, steps, ends: [] };
  if (last.end === null) {
    for (const state of last.activeStates) {
      const known = getOwn(nodes, state);
      if (known === undefined || known.status === "completed")
        nodes[state] = { status: "running", label: t("here"), visits: known?.visits ?? 1 };
      if (!steps.some(({ stateId }) => stateId === state))
        steps.push({ stateId: state, start: checkpoints.length, failed: false });
    }
    return { nodes, steps, ends: [] };
  }
  for (const state of last.activeStates) if (!Object.hasOwn(nodes, state)) nodes[state] = { status: last.end };
  return { nodes, steps, ends: last.activeStates };
}
