import { type NotificationPreferences, NotificationPreferencesSchema } from "@oven/contract/system";
import type { ConfigKey, ConfigService } from "@oven/module-registry";
import { RetentionDaysSchema, type WorkflowPlatform } from "@oven/module-workflows";
import { z } from "zod";

export const DUE_SOON = "notifications.review.due-soon";

/** A week. */
export const LONGEST_DEADLINE_MINUTES = 10_080;

const MINUTES = z.int().min(1).max(LONGEST_DEADLINE_MINUTES);

const UNASSIGNED = NotificationPreferencesSchema.shape.digest.unwrap();

export const notifyConfigKeys: ConfigKey[] = [
  {
    key: "NOTIFY_DEADLINE_MINUTES",
    type: "number",
    description: "So many minutes before a review is due, people are told that its deadline is near",
    defaultValue: 60,
    schema: MINUTES,
  },
  {
    key: "NOTIFY_UNASSIGNED",
    type: "string",
    description:
      "When mail about a review without assignees goes to each who may decide, unless their own digest comes later: at once (none), at the next full hour (hourly) or at eight in the morning (daily)",
    defaultValue: "hourly",
    schema: UNASSIGNED,
  },
  {
    key: "NOTIFY_KEEP_DAYS",
    type: "number",
    description: "Days for which notifications and the log of what was sent are kept",
    defaultValue: 90,
    schema: RetentionDaysSchema,
  },
];

type Config = Pick<ConfigService, "resolve">;

const read = async (config: Config, key: string, tenantId: number): Promise<unknown> =>
  (await config.resolve({ module: "module-notifications", key, tenantId })).value;

export async function readDeadlineMinutes(config: Config, tenantId: number): Promise<number> {
  return MINUTES.parse(await read(config, "NOTIFY_DEADLINE_MINUTES", tenantId));
}

/** How mail about a review without assignees is gathered. */
export async function readUnassigned(config: Config, tenantId: number): Promise<NotificationPreferences["digest"]> {
  return UNASSIGNED.parse(await read(config, "NOTIFY_UNASSIGNED", tenantId));
}

/** What people were told long ago goes; what still waits to be sent stays. */
export function addNotificationRetention({ retention }: WorkflowPlatform): void {
  const setting = { module: "module-notifications", key: "NOTIFY_KEEP_DAYS" };
  retention.add({ table: "notifications", since: "created_at", setting });
  retention.add({ table: "notification_deliveries", since: "created_at", settled: "status <> 'pending'", setting });
}
