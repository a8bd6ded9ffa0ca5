import type { CataloguedService } from "@oven/contract/api";

export const slack: CataloguedService = {
  slug: "slack",
  name: "Slack",
  category: "communication",
  description: "Messages, channels and people of a Slack workspace.",
  documentation: "https://docs.slack.dev/reference/methods",
  source: {
    type: "url",
    url: "https://raw.githubusercontent.com/slackapi/slack-api-specs/master/web-api/slack_web_openapi_v2.json",
  },
  serverUrl: "https://slack.com/api",
  auth: {
    type: "bearer",
  },
  steps: [
    "Create an app at api.slack.com/apps, add bot scopes such as chat:write and channels:read, and install it in the workspace.",
    "Copy the bot's token, which begins with xoxb-, and invite the bot to the channels that it may read.",
  ],
  operations: [
    "POST /chat.postMessage",
    "POST /chat.update",
    "GET /conversations.list",
    "GET /conversations.history",
    "GET /conversations.replies",
    "GET /users.list",
    "GET /users.lookupByEmail",
    "POST /reactions.add",
  ],
  notes: ["The document is no longer maintained; operations that are newer are not in it."],
  checkedAt: "2026-11-29",
};
