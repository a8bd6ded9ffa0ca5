import { UsageRowSchema, UsageSummarySchema } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { getTableColumns } from "@oven/db/drizzle";
import { defineRoute, ListQuerySchema, listReply, listRows, ok, type Route, toListParams } from "@oven/module-registry";
import { z } from "zod";
import { aiUsageLogs } from "../tables/ai-usage-logs.table.ts";
import { toUsageRow } from "../usage/record-usage.ts";
import { summarizeUsage } from "../usage/usage-summary.ts";

const READ = { permission: "ai-usage.read" };
const instant = z.coerce.date().optional();
const SummaryQuery = z.strictObject({
  by: z.enum(["day", "model", "workflow"]).default("day"),
  /** Part of it. */
  from: instant,
  /** Not part of it. */
  to: instant,
  workflow: z.string().optional(),
  agent: z.string().optional(),
});

export function createUsageRoutes(database: () => Database): Route[] {
  return [
    defineRoute({
      method: "GET",
      path: "ai-usage-logs",
      operation: "usage.list",
      summary: "List model calls with tokens, cost and duration",
      access: READ,
      query: ListQuerySchema,
      response: z.array(UsageRowSchema),
      effect: "pure",
      async handler({ query, principal }) {
        const params = toListParams(query);
        const { tenantId, tokenUsage: _tokenUsage, error, ...fields } = getTableColumns(aiUsageLogs);
        const listing = { table: aiUsageLogs, fields, search: [aiUsageLogs.modelId, error], tenant: tenantId };
        const { rows, total } = await listRows(database().orm, principal, params, listing);
        return listReply("ai-usage-logs", params, rows.map(toUsageRow), total);
      },
    }),
    defineRoute({
      method: "GET",
      path: "ai-usage-logs/summary",
      operation: "usage.summary",
      summary: "What model calls came to, by day (UTC), model or workflow",
      description:
        "Days in order, models and workflows dearest first. Narrow it with `from` and `to` (instants), `workflow` and `agent`.",
      access: READ,
      query: SummaryQuery,
      response: z.array(UsageSummarySchema),
      effect: "pure",
      handler: async ({ query, principal }) => ok(await summarizeUsage(database(), principal.tenantId, query)),
    }),
  ];
}
