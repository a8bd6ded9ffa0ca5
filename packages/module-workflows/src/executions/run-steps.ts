import type { NodeStatus } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { namesOf, type RunKind } from "../runtime/run-kinds.ts";

export interface RunStep {
  nodeId: string;
  status: NodeStatus;
  visit: number;
  /** Null while it goes on. */
  durationMs: number | null;
}

const MOST = 100;

/**
 * The newest steps of a run, in order, without what they took and gave: states that run nodes, not what is inside of them. A state that the
 * run is in and that has no row yet comes last.
 * @param now the states the run is in, and how they are; empty once it has ended
 */
export async function readSteps(
  { db, kind }: { db: Database; kind: RunKind },
  executionId: number,
  now: { states: readonly string[]; status: NodeStatus },
): Promise<RunStep[]> {
  const rows = await db.query<RunStep & Record<string, unknown>>(
    `select node_id as "nodeId", status, visit, duration_ms::float8 as "durationMs" from ${namesOf(kind).nodes}
     where execution_id = $1 and parent_node_id is null and item is null order by id desc limit ${MOST}`,
    [executionId],
    `run-steps-${namesOf(kind).nodes}`,
  );
  const steps = rows.toReversed();
  const isShown = (state: string) =>
    steps.some(({ nodeId, status }) => nodeId === state && (status === "running" || status === "paused"));
  const current = now.states
    .filter((state) => !isShown(state))
    .map((nodeId): RunStep => {
      const before = steps.filter((step) => step.nodeId === nodeId).at(-1)?.visit ?? 0;
      return { nodeId, status: now.status, visit: before + 1, durationMs: null };
    });
  return [...steps, ...current];
}
