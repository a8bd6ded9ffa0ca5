import type { Json, JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import type { Given } from "./app-given.ts";
import type { App, AppPlan } from "./app-steps.ts";
import { computed, isExpression, js, url } from "./app-values.ts";
import { MAIL } from "./mail-code.ts";

export const GMAIL: App = {
  title: "Gmail",
  credential: "gmailOAuth2",
  secret: "gmail",
  plan: (given) => {
    const resource = String(given.or("resource", "message"));
    if (given.version < 2) return oldGmail(given);
    const operation = String(given.or("operation", DEFAULTS[resource] ?? ""));
    const known = OPERATIONS[`${resource}:${operation}`];
    if (known === undefined) throw new NoEquivalent(`there is no node here that does ${resource}: ${operation}`);
    return known(given);
  },
};

const DEFAULTS: Readonly<Record<string, string>> = {
  message: "send",
  draft: "create",
  label: "getAll",
  thread: "getAll",
};

const OPERATIONS: Readonly<Record<string, (given: Given) => AppPlan>> = {
  "message:send": send,
  "draft:create": draft,
  "message:addLabels": (given) => modify("messages", given.need("messageId"), { addLabelIds: labels(given) }),
  "message:removeLabels": (given) => modify("messages", given.need("messageId"), { removeLabelIds: labels(given) }),
  "message:markAsRead": (given) => modify("messages", given.need("messageId"), { removeLabelIds: ["UNREAD"] }),
  "message:markAsUnread": (given) => modify("messages", given.need("messageId"), { addLabelIds: ["UNREAD"] }),
  "thread:addLabels": (given) => modify("threads", given.need("threadId"), { addLabelIds: labels(given) }),
  "thread:removeLabels": (given) => modify("threads", given.need("threadId"), { removeLabelIds: labels(given) }),
  "label:get": (given) => ({
    steps: [
      { method: "GET", url: url`https://gmail.googleapis.com/gmail/v1/users/me/labels/${given.need("labelId")}` },
    ],
  }),
};

function modify(kind: "messages" | "threads", id: Json, body: JsonObject): AppPlan {
  const at =
    kind === "messages"
      ? url`https://gmail.googleapis.com/gmail/v1/users/me/messages/${id}/modify`
      : url`https://gmail.googleapis.com/gmail/v1/users/me/threads/${id}/modify`;
  return { steps: [{ method: "POST", url: at, body }] };
}

/** Labels by their ids: a list, or an expression that gives one. */
function labels(given: Given): Json {
  const value = given.need("labelIds", "labels");
  return isExpression(value) ? computed(`((ids) => (Array.isArray(ids) ? ids : [ids]))(${js(value)})`) : value;
}

/** JavaScript for the text of a whole mail, in the alphabet of addresses. @throws NoEquivalent */
function mailOf(
  given: Given,
  to: Json | undefined,
  { options, kind }: { options: Given; kind: "html" | "text" },
): string {
  const isHtml = given.choice("emailType", kind, ["html", "text"]) === "html";
  const attachments = options.get("attachmentsUi");
  if (
    attachments !== undefined &&
    JSON.stringify(attachments) !== "{}" &&
    JSON.stringify(attachments) !== '{"attachmentsBinary":[]}'
  )
    throw new NoEquivalent("it attaches files");
  if (options.get("senderName") !== undefined)
    throw new NoEquivalent("it sends under a name of its own, which needs the address of the account");
  const mail = {
    ...(to === undefined ? {} : { to }),
    cc: options.or("ccList", ""),
    bcc: options.or("bccList", ""),
    replyTo: options.or("replyTo", ""),
    subject: given.or("subject", ""),
    text: given.or("message", ""),
    isHtml,
  };
  return computed(`(() => {\n${MAIL}\nreturn encodeMail(${js(mail)});\n})()`);
}

/** Version 1: a message is plain text, and its addresses are lists. */
function oldGmail(given: Given): AppPlan {
  const resource = String(given.or("resource", "draft"));
  const operation = String(given.or("operation", resource === "message" ? "send" : ""));
  if (resource !== "message" || operation !== "send")
    throw new NoEquivalent(`there is no node here that does ${resource}: ${operation} as its version 1 does`);
  if (given.flag("includeHtml")) throw new NoEquivalent("it sends a text and HTML");
  given.skip("htmlMessage");
  const more = given.group("additionalFields");
  if (more.get("attachmentsUi") !== undefined) throw new NoEquivalent("it attaches files");
  if (more.get("senderName") !== undefined)
    throw new NoEquivalent("it sends under a name of its own, which needs the address of the account");
  const list = (value: Json) => computed(`[${js(value)}].flat().join(", ")`);
  const mail = {
    to: list(given.need("toList", "recipient")),
    cc: list(more.or("ccList", [])),
    bcc: list(more.or("bccList", [])),
    subject: given.or("subject", ""),
    text: given.or("message", ""),
    isHtml: false,
  };
  const raw = computed(`(() => {\n${MAIL}\nreturn encodeMail(${js(mail)});\n})()`);
  return {
    steps: [{ method: "POST", url: "https://gmail.googleapis.com/gmail/v1/users/me/messages/send", body: { raw } }],
  };
}

function send(given: Given): AppPlan {
  const options = given.group("options");
  // Only of replies.
  options.skip("replyToSenderOnly", "replyToRecipientsOnly");
  const kind = given.version >= 2.1 ? "html" : "text";
  const raw = mailOf(given, given.need("sendTo", "recipient"), { options, kind });
  const isNamed = options.or("appendAttribution", true) !== false;
  return {
    steps: [{ method: "POST", url: "https://gmail.googleapis.com/gmail/v1/users/me/messages/send", body: { raw } }],
    notes: isNamed ? ["n8n adds a line to the mail that says that n8n sent it; none is sent here."] : [],
  };
}

function draft(given: Given): AppPlan {
  const options = given.group("options");
  const to = options.get("sendTo");
  const thread = options.get("threadId");
  if (thread !== undefined) throw new NoEquivalent("its draft answers a thread");
  if (options.get("fromAlias") !== undefined) throw new NoEquivalent("it writes from an alias");
  // A draft is plain text where nothing else is said, in each version.
  const raw = mailOf(given, to, { options, kind: "text" });
  return {
    steps: [
      { method: "POST", url: "https://gmail.googleapis.com/gmail/v1/users/me/drafts", body: { message: { raw } } },
    ],
  };
}
