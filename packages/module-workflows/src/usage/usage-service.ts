import type { Database } from "@oven/db";

export const USAGE_PERIODS = ["hour", "day", "month", "total"] as const;
export type UsagePeriod = (typeof USAGE_PERIODS)[number];

export interface UsageScope {
  tenantId: number;
  metric: string;
  /** The customer or other party whose usage is counted; empty: the whole tenant. */
  subject: string;
}

/** What is counted of what, per tenant. */
export interface UsageService {
  /** The sum of the period that runs now; hours, days and months are those of UTC, on the database's clock. */
  used(scope: UsageScope, period: UsagePeriod): Promise<number>;
  /** Counts once per key; false when the key was counted already. */
  record(usage: UsageScope & { amount: number; executionId: number; dedupeKey: string }): Promise<boolean>;
}

declare module "@oven/module-registry" {
  interface ServiceMap {
    usage: UsageService;
  }
}

export function createUsageService(db: Database): UsageService {
  return {
    async used({ tenantId, metric, subject }, period) {
      const since = period === "total" ? "" : "and created_at >= date_trunc($4, now(), 'UTC')";
      const [row] = await db.query<{ used: number }>(
        `select coalesce(sum(amount), 0) as used from usage_records where tenant_id = $1 and metric = $2 and subject = $3 ${since}`,
        [tenantId, metric, subject, ...(period === "total" ? [] : [period])],
        `usage-${period === "total" ? "total" : "since"}`,
      );
      return Number(row?.used ?? 0);
    },
    async record({ tenantId, metric, subject, amount, executionId, dedupeKey }) {
      const rows = await db.query(
        `insert into usage_records (tenant_id, metric, subject, amount, execution_id, dedupe_key) values ($1, $2, $3, $4, $5, $6)
         on conflict (tenant_id, dedupe_key) do nothing returning id`,
        [tenantId, metric, subject, amount, executionId, dedupeKey],
        "usage-record",
      );
      return rows.length > 0;
    },
  };
}
