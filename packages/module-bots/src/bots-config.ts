import type { ConfigKey } from "@oven/module-registry";
import { RetentionDaysSchema, type WorkflowPlatform } from "@oven/module-workflows";

const KEEP_DAYS = "BOT_MESSAGES_KEEP_DAYS";

export const botsConfigKeys: ConfigKey[] = [
  {
    key: KEEP_DAYS,
    type: "number",
    description: "Days for which messages to bots and their answers stay, and threads remember what was said",
    defaultValue: 90,
    schema: RetentionDaysSchema,
  },
];

/** What was answered long ago goes; what still waits stays. */
export function addBotRetention({ retention }: WorkflowPlatform): void {
  const setting = { module: "module-bots", key: KEEP_DAYS };
  retention.add({ table: "bot_messages", since: "created_at", settled: "ended_at is not null", setting });
}
