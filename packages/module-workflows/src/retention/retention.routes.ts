import { RetentionReportSchema } from "@oven/contract/system";
import { defineRoute, ok, type Route } from "@oven/module-registry";
import { z } from "zod";
import type { RetentionService } from "./retention-service.ts";

export function retentionRoutes(deps: () => { retention: RetentionService }): Route[] {
  return [
    defineRoute({
      method: "POST",
      path: "retention/run",
      operation: false,
      summary: "Remove now what the retention settings of this tenant say is due; otherwise it is done once a day",
      access: { permission: "config.update" },
      effect: "idempotent",
      body: z.strictObject({}),
      response: RetentionReportSchema,
      handler: async ({ principal }) => ok(await deps().retention.sweep(principal.tenantId)),
    }),
  ];
}
