import type { JsonObject } from "@oven/contract";
import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import { operationOf } from "./app-fields.ts";
import type { Given } from "./app-given.ts";
import type { App, AppPlan } from "./app-steps.ts";
import { url } from "./app-values.ts";

const API = "https://api.twitter.com/2";
const POST_URL = /^https:\/\/(?:www\.)?(?:twitter|x)\.com\/[^/]+\/status\/(\d+)$/;
const DATA = { code: "return $json.data;" };

/** X, which n8n's nodes call Twitter. */
export const X: App = {
  title: "X",
  credential: "twitterOAuth2Api",
  secret: "x",
  plan: (given) => {
    if (given.version < 2) throw new NoEquivalent("its version 1 asks an API that X no longer has");
    return operationOf(given, OPERATIONS, { resource: "tweet", operation: { tweet: "create" } })(given);
  },
};

const OPERATIONS: Readonly<Record<string, (given: Given) => AppPlan>> = {
  "tweet:create": (given) => {
    const fields = given.group("additionalFields");
    const body: JsonObject = { text: given.need("text") };
    const location = fields.get("location");
    if (location !== undefined) body.geo = { place_id: location };
    const media = fields.get("attachments");
    if (media !== undefined) body.media = { media_ids: [media] };
    if (fields.get("inQuoteToStatusId") !== undefined)
      body.quote_tweet_id = fields.locator("inQuoteToStatusId", { what: "post", pattern: POST_URL });
    if (fields.get("inReplyToStatusId") !== undefined)
      body.reply = { in_reply_to_tweet_id: fields.locator("inReplyToStatusId", { what: "post", pattern: POST_URL }) };
    return { steps: [{ what: "request", method: "POST", url: `${API}/tweets`, body }, DATA] };
  },
  "tweet:delete": (given) => {
    const id = given.locator("tweetDeleteId", { what: "post", pattern: POST_URL });
    const at = url`https://api.twitter.com/2/tweets/${id}`;
    return { steps: [{ what: "request", method: "DELETE", url: at }, DATA] };
  },
};
