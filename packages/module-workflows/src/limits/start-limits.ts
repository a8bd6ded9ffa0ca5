import { OvenError } from "@oven/contract";
import type { Queryable } from "@oven/db";
import { namesOf, type RunKind } from "../runtime/run-kinds.ts";
import type { RunScope, StartLimits } from "./run-limits.ts";

const MINUTE_MS = 60_000;
/** How old a count of waiting runs may be; what this process accepted since is added to it. */
const FRESH_MS = 250;
const TRY_AGAIN_MS = 5_000;
const CACHE_SIZE = 1_000;

/** Refuses at the door what the installation could not hold. */
export class StartRateLimiter {
  readonly #counts = new Map<string, { waiting: number; until: number }>();

  /**
   * A limit per minute asks for the transaction that inserts the run: it is checked by one start after the other.
   * @throws OvenError TOO_MANY_RUNS 429, with the time after which it may go
   */
  async check(tx: Queryable, kind: RunKind, scope: RunScope, limits: StartLimits): Promise<void> {
    if (limits.pending !== undefined) await this.#checkPending(tx, kind, scope, limits.pending);
    if (limits.perMinute !== undefined) await checkRate(tx, kind, scope, limits.perMinute);
  }

  async #checkPending(tx: Queryable, kind: RunKind, scope: RunScope, limit: number): Promise<void> {
    const key = `${scope.kind}:${scope.tenantId}:${scope.workflowId}`;
    let known = this.#counts.get(key);
    if (known === undefined || known.until < Date.now()) {
      if (this.#counts.size >= CACHE_SIZE) this.#counts.clear();
      known = { waiting: await countPending(tx, kind, scope, limit), until: Date.now() + FRESH_MS };
      this.#counts.set(key, known);
    }
    if (known.waiting >= limit) {
      throw tooMany(
        `${limit} runs of this workflow wait for their start already`,
        "MAX_PENDING_RUNS",
        limit,
        TRY_AGAIN_MS,
      );
    }
    known.waiting++;
  }
}

async function countPending(tx: Queryable, kind: RunKind, scope: RunScope, limit: number): Promise<number> {
  const { executions, workflowId } = namesOf(kind);
  const [row] = await tx.query<{ waiting: number }>(
    `select count(*) as waiting from (select 1 from ${executions} where ${workflowId} = $1 and tenant_id = $2
       and status = 'pending' and status in ('pending', 'running', 'paused') and parent_id is null limit $3) as p`,
    [scope.workflowId, scope.tenantId, limit],
    `count-pending-${executions}`,
  );
  return Number(row?.waiting ?? 0);
}

/** A sliding minute: the last start that still counts says when there is room again. */
async function checkRate(tx: Queryable, kind: RunKind, scope: RunScope, limit: number): Promise<void> {
  const { executions, workflowId } = namesOf(kind);
  await tx.query("select pg_advisory_xact_lock(hashtextextended($1, 0))", [
    `oven-starts:${scope.kind}:${scope.tenantId}:${scope.workflowId}`,
  ]);
  const [row] = await tx.query<{ age: number }>(
    `select extract(epoch from clock_timestamp() - created_at)::float * 1000 as age from ${executions}
     where ${workflowId} = $1 and tenant_id = $2 and parent_id is null order by id desc offset $3 limit 1`,
    [scope.workflowId, scope.tenantId, limit - 1],
    `nth-start-${executions}`,
  );
  if (row === undefined || row.age >= MINUTE_MS) return;
  throw tooMany(
    `${limit} runs of this workflow were started within a minute`,
    "MAX_STARTS_PER_MINUTE",
    limit,
    Math.max(1, MINUTE_MS - row.age),
  );
}

function tooMany(message: string, key: string, limit: number, retryAfterMs: number): OvenError {
  return new OvenError("TOO_MANY_RUNS", message, {
    status: 429,
    fix: `Try again after the time in Retry-After, or raise ${key}.`,
    details: { limit: key, value: limit },
    retryable: true,
    retryAfterMs,
  });
}
