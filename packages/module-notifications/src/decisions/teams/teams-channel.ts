import { z } from "zod";
import { SendError } from "../../channels/outgoing.ts";
import type { DecisionChannel } from "../decision-channel.ts";
import type { TeamsApi, TeamsBot } from "./teams-api.ts";
import { toPlainCard, toReviewCard } from "./teams-card.ts";

const PlaceSchema = z.looseObject({ conversation: z.string().min(1), activity: z.string().min(1) });

/** Cards that a bot of Microsoft Teams posts. */
export function createTeamsChannel(api: TeamsApi): DecisionChannel<TeamsBot> {
  return {
    async post(tenantId, bot, message, review) {
      const card = review === undefined ? toPlainCard(message) : toReviewCard(message, review);
      const path = `${encodeURIComponent(bot.conversation)}/activities`;
      const { id } = await api.call(tenantId, bot, "POST", path, toActivity(message.subject, card));
      // Without its place a message could never be changed.
      if (typeof id !== "string") throw new SendError("The Bot Connector did not say where the message is", false);
      return { conversation: bot.conversation, activity: id };
    },
    async update(tenantId, bot, place, words, review) {
      const { conversation, activity } = PlaceSchema.parse(place);
      const path = `${encodeURIComponent(conversation)}/activities/${encodeURIComponent(activity)}`;
      await api.call(tenantId, bot, "PUT", path, toActivity(words.subject, toReviewCard(words, review)));
    },
  };
}

function toActivity(summary: string, content: object): object {
  const attachments = [{ contentType: "application/vnd.microsoft.card.adaptive", content }];
  return { type: "message", summary, attachments };
}
