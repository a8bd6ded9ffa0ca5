import type { Json, JsonObject } from "@oven/contract";
import type { Given } from "./app-given.ts";
import { limitOf } from "./app-given.ts";
import { type AppPlan, listOf, ONE_PAGE, refuseMore } from "./app-steps.ts";
import { computed, isExpression, js } from "./app-values.ts";

const API = "https://slack.com/api";
const MOST = 200;
const failed = (name: string): string =>
  `if (${name}.ok === false) throw new Error("Slack error response: " + JSON.stringify(${name}.error));`;

/** What a node does that does not say it. */
export const SLACK_FIRST: Readonly<Record<string, string>> = { message: "post", channel: "create", user: "info" };

/** A question, and one field of the answer. */
function asked(path: string, query: JsonObject, take: string): AppPlan {
  return {
    steps: [
      { what: "request", method: "GET", url: `${API}/${path}`, query },
      { code: `${failed("$json")}\nreturn ${take};` },
    ],
  };
}

function posted(path: string, body: JsonObject, take: string): AppPlan {
  return {
    steps: [
      { what: "request", method: "POST", url: `${API}/${path}`, body },
      { code: `${failed("$json")}\nreturn ${take};` },
    ],
  };
}

function listed(given: Given, path: string, query: JsonObject, field: string): AppPlan {
  const count = limitOf(given, { limit: 50 });
  const more = '(answer.response_metadata?.next_cursor ?? "") !== ""';
  return {
    steps: [
      { what: "request", method: "GET", url: `${API}/${path}`, query: { ...query, limit: count ?? MOST } },
      listOf(`answer.${field}`, failed("answer"), ...(count === undefined ? [refuseMore(more, MOST)] : [])),
    ],
    notes: count === undefined ? [ONE_PAGE(MOST)] : [],
  };
}

/** A channel or person, chosen out of a list or written out. */
const chosen = (given: Given, name: string, what: string): Json =>
  given.version < 2 ? given.need(name, what) : given.locator(name, { what });

const channelOf = (given: Given): Json => chosen(given, "channelId", "channel");

/** Other things than messages. */
export const SLACK_OTHERS: Readonly<Record<string, (given: Given) => AppPlan>> = {
  "user:info": (given) => asked("users.info", { user: chosen(given, "user", "person") }, "$json.user"),
  "user:getPresence": (given) => asked("users.getPresence", { user: chosen(given, "user", "person") }, "$json"),
  "user:getAll": (given) => listed(given, "users.list", {}, "members"),
  "channel:get": (given) => {
    const more = given.group("options");
    const locale = more.get("includeNumMembers");
    const query = { channel: channelOf(given), ...(locale === undefined ? {} : { include_num_members: locale }) };
    return asked("conversations.info", query, "$json.channel");
  },
  "channel:getAll": (given) => {
    const filters = given.group("filters");
    const [types, archived] = [filters.get("types"), filters.get("excludeArchived")];
    const query = {
      ...(types === undefined ? {} : { types: computed(`[${js(types)}].flat().join(",")`) }),
      ...(archived === undefined || archived === false ? {} : { exclude_archived: archived }),
    };
    return listed(given, "conversations.list", query, "channels");
  },
  "channel:create": (given) => {
    const name = given.version < 2 ? given.need("channelId", "channel") : channelOf(given);
    const isPrivate =
      given.version >= 2 && given.choice("channelVisibility", "public", ["public", "private"]) === "private";
    if (given.version < 2) return posted("conversations.create", { name }, "$json.channel");
    const plain = isExpression(name)
      ? computed(`((name) => (name.startsWith("#") ? name.slice(1) : name))(String(${js(name)}))`)
      : String(name).replace(/^#/, "");
    return posted("conversations.create", { name: plain, is_private: isPrivate }, "$json.channel");
  },
  "channel:join": (given) => posted("conversations.join", { channel: channelOf(given) }, "$json.channel"),
  "channel:archive": (given) => posted("conversations.archive", { channel: channelOf(given) }, "$json"),
  "channel:invite": (given) =>
    posted(
      "conversations.invite",
      { channel: channelOf(given), users: computed(`[${js(given.need("userIds", "persons"))}].flat().join(",")`) },
      "$json.channel",
    ),
  "channel:open": (given) => {
    const options = given.group("options");
    const [channel, whole, users] = [options.get("channelId"), options.get("returnIm"), options.get("users")];
    const body = {
      ...(channel === undefined ? {} : { channel }),
      ...(whole === undefined || whole === false ? {} : { return_im: whole }),
      ...(users === undefined ? {} : { users: computed(`[${js(users)}].flat().join(",")`) }),
    };
    return posted("conversations.open", body, "$json.channel");
  },
};
