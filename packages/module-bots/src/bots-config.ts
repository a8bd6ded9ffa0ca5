import { type BotLanguage, BotLanguageSchema } from "@oven/contract/agent";
import type { ConfigKey, ConfigService } from "@oven/module-registry";
import { RetentionDaysSchema, type WorkflowPlatform } from "@oven/module-workflows";

const LANGUAGE = "BOT_LANGUAGE";
const KEEP_DAYS = "BOT_MESSAGES_KEEP_DAYS";

export const botsConfigKeys: ConfigKey[] = [
  {
    key: LANGUAGE,
    type: "string",
    description: "Language of what bots say themselves, where a bot has no language of its own: en or de",
    defaultValue: "en",
    schema: BotLanguageSchema,
  },
  {
    key: KEEP_DAYS,
    type: "number",
    description: "Days for which messages to bots and their answers stay, and threads remember what was said",
    defaultValue: 90,
    schema: RetentionDaysSchema,
  },
];

/** The language of what a bot says itself: its own, or that of its tenant. */
export async function languageOf(
  config: Pick<ConfigService, "resolve">,
  { tenantId, language }: { tenantId: number; language: BotLanguage | null },
): Promise<BotLanguage> {
  if (language !== null) return language;
  const request = { module: "module-bots", key: LANGUAGE, tenantId };
  return BotLanguageSchema.parse((await config.resolve(request)).value);
}

/** What was answered long ago goes; what still waits stays. */
export function addBotRetention({ retention }: WorkflowPlatform): void {
  const setting = { module: "module-bots", key: KEEP_DAYS };
  retention.add({ table: "bot_messages", since: "created_at", settled: "ended_at is not null", setting });
}
