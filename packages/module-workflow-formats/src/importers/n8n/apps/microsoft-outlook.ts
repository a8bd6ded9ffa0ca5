import type { Json, JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import type { Given } from "./app-given.ts";
import type { App, AppPlan } from "./app-steps.ts";
import { computed, isExpression, js, url } from "./app-values.ts";

export const MICROSOFT_OUTLOOK: App = {
  title: "Microsoft Outlook",
  credential: "microsoftOutlookOAuth2Api",
  secret: "microsoft-outlook",
  plan: (given) => {
    const resource = String(given.or("resource", "message"));
    const operation = String(given.or("operation", "send"));
    if (given.version < 2 || resource !== "message")
      throw new NoEquivalent(`there is no node here that does ${resource}: ${operation}`);
    switch (operation) {
      case "send":
        return send(given);
      case "update":
        return update(given);
      case "move": {
        const body = { destinationId: given.locator("folderId", { what: "folder" }) };
        const at = url`https://graph.microsoft.com/v1.0/me/messages/${given.locator("messageId", { what: "message" })}/move`;
        return { steps: [{ what: "request", method: "POST", url: at, body }, { code: "return { success: true };" }] };
      }
      default:
        throw new NoEquivalent(`there is no node here that does message: ${operation}`);
    }
  },
};

/** Addresses with commas between them, as the API lists them. */
function recipients(value: Json): Json {
  if (isExpression(value))
    return computed(
      `String(${js(value)}).split(",").map((one) => one.trim()).filter((one) => one !== "").map((address) => ({ emailAddress: { address } }))`,
    );
  const list = String(value)
    .split(",")
    .map((one) => one.trim());
  return list.filter((one) => one !== "").map((address) => ({ emailAddress: { address } }));
}

function send(given: Given): AppPlan {
  const fields = given.group("additionalFields");
  const message: JsonObject = {
    subject: given.or("subject", ""),
    body: { content: given.or("bodyContent", ""), ...bodyKind(fields) },
    toRecipients: recipients(given.need("toRecipients", "recipient")),
  };
  for (const name of ["ccRecipients", "bccRecipients", "replyTo"]) {
    const value = fields.get(name);
    if (value !== undefined) message[name] = recipients(value);
  }
  for (const name of ["categories", "importance", "isDeliveryReceiptRequested", "isReadReceiptRequested"]) {
    const value = fields.get(name);
    if (value !== undefined) message[name] = value;
  }
  const from = fields.get("from");
  if (from !== undefined) message.from = { emailAddress: { address: from } };
  const body = { message, saveToSentItems: fields.or("saveToSentItems", true) };
  return {
    steps: [
      { what: "request", method: "POST", url: "https://graph.microsoft.com/v1.0/me/sendMail", body },
      { code: "return { success: true };" },
    ],
  };
}

function bodyKind(fields: Given): JsonObject {
  const kind = fields.get("bodyContentType");
  return kind === undefined ? {} : { contentType: kind };
}

function update(given: Given): AppPlan {
  const fields = given.group("updateFields");
  const body: JsonObject = {};
  for (const name of ["categories", "importance", "isRead", "subject"]) {
    const value = fields.get(name);
    if (value !== undefined) body[name] = value;
  }
  const at = url`https://graph.microsoft.com/v1.0/me/messages/${given.locator("messageId", { what: "message" })}`;
  return { steps: [{ method: "PATCH", url: at, body }] };
}
