import type { Json } from "@oven/contract";
import type { Database, Queryable } from "@oven/db";
import { moveRun, type RunBases, type RunRecord, renamed, toSnapshot } from "@oven/engine";
import type { RunKind } from "../runtime/run-kinds.ts";
import type { SqlStore } from "../runtime/sql-store.ts";
import type { Moves } from "./moves.ts";
import { lockWaiting, type MovedRow, type RenamedUnit, writeMove } from "./write-move.ts";

export interface MoveDeps {
  db: Database;
  store: Pick<SqlStore, "read">;
  bases: RunBases;
}

/** What undoing a move restores; a part of the entry in the run's log. */
export interface BeforeMove extends MovedRow {
  units: RenamedUnit[];
  /** Whether the log of that version keeps what its steps were made of. */
  checkpoints: boolean;
}

/** The fence of a run as a move has left it. */
export interface Fence {
  epoch: number;
  seq: number;
}

/**
 * Moves one waiting run that `Moves.judge` lets go, with whatever `also` writes, or neither.
 * @param judged the run's version and signature, as it was judged
 * @returns undefined when something has happened to the run since
 * @throws OvenError RUN_NOT_MOVABLE
 */
export async function moveOne(
  { db, store, bases }: MoveDeps,
  kind: RunKind,
  moves: Moves,
  migrationId: number,
  judged: { id: number; version: number; signature: string },
  also: (tx: Queryable, fence: Fence) => Promise<boolean>,
): Promise<Fence | undefined> {
  const record = await store.read(judged.id);
  if (record?.state == null || record.workflowVersion !== judged.version) return undefined;
  if (signatureOf(moves, record) !== judged.signature) return undefined;
  const { facts, context } = await bases.at(record);
  const before = await moves.before(record.workflowVersion);
  const { after } = moves;
  const now = Date.now();
  const { mapping } = moves;
  const moved = moveRun({
    ...{ before, after: after.compiled, mapping, now, seq: record.seq + 1, config: after.config },
    ...{ facts, snapshot: { state: record.state, context } },
  });
  const units = record.state.units.flatMap(({ nodeId, visit }): RenamedUnit[] => {
    const to = renamed(nodeId, mapping);
    return to === nodeId ? [] : [[nodeId, to, visit]];
  });
  const replay = { state: moved.state, context: toSnapshot(moved.context, record.seq + 1) };
  const row: MovedRow = {
    version: moves.wanted.version,
    ...{ state: moved.state, context: replay.context, columns: moved.columns, wakeAt: moved.wakeAt },
    pinnedCalls: toPins(moves.pins, record.pinnedCalls),
  };
  const fields = { from: record.workflowVersion, to: moves.wanted.version, mapping: { ...mapping }, migrationId };
  const standing = { ...record, version: record.workflowVersion };
  return db.transaction(async (tx) => {
    const locked = await lockWaiting(tx, kind, standing);
    if (locked === undefined) return undefined;
    const cause = {
      t: "migrated",
      replay: after.compiled.checkpoints ? replay : null,
      before: {
        ...{ ...locked, version: record.workflowVersion, state: record.state, pinnedCalls: record.pinnedCalls },
        context: toSnapshot(context, record.seq),
        units,
        checkpoints: before.checkpoints,
      },
    };
    const entry = { at: new Date(now).toISOString(), fields, cause: cause as unknown as Json }; // cast: it is JSON
    const fence = await writeMove(tx, kind, standing, row, units, entry);
    if (await also(tx, fence)) return fence;
    throw new MovedElsewhere();
  });
}

/** Another process has settled the same run of the same migration. */
export class MovedElsewhere extends Error {}

function signatureOf(moves: Moves, { id, workflowVersion, status, state, options, part }: RunRecord): string {
  if (state === null) return "";
  return moves.signatureOf({ id, version: workflowVersion, status, state, options, part, busy: false });
}

/** Agents and what the new version calls, as pinned now; an agent's own version stays. */
function toPins(
  pins: Readonly<Record<string, number>>,
  before: Record<string, number> | null,
): Record<string, number> | null {
  const own = Object.entries(before ?? {}).filter(([name]) => name.startsWith("agent:"));
  const all = { ...pins, ...Object.fromEntries(own) };
  return Object.keys(all).length === 0 ? null : all;
}
