import type { ConfigKey } from "@oven/module-registry";
import { NO_RUN, RetentionDaysSchema, type WorkflowPlatform } from "@oven/module-workflows";
import { DELIVERY_BLOB } from "./delivery-blobs.ts";

const MODULE = "module-triggers";

export const retentionConfigKeys: ConfigKey[] = [
  {
    key: "RETENTION_TRIGGER_DELIVERIES_DAYS",
    type: "number",
    description: "Days for which the log of what arrived at triggers is kept; what comes again later, starts again",
    defaultValue: 90,
    schema: RetentionDaysSchema,
  },
  {
    key: "RETENTION_EVENT_DELIVERIES_DAYS",
    type: "number",
    description: "Days for which the log of events that were posted, or given up, is kept",
    defaultValue: 30,
    schema: RetentionDaysSchema,
  },
];

/** What is still to be decided or sent stays, and so does what started a run that goes on. */
export function addDeliveryRetention({ retention }: WorkflowPlatform): void {
  retention.add({
    table: "trigger_deliveries",
    since: "received_at",
    settled: "decision not in ('received', 'queued', 'held')",
    run: "execution_id",
    setting: { module: MODULE, key: "RETENTION_TRIGGER_DELIVERIES_DAYS" },
  });
  // What was attached goes once its delivery is gone.
  retention.add({
    table: "run_blobs",
    since: "created_at",
    settled: `execution_id = ${NO_RUN.executionId} and node_id = '${DELIVERY_BLOB}' and not exists (
      select 1 from trigger_deliveries d where d.trigger_id || ':' || d.key = run_blobs.item)`,
    setting: { module: MODULE, key: "RETENTION_TRIGGER_DELIVERIES_DAYS" },
  });
  retention.add({
    table: "subscription_deliveries",
    since: "created_at",
    settled: "status <> 'pending'",
    setting: { module: MODULE, key: "RETENTION_EVENT_DELIVERIES_DAYS" },
  });
}
