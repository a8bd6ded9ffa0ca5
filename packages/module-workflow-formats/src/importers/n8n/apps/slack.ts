import type { Json, JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import type { Given } from "./app-given.ts";
import type { App, AppPlan } from "./app-steps.ts";
import { computed, isExpression, js } from "./app-values.ts";
import { SLACK_FIRST, SLACK_OTHERS } from "./slack-channels.ts";

const API = "https://slack.com/api";

/** n8n fails where Slack says that something is not ok, and renames the time stamp of a message. */
const ANSWER = [
  "const { ts, ...answer } = $json;",
  'if (answer.ok === false) throw new Error("Slack error response: " + JSON.stringify(answer.error));',
  "return ts === undefined ? answer : { ...answer, message_timestamp: ts };",
].join("\n");

const LINK = "n8n adds a link to its workflow to the message; none is sent here.";

export const SLACK: App = {
  title: "Slack",
  credential: "slackApi",
  secret: "slack",
  plan: (given) => {
    const resource = given.or("resource", "message");
    const operation = given.or("operation", SLACK_FIRST[String(resource)] ?? "");
    const other = SLACK_OTHERS[`${String(resource)}:${String(operation)}`];
    if (other !== undefined) return other(given);
    if (resource === "message" && operation === "delete" && given.version >= 2) return deletion(given);
    if (resource !== "message" || operation !== "post")
      throw new NoEquivalent(`there is no node here that does ${String(resource)}: ${String(operation)}`);
    return given.version < 2 ? oldMessage(given) : message(given);
  },
};

function message(given: Given): AppPlan {
  const channel = targetOf(given);
  const type = given.choice("messageType", "text", ["text", "block", "attachment"]);
  const options = given.group("otherOptions");
  const isLinked = options.or("includeLinkToWorkflow", given.version >= 2.1) !== false;
  const body: JsonObject = { channel, ...optionsOf(options) };
  const text = given.get("text");
  if (type === "attachment") throw new NoEquivalent("it sends attachments, which are computed from its fields");
  if (type === "text") {
    given.skip("blocksUi", "attachments");
    if (text === undefined) throw new NoEquivalent("its text is not set");
    return send({ ...body, text }, isLinked);
  }
  given.skip("attachments", "attachmentsUi");
  const blocks = js(given.need("blocksUi", "blocks"));
  const read = `(({ parse }) => ((value) => (typeof value === "string" ? parse(value) : value))(${blocks}))(JSON)`;
  return send(computed(`({ ...${js(body)}, ...${read}, ...${js(text === undefined ? {} : { text })} })`), isLinked);
}

function deletion(given: Given): AppPlan {
  given.choice("select", "channel", ["channel"]);
  const channel = given.locator("channelId", { what: "channel" });
  const body = { channel, ts: given.need("timestamp") };
  return { steps: [{ what: "request", method: "POST", url: `${API}/chat.delete`, body }, { code: ANSWER }] };
}

function targetOf(given: Given): Json {
  if (given.choice("select", "channel", ["channel", "user"]) === "channel") {
    given.skip("user");
    return given.locator("channelId", {
      what: "channel",
      pattern: /https:\/\/app\.slack\.com\/client\/.*?\/([^/?#]+)/,
    });
  }
  given.skip("channelId");
  const user = given.locator("user");
  if (given.modeOf("user") !== "username") return user;
  if (isExpression(user))
    return computed(`((name) => (name.startsWith("@") ? name : "@" + name))(String(${js(user)}))`);
  return String(user).startsWith("@") ? user : `@${String(user)}`;
}

/** What can be added to a message, by its name there. */
function optionsOf(options: Given): JsonObject {
  const body: JsonObject = {};
  for (const name of ["link_names", "mrkdwn", "unfurl_links", "unfurl_media"]) {
    const value = options.get(name);
    if (value !== undefined) body[name] = value;
  }
  const profile = options.group("botProfile").group("imageValues");
  const image = profile.get("profilePhotoType");
  if (image === "image") body.icon_url = profile.need("icon_url");
  else if (image === "emoji") body.icon_emoji = profile.need("icon_emoji");
  // What it is called is only sent where it posts as the app.
  const username = options.get("sendAsUser") ?? options.get("username");
  if (username !== undefined) body.username = username;
  const thread = options.group("thread_ts").group("replyValues");
  const at = thread.get("thread_ts");
  if (at !== undefined) body.thread_ts = at;
  const broadcast = thread.get("reply_broadcast");
  if (broadcast !== undefined) body.reply_broadcast = broadcast;
  if (options.or("ephemeral", false) !== false) throw new NoEquivalent("it shows its message to one person alone");
  return body;
}

function oldMessage(given: Given): AppPlan {
  const channel = given.need("channel");
  const body: JsonObject = { channel };
  const text = given.get("text");
  if (text !== undefined) body.text = text;
  if (given.or("jsonParameters", false) !== false) throw new NoEquivalent("it sends attachments or blocks as JSON");
  if (given.or("as_user", false) === true) body.as_user = true;
  const attachments = given.get("attachments");
  if (Array.isArray(attachments) && attachments.length > 0) body.attachments = attachments.map(attachmentOf);
  const options = given.group("otherOptions");
  for (const name of [
    "icon_emoji",
    "icon_url",
    "link_names",
    "mrkdwn",
    "reply_broadcast",
    "thread_ts",
    "unfurl_links",
    "unfurl_media",
    "parse",
  ]) {
    const value = options.get(name);
    if (value !== undefined) body[name] = value;
  }
  const username = given.get("username") ?? options.get("username");
  if (username !== undefined) body.username = username;
  return send(body, false);
}

function attachmentOf(attachment: Json): Json {
  if (typeof attachment !== "object" || attachment === null || Array.isArray(attachment)) return attachment;
  const { fields, ...rest } = attachment;
  const item = typeof fields === "object" && fields !== null && !Array.isArray(fields) ? fields.item : fields;
  return item === undefined ? rest : { ...rest, fields: item };
}

function send(body: JsonObject | string, isLinked: boolean): AppPlan {
  return {
    steps: [{ what: "request", method: "POST", url: `${API}/chat.postMessage`, body }, { code: ANSWER }],
    notes: isLinked ? [LINK] : [],
  };
}
