import type { Database } from "@oven/db";
import type { Clock } from "@oven/engine";
import { namesOf, type RunKinds, stuckCondition } from "../runtime/run-kinds.ts";

/** For how many seconds the run that waits longest is due without being worked on, of all tenants; 0: none is due. */
export async function findOldestDue({
  db,
  kinds,
  clock,
}: {
  db: Database;
  kinds: RunKinds;
  clock: Clock;
}): Promise<number> {
  const all = kinds.all();
  const due = all.map(
    (kind) => `select coalesce(wake_at, lease_until, created_at) as since from ${namesOf(kind).executions} e
      where ${stuckCondition(all, "$1::timestamptz")} and not ${namesOf(kind).held}`,
  );
  const [row] = await db.query<{ seconds: number }>(
    `select greatest(coalesce(max(extract(epoch from $1::timestamptz - since)), 0), 0)::float8 as seconds
      from (${due.join(" union all ")}) d`,
    [new Date(clock.now())],
  );
  return row?.seconds ?? 0;
}
