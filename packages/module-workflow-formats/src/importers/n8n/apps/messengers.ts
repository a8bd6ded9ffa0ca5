import type { Json, JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import type { App } from "./app-steps.ts";
import { computed, isExpression, js, url } from "./app-values.ts";

/** A number without the signs that people write in it. */
function plainNumber(value: Json): Json {
  return isExpression(value)
    ? computed(`String(${js(value)}).replace(/[-()+]/g, "")`)
    : String(value).replaceAll(/[-()+]/g, "");
}

export const WHATSAPP: App = {
  title: "WhatsApp Business",
  credential: "whatsAppApi",
  secret: "whatsapp",
  plan: (given) => {
    const resource = String(given.or("resource", "message"));
    const operation = String(given.or("operation", resource === "message" ? "sendTemplate" : ""));
    if (resource === "media" && operation === "mediaUrlGet")
      return {
        steps: [
          { method: "GET", url: url`https://graph.facebook.com/v13.0/${given.need("mediaGetId", "id of the media")}` },
        ],
      };
    if (resource !== "message" || operation !== "send")
      throw new NoEquivalent(`there is no node here that does ${resource}: ${operation}`);
    const kind = String(given.or("messageType", "text"));
    if (kind !== "text") throw new NoEquivalent(`it sends a message of the kind ${kind}`);
    const text: JsonObject = { body: given.need("textBody", "text") };
    const preview = given.group("additionalFields").get("previewUrl");
    if (preview !== undefined) text.preview_url = preview;
    const to = plainNumber(given.need("recipientPhoneNumber", "recipient"));
    const body = { messaging_product: "whatsapp", to, type: "text", text };
    return {
      steps: [
        {
          method: "POST",
          url: url`https://graph.facebook.com/v13.0/${given.need("phoneNumberId", "sender")}/messages`,
          body,
        },
      ],
    };
  },
};

export const TWILIO: App = {
  title: "Twilio",
  credential: "twilioApi",
  secret: "twilio",
  plan: (given) => {
    const resource = String(given.or("resource", "sms"));
    const operation = String(given.or("operation", "send"));
    if (resource !== "sms" || operation !== "send")
      throw new NoEquivalent(`there is no node here that does ${resource}: ${operation}`);
    const isWhatsApp = given.flag("toWhatsapp");
    const number = (name: string): Json => {
      const value = given.need(name);
      if (!isWhatsApp) return value;
      return isExpression(value) ? computed(`"whatsapp:" + ${js(value)}`) : `whatsapp:${String(value)}`;
    };
    const body: JsonObject = { From: number("from"), To: number("to"), Body: given.need("message") };
    const callback = given.group("options").get("statusCallback");
    if (callback !== undefined) body.StatusCallback = callback;
    const at = "https://api.twilio.com/2010-04-01/Accounts/{account}/Messages.json";
    return { steps: [{ method: "POST", url: at, body, bodyType: "form" }] };
  },
};
