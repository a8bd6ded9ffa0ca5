import { z } from "zod";
import { SendError } from "../../channels/outgoing.ts";
import type { DecisionChannel } from "../decision-channel.ts";
import { callSlack, type SlackApp, type SlackDeps } from "./slack-api.ts";
import { toPlainMessage, toReviewMessage } from "./slack-blocks.ts";

/** A message of Slack: its channel and its time. */
const PlaceSchema = z.looseObject({ channel: z.string().min(1), ts: z.string().min(1) });

/** Messages by the bot of a Slack app. */
export function createSlackChannel(deps: SlackDeps): DecisionChannel<SlackApp> {
  return {
    async post(tenantId, settings, message, review, thread) {
      const content = review === undefined ? toPlainMessage(message) : toReviewMessage(message, review);
      const place = { channel: settings.conversation, ...(thread === undefined ? {} : { thread_ts: thread }) };
      const body = { ...place, unfurl_links: false, unfurl_media: false, ...content };
      const posted = PlaceSchema.safeParse(await callSlack(deps, tenantId, settings, "chat.postMessage", body)).data;
      // Without its place a message could never be changed.
      if (posted === undefined) throw new SendError("Slack did not say where the message is", false);
      return { channel: posted.channel, ts: posted.ts };
    },
    async update(tenantId, settings, place, words, review) {
      const { channel, ts } = PlaceSchema.parse(place);
      await callSlack(deps, tenantId, settings, "chat.update", { channel, ts, ...toReviewMessage(words, review) });
    },
  };
}
