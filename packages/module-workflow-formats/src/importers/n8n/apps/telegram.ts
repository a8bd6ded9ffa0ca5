import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import type { Given } from "./app-given.ts";
import type { App, AppPlan } from "./app-steps.ts";

/** Methods that send a file by its address or id, and the field that it is in. */
const FILES: Readonly<Record<string, string>> = {
  sendPhoto: "photo",
  sendAudio: "audio",
  sendDocument: "document",
  sendVideo: "video",
  sendAnimation: "animation",
  sendSticker: "sticker",
};
const ADDED = [
  ...["caption", "disable_notification", "disable_web_page_preview", "message_thread_id", "reply_to_message_id"],
  ...["duration", "height", "width", "performer", "title", "protect_content"],
];

export const TELEGRAM: App = {
  title: "Telegram",
  credential: "telegramApi",
  secret: "telegram",
  plan: (given) => {
    const resource = String(given.or("resource", "message"));
    const operation = String(given.or("operation", resource === "message" ? "sendMessage" : "get"));
    if (resource === "message") return message(given, operation);
    if (resource === "callback" && operation === "answerQuery") {
      const { body } = added(given, ["text", "show_alert", "url", "cache_time"]);
      return call("answerCallbackQuery", { callback_query_id: given.need("queryId"), ...body });
    }
    if (resource === "chat" && ["get", "leave", "administrators"].includes(operation)) {
      const method = { get: "getChat", leave: "leaveChat", administrators: "getChatAdministrators" }[operation] ?? "";
      if (method === "getChatAdministrators")
        throw new NoEquivalent("there is no node here that does chat: administrators");
      return call(method, { chat_id: given.need("chatId") });
    }
    if (resource === "file" && given.or("download", true) === true)
      throw new NoEquivalent("it downloads a file: the address of a file of Telegram has the token of the bot in it");
    if (resource === "file") return call("getFile", { file_id: given.need("fileId") });
    throw new NoEquivalent(`there is no node here that does ${resource}: ${operation}`);
  },
};

function message(given: Given, operation: string): AppPlan {
  const chat = (): JsonObject => ({ chat_id: given.need("chatId") });
  switch (operation) {
    case "sendMessage": {
      const text = given.need("text");
      const { body, notes } = added(given, ADDED, true);
      return call("sendMessage", { ...chat(), text, ...body, ...replyMarkup(given) }, notes);
    }
    case "sendChatAction":
      return call("sendChatAction", { ...chat(), action: given.or("action", "typing") });
    case "deleteMessage":
      return call("deleteMessage", { ...chat(), message_id: given.need("messageId") });
    case "editMessageText": {
      if (given.or("messageType", "message") !== "message") throw new NoEquivalent("it edits an inline message");
      const { body } = added(given, ADDED);
      return call("editMessageText", {
        ...chat(),
        message_id: given.need("messageId"),
        text: given.need("text"),
        ...body,
        ...replyMarkup(given),
      });
    }
    case "sendLocation":
      return call("sendLocation", {
        ...chat(),
        latitude: given.or("latitude", 0),
        longitude: given.or("longitude", 0),
        ...added(given, ADDED).body,
        ...replyMarkup(given),
      });
    case "pinChatMessage":
    case "unpinChatMessage":
      return call(operation, { ...chat(), message_id: given.need("messageId"), ...added(given, ADDED).body });
    default:
  }
  const field = Object.hasOwn(FILES, operation) ? FILES[operation] : undefined;
  if (field === undefined) throw new NoEquivalent(`there is no node here that does message: ${operation}`);
  if (given.or("binaryData", false) !== false) throw new NoEquivalent("it sends a file");
  given.skip("binaryPropertyName");
  const { body } = added(given, ADDED);
  return call(operation, { ...chat(), [field]: given.need("file"), ...body, ...replyMarkup(given) });
}

/** What can be added to a message. A message of text is read as Markdown where nothing else is said. */
function added(given: Given, names: readonly string[], isText = false): { body: JsonObject; notes: string[] } {
  const fields = given.group("additionalFields");
  const body: JsonObject = {};
  for (const name of names) {
    const value = fields.get(name);
    if (value !== undefined) body[name] = value;
  }
  const mode = fields.get("parse_mode");
  if (mode !== undefined) body.parse_mode = mode;
  else if (isText) body.parse_mode = "Markdown";
  if (isText && given.version >= 1.2) body.disable_web_page_preview ??= true;
  fields.skip("fileName");
  const isNamed = isText && fields.or("appendAttribution", given.version >= 1.1) !== false;
  return {
    body,
    notes: isNamed ? ["n8n adds a line to the message that says that n8n sent it; none is sent here."] : [],
  };
}

/** Keys below a message. @throws NoEquivalent */
function replyMarkup(given: Given): JsonObject {
  const kind = given.choice("replyMarkup", "none", [
    "none",
    "inlineKeyboard",
    "forceReply",
    "replyKeyboard",
    "replyKeyboardRemove",
  ]);
  const settings = {
    forceReply: given.get("forceReply"),
    replyKeyboardOptions: given.get("replyKeyboardOptions"),
    replyKeyboardRemove: given.get("replyKeyboardRemove"),
    inline: given.get("inlineKeyboard"),
    reply: given.get("replyKeyboard"),
  };
  switch (kind) {
    case "none":
      return {};
    case "forceReply":
      return { reply_markup: { force_reply: false, ...objectOf(settings.forceReply) } };
    case "replyKeyboardRemove":
      return { reply_markup: { remove_keyboard: false, ...objectOf(settings.replyKeyboardRemove) } };
    case "inlineKeyboard":
      return { reply_markup: { inline_keyboard: rowsOf(settings.inline) } };
    default:
      return { reply_markup: { keyboard: rowsOf(settings.reply), ...objectOf(settings.replyKeyboardOptions) } };
  }
}

const objectOf = (value: Json | undefined): JsonObject => (isObject(value) ? value : {});

function rowsOf(keyboard: Json | undefined): Json {
  const rows = isObject(keyboard) && Array.isArray(keyboard.rows) ? keyboard.rows : [];
  return rows.filter(isObject).map(({ row }) => {
    const buttons = isObject(row) && Array.isArray(row.buttons) ? row.buttons : [];
    return buttons.filter(isObject).map(({ text = "", additionalFields }) => {
      const { pay: _pay, ...more } = objectOf(additionalFields);
      if (Object.values(more).some(isObject))
        throw new NoEquivalent("a key below its message does more than lead somewhere");
      return { text, ...more };
    });
  });
}

function call(method: string, body: JsonObject, notes: readonly string[] = []): AppPlan {
  return { steps: [{ method: "POST", url: `https://api.telegram.org/bot{token}/${method}`, body }], notes };
}
