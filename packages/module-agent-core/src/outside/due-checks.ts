import type { Database } from "@oven/db";
import type { ServiceMap } from "@oven/module-registry";

/** A process that claims a check and ends leaves it for this long. */
export const CLAIM_MS = 2 * 60_000;
const MOST_ERROR = 1_000;

/** Tables of connections: `enabled`, `next_check_at`, `failures` and `last_error` are columns of each. */
export type ConnectionTable = "mcp_connections" | "api_connections" | "a2a_connections";

/**
 * Takes checks that are due, of all tenants; two processes never take the same one.
 * @returns ids of the connections, which are to be looked at within `CLAIM_MS`
 */
export async function claimDue(db: Database, table: ConnectionTable, atOnce: number): Promise<number[]> {
  const claimed = await db.system.query<{ id: number }>(
    `update ${table} set next_check_at = now() + $1 * interval '1 millisecond' where id in (
       select id from ${table} where enabled and next_check_at <= now() order by next_check_at
       limit $2 for update skip locked)
     returning id`,
    [CLAIM_MS, atOnce],
  );
  return claimed.map(({ id }) => Number(id));
}

/** Milliseconds until the next check; undefined: none. */
export async function untilNextCheck(db: Database, table: ConnectionTable): Promise<number | undefined> {
  const [next] = await db.system.query<{ ms: number | null }>(
    `select (extract(epoch from min(next_check_at) - now()) * 1000)::float8 as ms from ${table} where enabled`,
  );
  return next?.ms == null ? undefined : Math.max(0, Math.ceil(next.ms));
}

/** How long a connection that failed is left alone: after the first failure, and at most. */
export interface Backoff {
  firstMs: number;
  mostMs: number;
}

/**
 * What is written down of a failed contact: twice as long until the next check after each more in a row. People read the error, and models
 * do: what the other side repeats of a secret is not in it.
 */
export function toFailure(
  secrets: Pick<ServiceMap["secrets"], "redact">,
  { tenantId, failures }: { tenantId: number; failures: number },
  error: unknown,
  { firstMs, mostMs }: Backoff,
) {
  const said = error instanceof Error ? error.message : String(error);
  return {
    lastError: secrets.redact(tenantId, said).replaceAll("\u0000", "").slice(0, MOST_ERROR),
    failures: failures + 1,
    nextCheckAt: new Date(Date.now() + Math.min(mostMs, firstMs * 2 ** Math.min(failures, 10))),
  };
}
