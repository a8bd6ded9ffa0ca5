import { OvenError } from "@oven/contract";
import type { Database } from "@oven/db";
import type { Rates } from "@oven/module-registry";
import type { ConnectionRow } from "../connections/connection-row.ts";

/** Counts a call against its connection's limits. @throws OvenError API_CALL_LIMIT, with when there is room again */
export async function countCall(db: Database, rates: Rates, row: ConnectionRow): Promise<void> {
  const { id, tenantId, name, callsPerMinute, callsPerDay } = row;
  const wait = await rates.take(`api connection ${id}`, callsPerMinute);
  if (wait > 0)
    throw new OvenError(
      "API_CALL_LIMIT",
      `${name} may be called ${callsPerMinute} times a minute; there is room in ${wait} ms`,
      { status: 429, retryable: true, retryAfterMs: wait, fix: "Wait, or raise the connection's calls a minute." },
    );
  if (callsPerDay === null) return;
  const counted = await db.system.query(
    `update api_connections
     set day_calls = case when day = (now() at time zone 'utc')::date then day_calls + 1 else 1 end, day = (now() at time zone 'utc')::date
     where id = $1 and tenant_id = $2
       and (day is distinct from (now() at time zone 'utc')::date or day_calls < $3)
     returning id`,
    [id, tenantId, callsPerDay],
  );
  if (counted.length > 0) return;
  throw new OvenError(
    "API_CALL_LIMIT",
    `${name} may be called ${callsPerDay} times a day, and that is used up until midnight UTC`,
    { status: 429, fix: "Wait until tomorrow, or raise the connection's calls a day." },
  );
}
