import { notFound, OvenError } from "@oven/contract";
import type { RunOptions } from "@oven/contract/run";
import type { Queryable } from "@oven/db";
import { allRuns, namesOf, type RunKind } from "../runtime/run-kinds.ts";

/** A run, what it called, what called it: they read each other's logs, so they are kept and go together. */
export interface RunFamily {
  root: number;
  members: readonly number[];
}

export interface FamilyRequest {
  tenantId: number;
  kinds: readonly RunKind[];
  /** Ids up to here have been looked at. */
  after: number;
  /** Members must have ended before. */
  endedBefore: Date;
  /** `context_seq` of the runs that are looked for, from and to. */
  marks: readonly [number, number];
  /** How many runs are looked at. */
  limit: number;
}

const ENDED = "status in ('completed', 'failed', 'cancelled')";

/** The next families of which every member ended long enough ago, and up to which id was looked. */
export async function nextFamilies(
  db: Queryable,
  { tenantId, kinds, after, endedBefore, marks, limit }: FamilyRequest,
): Promise<{ families: RunFamily[]; lookedUpTo: number | undefined }> {
  const runs = allRuns(kinds, "id, coalesce(root_id, id) as root, tenant_id, status, completed_at, context_seq");
  const found = await db.query<{ id: number; root: number }>(
    `select id, root from (${runs}) r where tenant_id = $1 and id > $2 and ${ENDED} and completed_at < $3
       and context_seq between $4 and $5 order by id limit ${limit}`,
    [tenantId, after, endedBefore, ...marks],
  );
  const roots = [...new Set(found.map(({ root }) => root))];
  const all = `select * from (${allRuns(kinds, "id, root_id, status, completed_at, context_seq")}) r`;
  // By key and by family index; `coalesce` would use neither.
  const members = await db.query<{ id: number; root: number; due: boolean }>(
    `select id, coalesce(root_id, id) as root, (${ENDED} and completed_at < $2 and context_seq <= $3) as due
     from (${all} where id = any($1::bigint[]) union ${all} where root_id = any($1::bigint[])) m`,
    [roots, endedBefore, marks[1]],
  );
  const families = Map.groupBy(members, ({ root }) => root);
  return {
    families: [...families]
      .filter(([, family]) => family.every(({ due }) => due))
      .map(([root, family]) => ({ root, members: family.map(({ id }) => id) })),
    lookedUpTo: found.at(-1)?.id,
  };
}

interface Member extends Record<string, unknown> {
  id: number;
  root_id: number | null;
  ended: boolean;
}

/** A run and all that were started for it, locked until the transaction ends. */
export async function familyOf(
  db: Queryable,
  kinds: readonly RunKind[],
  { tenantId, id }: { tenantId: number; id: number },
): Promise<Member[]> {
  const members: Member[] = [];
  for (const { executions } of kinds.map(namesOf)) {
    const found = await db.query<Member>(
      `select id, root_id, ${ENDED} as ended from ${executions} where tenant_id = $1 and (id = $2 or root_id = $2) order by id for update`,
      [tenantId, id],
    );
    members.push(...found);
  }
  return members;
}

/** @throws OvenError NOT_FOUND, RUN_IN_USE 409 */
export function requireRemovable(id: number, members: readonly Member[], held: ReadonlySet<number>): void {
  const root = members.find((member) => member.id === id);
  if (root === undefined) throw notFound("execution", id);
  const why = reasonToKeep(root, members, held);
  if (why !== undefined)
    throw new OvenError("RUN_IN_USE", `Execution ${id} cannot be deleted: ${why.reason}`, {
      status: 409,
      fix: why.fix,
    });
}

function reasonToKeep(root: Member, members: readonly Member[], held: ReadonlySet<number>) {
  if (root.root_id !== null) return { reason: `it belongs to execution ${root.root_id}`, fix: "Delete that one." };
  const live = members.find(({ ended }) => !ended);
  if (live !== undefined) return { reason: `execution ${live.id} has not ended`, fix: "Cancel it first." };
  const read = members.find((member) => held.has(member.id));
  if (read !== undefined)
    return { reason: `another one was retried or forked from ${read.id}`, fix: "It goes when that one does." };
  return undefined;
}

/** Runs that others still read: what they were retried or forked from, and recordings of dry runs that go on. */
export async function heldRuns(
  db: Queryable,
  kinds: readonly RunKind[],
  tenantId: number,
  newerThan = 0,
): Promise<Set<number>> {
  const origins = await db.query<{ origin: number }>(
    `select distinct coalesce(retry_of, fork_of) as origin
     from (${allRuns(kinds, "id, tenant_id, retry_of, fork_of, context_seq")}) r
     where tenant_id = $1 and id > $2 and context_seq >= 0 and (retry_of is not null or fork_of is not null)`,
    [tenantId, newerThan],
  );
  const replaying = await db.query<{ options: RunOptions }>(
    `select options from (${allRuns(kinds, "id, tenant_id, status, options")}) r
     where tenant_id = $1 and id > $2 and options is not null and not (${ENDED})`,
    [tenantId, newerThan],
  );
  const recordings = replaying.flatMap(({ options }) => options.recordingOf ?? []);
  return new Set([...origins.map(({ origin }) => origin), ...recordings]);
}
