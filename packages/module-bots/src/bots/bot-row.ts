import type { Bot } from "@oven/contract/agent";
import type { DecisionSource } from "@oven/module-notifications";
import type { Place } from "../messengers/bot-messenger.ts";
import type { bots } from "../schema.ts";

export type BotRow = typeof bots.$inferSelect;

const TIMEZONE = "UTC";

export function toBot(row: BotRow, targetName: string | null): Bot {
  const { id, name, enabled, connection, target, guests, listens, perHour, language, key, workspace, lastError } = row;
  const isSlack = connection.type === "slack-app";
  const path = `/api/bots/${isSlack ? "slack" : "teams"}/${key}`;
  return {
    ...{ id, name, enabled, connection, target, targetName, guests, listens, perHour, language, lastError },
    eventsPath: isSlack ? `${path}/events` : path,
    actionsPath: isSlack ? `${path}/actions` : null,
    workspace: connection.type === "teams" ? connection.directory : workspace,
    lastMessageAt: row.lastMessageAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
  };
}

/** A bot as module-notifications knows what posts messages in Slack. @throws Error for a bot of another messenger */
export function slackSource(bot: BotRow, conversation = ""): DecisionSource<"slack-app"> {
  const { id, tenantId, connection } = bot;
  if (connection.type !== "slack-app") throw new Error(`bot ${id} is none of Slack`);
  return { kind: "bot", id, tenantId, timezone: TIMEZONE, channel: { ...connection, conversation } };
}

/** The same for Microsoft Teams. @param place where it answers; the address of the connector is the one that was proved there */
export function teamsSource(bot: BotRow, place?: Pick<Place, "conversation" | "serviceUrl">): DecisionSource<"teams"> {
  const { id, tenantId, connection } = bot;
  if (connection.type !== "teams") throw new Error(`bot ${id} is none of Microsoft Teams`);
  const serviceUrl = place?.serviceUrl ?? connection.serviceUrl;
  const channel = { ...connection, serviceUrl, conversation: place?.conversation ?? "" };
  return { kind: "bot", id, tenantId, timezone: TIMEZONE, channel };
}

/** As reviews are shown where a message stands. */
export function sourceAt(bot: BotRow, place: Place): DecisionSource {
  return bot.connection.type === "slack-app" ? slackSource(bot, place.conversation) : teamsSource(bot, place);
}
