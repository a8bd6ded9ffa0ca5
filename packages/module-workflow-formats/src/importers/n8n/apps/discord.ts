import type { JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import type { Given } from "./app-given.ts";
import type { App, AppPlan } from "./app-steps.ts";
import { isExpression, url } from "./app-values.ts";

/** The address of a webhook is a credential, in two parts. */
const WEBHOOK = "https://discord.com/api/webhooks/{id}/{token}";

export const DISCORD: App = {
  title: "Discord",
  credential: "discordWebhookApi",
  secret: "discord",
  plan: (given) => {
    if (given.version < 2) return oldWebhook(given);
    const authentication = given.choice("authentication", "botToken", ["botToken", "oAuth2", "webhook"]);
    const resource = String(given.or("resource", authentication === "webhook" ? "webhook" : "channel"));
    const operation = String(
      given.or("operation", authentication === "webhook" ? "sendLegacy" : resource === "message" ? "send" : ""),
    );
    if (authentication === "webhook") return webhook(given);
    if (resource === "message" && operation === "send") return message(given, authentication);
    throw new NoEquivalent(`there is no node here that does ${resource}: ${operation}`);
  },
};

function oldWebhook(given: Given): AppPlan {
  const options = given.group("options");
  const text = given.get("text");
  const at = given.need("webhookUri", "webhook");
  const body: JsonObject = text === undefined ? {} : { content: text };
  for (const [name, field] of [
    ["username", "username"],
    ["avatarUrl", "avatar_url"],
    ["tts", "tts"],
  ] as const) {
    const value = options.get(name);
    if (value !== undefined) body[field] = value;
  }
  if (text === undefined) throw new NoEquivalent("it sends no text");
  return {
    steps: [
      { what: "request", method: "POST", url: isExpression(at) ? at : WEBHOOK, body },
      { code: "return { success: true };" },
    ],
    notes: ["n8n waits and tries again where Discord is asked too often; here the step fails then."],
  };
}

function refuseFiles(given: Given): void {
  if (given.list("files", "values").length > 0) throw new NoEquivalent("it sends a file");
  if (given.list("embeds", "values").length > 0)
    throw new NoEquivalent("it sends embeds, which are made of its fields");
}

function webhook(given: Given): AppPlan {
  refuseFiles(given);
  const options = given.group("options");
  const isWaiting = options.flag("wait");
  const body: JsonObject = { content: given.need("content", "message") };
  for (const name of ["username", "avatar_url", "tts"]) {
    const value = options.get(name);
    if (value !== undefined) body[name] = value;
  }
  if (isWaiting) return { steps: [{ method: "POST", url: WEBHOOK, query: { wait: true }, body }] };
  return { steps: [{ what: "request", method: "POST", url: WEBHOOK, body }, { code: "return {};" }] };
}

function message(given: Given, authentication: string): AppPlan {
  if (authentication !== "botToken") throw new NoEquivalent("it signs in by OAuth 2.0");
  refuseFiles(given);
  if (given.choice("sendTo", "channel", ["channel", "user"]) === "user")
    throw new NoEquivalent("it opens a conversation with a person first");
  given.skip("guildId", "userId");
  const options = given.group("options");
  const body: JsonObject = { content: given.need("content", "message") };
  const tts = options.get("tts");
  if (tts !== undefined) body.tts = tts;
  const reply = options.get("message_reference");
  if (reply !== undefined) body.message_reference = { message_id: reply };
  const channel = given.locator("channelId", {
    what: "channel",
    pattern: /https:\/\/discord\.com\/channels\/[0-9]+\/([0-9]+)/,
  });
  return { steps: [{ method: "POST", url: url`https://discord.com/api/v10/channels/${channel}/messages`, body }] };
}
