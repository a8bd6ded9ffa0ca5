import type { Database } from "@oven/db";
import { type HistoryEntry, nextTurn, type RunHistory, type RunSignal, type StoredRow } from "@oven/engine";
import { NODE_COLUMNS, type NodeRow, toStoredRow } from "./run-row.ts";

/** Rows of one answer: to parse tens of thousands at once would hold the process. */
const BATCH = 200;

type EntryRow = Omit<HistoryEntry, "at"> & { at: Date } & Record<string, unknown>;

/** The log of a run up to an entry, in parts. */
export async function* readLogParts(
  db: Database,
  executionId: number,
  untilSeq: number,
): AsyncGenerator<HistoryEntry[], void> {
  let after = 0;
  while (after < untilSeq) {
    await nextTurn();
    const rows = await db.query<EntryRow>(
      `select seq, event, at, fields, patch, cause from run_events
       where execution_id = $1 and seq > $2 and seq <= $3 order by seq limit ${BATCH}`,
      [executionId, after, untilSeq],
    );
    yield rows.map((entry) => ({ ...entry, at: entry.at.toISOString() }));
    const last = rows.at(-1);
    if (last === undefined || rows.length < BATCH) return;
    after = last.seq;
  }
}

export async function readSignals(db: Database, executionId: number): Promise<RunSignal[]> {
  const signals = await db.query<{ id: number; type: RunSignal["type"]; data: unknown }>(
    "select id, type, data from run_signals where execution_id = $1 and consumed_at is not null order by id",
    [executionId],
  );
  return signals as RunSignal[]; // cast: type and data were written together
}

/** All that is recorded of a run, up to an entry of its log. @param nodes the table of its node runs */
export async function readHistory(
  db: Database,
  nodes: string,
  executionId: number,
  untilSeq: number,
): Promise<RunHistory> {
  const entries: HistoryEntry[] = [];
  for await (const part of readLogParts(db, executionId, untilSeq)) entries.push(...part);
  const rows: StoredRow[] = [];
  for await (const part of readRows(db, nodes, executionId)) rows.push(...part.map(toStoredRow));
  return { entries, rows, signals: await readSignals(db, executionId) };
}

async function* readRows(db: Database, nodes: string, executionId: number): AsyncGenerator<NodeRow[], void> {
  const found = await db.query<{ id: number }>(`select id from ${nodes} where execution_id = $1 order by id`, [
    executionId,
  ]);
  for (let first = 0; first < found.length; first += BATCH) {
    const ids = found.slice(first, first + BATCH).map(({ id }) => id);
    await nextTurn();
    yield await db.query<NodeRow>(`select ${NODE_COLUMNS} from ${nodes} where id = any($1::bigint[]) order by id`, [
      ids,
    ]);
  }
}
