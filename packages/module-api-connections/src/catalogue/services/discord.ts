import type { CataloguedService } from "@oven/contract/api";

export const discord: CataloguedService = {
  slug: "discord",
  name: "Discord",
  category: "communication",
  description: "Messages and channels of Discord servers.",
  documentation: "https://discord.com/developers/docs/reference",
  source: {
    type: "url",
    url: "https://raw.githubusercontent.com/discord/discord-api-spec/main/specs/openapi.json",
  },
  serverUrl: "https://discord.com/api/v10",
  auth: {
    type: "api-key",
    in: "header",
    name: "Authorization",
    prefix: "Bot ",
  },
  steps: [
    "Create an application in the Discord developer portal, and copy the token of its bot.",
    "Invite the bot to your server with the permissions that it needs, such as Send Messages.",
  ],
  operations: [
    "GET /users/@me",
    "GET /guilds/{guild_id}/channels",
    "GET /channels/{channel_id}",
    "GET /channels/{channel_id}/messages",
    "POST /channels/{channel_id}/messages",
  ],
  notes: [],
  checkedAt: "2026-11-29",
};
