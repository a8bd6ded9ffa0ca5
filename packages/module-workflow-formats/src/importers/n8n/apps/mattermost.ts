import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import { operationOf } from "./app-fields.ts";
import type { Given } from "./app-given.ts";
import { type App, type AppPlan, ownAddress } from "./app-steps.ts";
import { url } from "./app-values.ts";

const AT = ownAddress("mattermost");

export const MATTERMOST: App = {
  title: "Mattermost",
  credential: "mattermostApi",
  secret: "mattermost",
  ownAddress: "mattermost",
  plan: (given) =>
    operationOf(given, OPERATIONS, {
      resource: "message",
      operation: { message: "post", channel: "create", user: "create" },
    })(given),
};

const OPERATIONS: Readonly<Record<string, (given: Given) => AppPlan>> = {
  "message:post": post,
  "message:postEphemeral": (given) => ({
    steps: [
      {
        method: "POST",
        url: `${AT}/api/v4/posts/ephemeral`,
        body: {
          user_id: given.need("userId"),
          post: { channel_id: given.need("channelId"), message: given.or("message", "") },
        },
      },
    ],
  }),
  "message:delete": (given) => ({
    steps: [{ method: "DELETE", url: at(url`/api/v4/posts/${given.need("postId")}`) }],
  }),
  "channel:addUser": (given) => ({
    steps: [
      {
        method: "POST",
        url: at(url`/api/v4/channels/${given.need("channelId")}/members`),
        body: { user_id: given.need("userId") },
      },
    ],
  }),
  "channel:create": (given) => ({
    steps: [
      {
        method: "POST",
        url: `${AT}/api/v4/channels`,
        body: {
          team_id: given.need("teamId"),
          display_name: given.need("displayName"),
          name: given.need("channel"),
          type: given.choice("type", "public", ["public", "private"]) === "public" ? "O" : "P",
        },
      },
    ],
  }),
};

/** An address with ids in it, of the server. */
function at(path: string): string {
  return path.startsWith("=") ? `=${AT}${path.slice(1)}` : `${AT}${path}`;
}

function post(given: Given): AppPlan {
  const attachments = given.or("attachments", []);
  if (!Array.isArray(attachments)) throw new NoEquivalent("its attachments are computed");
  for (const attachment of attachments)
    if (!isObject(attachment) || attachment.actions !== undefined || attachment.fields !== undefined)
      throw new NoEquivalent("its attachments have fields or buttons");
  const options = given.group("otherOptions");
  const root = options.get("root_id");
  const body: JsonObject = {
    channel_id: given.need("channelId"),
    message: given.or("message", ""),
    props: { attachments },
    ...(root === undefined ? {} : { root_id: root }),
  };
  return { steps: [{ method: "POST", url: `${AT}/api/v4/posts`, body }] };
}
