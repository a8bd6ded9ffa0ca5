import type { Database } from "../../../packages/db/src/index.ts";
import { CHAOS_DEFINITION } from "./chaos-definition.ts";
import type { Effect } from "./effect-ledger.ts";

/** What a campaign runs, and what must come of it. */
export interface ChaosShape {
  definition: object;
  /** Names of the rows of one run, sorted. */
  rows: readonly string[];
  /** Rows without an item that call the ledger. */
  calls: RegExp;
  /** What must hold beside rows, log and calls; each disagreement in words. */
  checkMore?(db: Database): Promise<string[]>;
}

const EXPECTED_ROWS = [
  ...["ask#1", "b1#1", "b1#2", "b1#3", "b2#1", "b2#2", "b2#3", "begin#1", "each#1", "l1#1", "l2#1", "last#1", "pay#1"],
  ...["r1#1", "r2#1", "r2#1/k0", "r2#1/k1", "r2#1/k2", "r2#1/k3", "wait#1"],
];

/** Every kind of step, as `CHAOS_DEFINITION` has them. */
export const EVERY_KIND: ChaosShape = {
  definition: CHAOS_DEFINITION,
  rows: EXPECTED_ROWS,
  calls: /^(begin|l1|l2|r1|b1|b2|pay|last)$/,
};

interface NodeRow extends Record<string, unknown> {
  execution_id: number;
  node_id: string;
  visit: number;
  item: string | null;
  status: string;
  attempt: number;
}

/** What the database and the ledger must agree on after any number of kills; each disagreement in words. */
export async function checkCampaign(
  shape: ChaosShape,
  db: Database,
  ids: readonly number[],
  effects: readonly Effect[],
  disturbances: number,
): Promise<string[]> {
  const problems: string[] = [];
  const runs = await db.query<{ id: number; status: string; seq: number; error: string | null }>(
    "select id, status, seq, error from workflow_executions order by id",
  );
  if (runs.length !== ids.length) problems.push(`${ids.length} runs were accepted, and ${runs.length} exist`);
  for (const { id, status, error } of runs)
    if (status !== "completed") problems.push(`run ${id} is ${status}: ${error}`);

  const rows = await db.query<NodeRow>(
    "select execution_id, node_id, visit, item, status, attempt from node_executions order by id",
  );
  for (const [id, own] of Map.groupBy(rows, ({ execution_id }) => execution_id)) {
    const names = own.map(nameOf).sort();
    if (names.join() !== shape.rows.join()) problems.push(`run ${id} has the rows ${names.join(" ")}`);
    for (const row of own) if (row.status !== "completed") problems.push(`${id} ${nameOf(row)} is ${row.status}`);
  }

  problems.push(...(await checkLog(db)), ...(await checkCalls(shape, db, rows, effects, disturbances)));
  problems.push(...((await shape.checkMore?.(db)) ?? []));
  return problems;
}

/** The log of each run is gapless, each outcome is in it once, and nothing is left open. */
async function checkLog(db: Database): Promise<string[]> {
  const problems: string[] = [];
  const gaps = await db.query(
    `select e.id from workflow_executions e join run_events v on v.execution_id = e.id
     group by e.id, e.seq having count(*) <> e.seq or min(v.seq) <> 1 or max(v.seq) <> e.seq`,
  );
  if (gaps.length > 0) problems.push(`${gaps.length} logs have gaps`);
  const twice = await db.query(
    `select execution_id from run_events where event = 'node.completed'
     group by execution_id, fields->>'nodeId', fields->>'visit', fields->>'item' having count(*) > 1`,
  );
  if (twice.length > 0) problems.push(`${twice.length} outcomes are in the log twice`);
  const [open] = await db.query<{ signals: number; reviews: number; leases: number }>(
    `select (select count(*)::int from run_signals where consumed_at is null) as signals,
       (select count(*)::int from reviews where status = 'open') as reviews,
       (select count(*)::int from workflow_executions where lease_owner is not null or wake_at is not null) as leases`,
  );
  if (open === undefined || open.signals + open.reviews + open.leases > 0)
    problems.push(`something is left open: ${JSON.stringify(open)}`);
  return problems;
}

/** Each call has one key; it is made again only where a kill lost its outcome, an at-most-once one only by a person. */
async function checkCalls(
  shape: ChaosShape,
  db: Database,
  rows: readonly NodeRow[],
  effects: readonly Effect[],
  disturbances: number,
): Promise<string[]> {
  const problems: string[] = [];
  const reruns = await db.query<{
    execution_id: number;
    node_id: string;
    visit: number;
    item: string | null;
    count: number;
  }>(
    `select execution_id, node_id, visit, item, count(*)::int as count from reviews where action = 'rerun'
     group by execution_id, node_id, visit, item`,
  );
  const supplied = await db.query<{ execution_id: number; node_id: string; visit: number; item: string | null }>(
    "select execution_id, node_id, visit, item from reviews where action = 'supply'",
  );
  const rerunsOf = new Map(reruns.map((row) => [`${row.execution_id} ${nameOf(row)}`, row.count]));
  const byHand = new Set(supplied.map((row) => `${row.execution_id} ${nameOf(row)}`));
  const calls = Map.groupBy(effects, toUnit);
  const keys = new Map(effects.map((effect) => [effect.key, toUnit(effect)]));
  if (keys.size !== calls.size) problems.push(`${calls.size} calls have ${keys.size} keys`);
  for (const row of rows) {
    const unit = `${row.execution_id} ${nameOf(row)}`;
    const own = calls.get(unit) ?? [];
    const [first] = own;
    if (!first) {
      if (row.item === null ? shape.calls.test(row.node_id) && !byHand.has(unit) : !byHand.has(unit))
        problems.push(`${unit} is completed and was never called`);
      continue;
    }
    if (new Set(own.map(({ key }) => key)).size > 1) problems.push(`${unit} was called with several keys`);
    if (own.length > row.attempt) problems.push(`${unit} was called ${own.length} times in ${row.attempt} attempts`);
    if (own.length - 1 > disturbances) problems.push(`${unit} was repeated more often than anything went wrong`);
    if (first.effect === "at-most-once" && own.length > 1 + (rerunsOf.get(unit) ?? 0))
      problems.push(`${unit}, at most once, was called ${own.length} times`);
  }
  return problems;
}

function toUnit({ executionId, nodeId, visit, item }: Effect): string {
  return `${executionId} ${nodeId}#${visit}${item === null ? "" : `/${item}`}`;
}

function nameOf({ node_id, visit, item }: Pick<NodeRow, "node_id" | "visit" | "item">): string {
  return `${node_id}#${visit}${item === null ? "" : `/${item}`}`;
}
