import { type Principal, withoutBounds } from "@oven/contract";
import type { ExecutionKind, NodeRun } from "@oven/contract/run";
import type { HistoryEntry, RunSignal } from "@oven/engine";
import type { WorkflowService } from "../definitions/workflow-service.ts";
import { readLogParts, readSignals } from "../runtime/read-history.ts";
import { familyOf } from "../runtime/run-kinds.ts";
import type { ExecutionRow } from "./execution-row.ts";
import type { RunExportDeps } from "./run-export.ts";

/** A run as it is stored, with the version that it is pinned to. */
export interface PinnedRun {
  kind: ExecutionKind;
  row: ExecutionRow;
  slug: string;
  pinned: Awaited<ReturnType<WorkflowService["pinned"]>>;
  /** Every entry of its log, in parts. */
  log(): AsyncGenerator<HistoryEntry[], void>;
  /** Its node runs in the order of their ids, in parts. */
  nodes(): AsyncGenerator<NodeRun[], void>;
  /** The messages that it has taken. */
  signals(): Promise<RunSignal[]>;
}

/**
 * A run and the runs that it called, itself first, for a caller who may read it.
 * @throws OvenError NOT_FOUND
 */
export async function readPinnedRuns(deps: RunExportDeps, principal: Principal, id: number): Promise<PinnedRun[]> {
  const runs = [await readPinnedRun(deps, principal, id)];
  // Who may read a run may read what is done in it.
  const unbound = withoutBounds(principal);
  for (const member of await familyOf(deps.db, deps.kinds.all(), id))
    if (member !== id) runs.push(await readPinnedRun(deps, unbound, member));
  return runs;
}

async function readPinnedRun(deps: RunExportDeps, principal: Principal, id: number): Promise<PinnedRun> {
  const { kind } = await deps.kinds.of(deps.db, id);
  const { reader, workflows } = deps.of(kind.kind);
  const row = await reader.row(principal, id);
  const { workflowSlug: slug } = await reader.summary(principal, id);
  const pinned = await workflows.pinned(row.workflowId, row.workflowVersion);
  return {
    ...{ kind: kind.kind, row, slug, pinned },
    log: () => readLogParts(deps.db, id, row.seq),
    async *nodes() {
      yield* (await reader.inParts(principal, id)).nodes;
    },
    signals: () => readSignals(deps.db, id),
  };
}
