import type { Json } from "@oven/contract";
import type { Database, Queryable } from "@oven/db";
import type { RunKind } from "../runtime/run-kinds.ts";
import { type BeforeMove, type Fence, MovedElsewhere } from "./move-run.ts";
import { lockWaiting, type RenamedUnit, writeMove } from "./write-move.ts";

export interface MovedItem {
  executionId: number;
  tenantId: number;
  /** The version that the run was moved to. */
  version: number;
  fence: Fence;
  migrationId: number;
}

interface Cause {
  before: BeforeMove;
}

/**
 * Puts a run back where a move took it from, with whatever `also` writes, or neither.
 * @returns false when a worker has taken it up since; nothing was written
 */
export async function undoMove(
  db: Database,
  kind: RunKind,
  { executionId, tenantId, version, fence, migrationId }: MovedItem,
  also: (tx: Queryable) => Promise<boolean>,
): Promise<boolean> {
  const standing = { id: executionId, tenantId, version, ...fence };
  return db.transaction(async (tx) => {
    if ((await lockWaiting(tx, kind, standing)) === undefined) return false;
    const [entry] = await tx.query<{ cause: Cause; fields: { mapping: Record<string, string> } }>(
      "select cause, fields from run_events where execution_id = $1 and seq = $2 and event = 'execution.migrated'",
      [executionId, fence.seq],
      "read-move",
    );
    if (entry === undefined) throw new Error(`execution ${executionId} has no entry of its move`);
    const { units, checkpoints, ...row } = entry.cause.before;
    const { checkpoint } = row.columns;
    const seq = fence.seq + 1;
    const context = { ...row.context, seq };
    const columns = { ...row.columns, checkpoint: checkpoint && { ...checkpoint, seq } };
    // The context is written in full again: bytes of patches count from here.
    const state = { ...row.state, patchBytes: 0, snapshotBytes: JSON.stringify(context).length };
    const cause = { t: "migrated", replay: checkpoints ? { state, context } : null, before: null };
    await writeMove(
      tx,
      kind,
      standing,
      { ...row, state, context, columns },
      units.map(([from, to, visit]): RenamedUnit => [to, from, visit]),
      {
        at: new Date().toISOString(),
        fields: { from: version, to: row.version, mapping: {}, migrationId, undone: true },
        cause: cause as unknown as Json, // cast: it is JSON
      },
    );
    if (!(await also(tx))) throw new MovedElsewhere();
    return true;
  });
}
