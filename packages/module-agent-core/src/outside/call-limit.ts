import type { OvenErrorOptions } from "@oven/contract";
import type { Database } from "@oven/db";
import type { Rates } from "@oven/module-registry";
import type { ConnectionTable } from "./due-checks.ts";

interface Limited {
  id: number;
  tenantId: number;
  name: string;
  callsPerMinute: number;
  callsPerDay: number | null;
}

interface Over {
  message: string;
  options: OvenErrorOptions;
}

/** Counts a call against the limits of its connection. @returns what is over, with when there is room again; undefined: it may be made */
export async function countCall(
  { db, rates }: { db: Database; rates: Rates },
  table: ConnectionTable,
  { id, tenantId, name, callsPerMinute, callsPerDay }: Limited,
): Promise<Over | undefined> {
  const wait = await rates.take(`${table} ${id}`, callsPerMinute);
  if (wait > 0)
    return {
      message: `${name} may be called ${callsPerMinute} times a minute; there is room in ${wait} ms`,
      options: {
        ...{ status: 429, retryable: true, retryAfterMs: wait },
        fix: "Wait, or raise the connection's calls a minute.",
      },
    };
  if (callsPerDay === null) return undefined;
  const counted = await db.system.query(
    `update ${table}
     set day_calls = case when day = (now() at time zone 'utc')::date then day_calls + 1 else 1 end, day = (now() at time zone 'utc')::date
     where id = $1 and tenant_id = $2
       and (day is distinct from (now() at time zone 'utc')::date or day_calls < $3)
     returning id`,
    [id, tenantId, callsPerDay],
  );
  if (counted.length > 0) return undefined;
  return {
    message: `${name} may be called ${callsPerDay} times a day, and that is used up until midnight UTC`,
    options: { status: 429, fix: "Wait until tomorrow, or raise the connection's calls a day." },
  };
}
