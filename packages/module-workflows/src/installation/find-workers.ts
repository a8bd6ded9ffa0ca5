import type { ExecutionKind } from "@oven/contract/run";
import type { Workers } from "@oven/contract/system";
import type { Database } from "@oven/db";
import type { BossQueue } from "../runtime/boss-queue.ts";
import { namesOf, type RunKinds } from "../runtime/run-kinds.ts";

/** Begins the names of processes that leave the runs to others; the queue learns of its fetchers only with a heartbeat. */
export const ONLY_SERVES = "serves-";
const SHOWN_RUNS = 50;
const READ_LEASES = 10_000;

interface Lease {
  id: number;
  kind: ExecutionKind;
  currentState: string;
  owner: string;
  until: Date;
}

/** Who works on runs: the processes that the queue knows, and what each holds. */
export async function findWorkers({
  db,
  kinds,
  queue,
  here,
}: {
  db: Database;
  kinds: RunKinds;
  queue: BossQueue;
  /** The name of this process. */
  here: string;
}): Promise<Workers> {
  const [instances, leases] = await Promise.all([queue.instances(), readLeases(db, kinds)]);
  const names = new Set(instances.filter(({ live }) => live).map(({ name }) => name));
  return {
    workers: instances.map((instance) => {
      const held = leases.filter(({ owner }) => owner === instance.name);
      return {
        name: instance.name ?? instance.id,
        host: instance.host,
        pid: instance.pid,
        here: instance.name === here,
        takesRuns: instance.name?.startsWith(ONLY_SERVES) !== true,
        live: instance.live,
        startedAt: instance.startedOn.toISOString(),
        heartbeatAt: instance.heartbeatOn.toISOString(),
        stoppedAt: instance.stoppedOn?.toISOString() ?? null,
        nodeVersion: instance.nodeVersion,
        memory: instance.metrics?.rss ?? null,
        runs: held.slice(0, SHOWN_RUNS).map(toLeased),
        leases: held.length,
      };
    }),
    orphans: leases
      .filter(({ owner }) => !names.has(owner))
      .slice(0, SHOWN_RUNS)
      .map(toLeased),
  };
}

async function readLeases(db: Database, kinds: RunKinds): Promise<Lease[]> {
  const selects = kinds.all().map(
    (kind) => `select id, '${kind.kind.kind}' as kind, current_state as "currentState", lease_owner as owner,
      lease_until as until from ${namesOf(kind).executions}
      where status in ('pending', 'running', 'paused') and lease_owner is not null and lease_until > now()`,
  );
  const rows = await db.query<Lease & Record<string, unknown>>(
    `${selects.join(" union all ")} order by id limit ${READ_LEASES}`,
  );
  return rows.map((row) => ({ ...row, until: new Date(row.until) }));
}

function toLeased({ id, kind, currentState, until }: Lease) {
  return { id, kind, currentState, leaseUntil: until.toISOString() };
}
