import { type MessengersFace, SendError } from "@oven/module-notifications";
import { z } from "zod";
import { type BotRow, slackSource } from "../bots/bot-row.ts";
import type { BotMessenger, Place, PrivateLink } from "./bot-messenger.ts";
import { SlackFiles } from "./slack-files.ts";
import { toMrkdwn } from "./slack-text.ts";

const EVENT = "oven_answer";
const LONGEST = 3_500;

const PostedSchema = z.looseObject({ ts: z.string().min(1) });
const ListedSchema = z.looseObject({
  messages: z.array(
    z.looseObject({
      ts: z.string(),
      metadata: z
        .looseObject({ event_type: z.string(), event_payload: z.looseObject({ marker: z.string().optional() }) })
        .optional(),
    }),
  ),
});

/** Answers by the bot of a Slack app. */
export class SlackMessenger implements BotMessenger {
  readonly longest = LONGEST;
  readonly files: SlackFiles;
  readonly #messengers: Pick<MessengersFace, "slack">;

  constructor(messengers: Pick<MessengersFace, "slack">) {
    this.#messengers = messengers;
    this.files = new SlackFiles(messengers);
  }

  toText(markdown: string): string {
    return toMrkdwn(markdown);
  }

  async post(bot: BotRow, place: Place, text: string, marker: string): Promise<string> {
    const metadata = { event_type: EVENT, event_payload: { marker } };
    const body = { channel: place.conversation, ...inThread(place), ...AS_IS, text, metadata };
    const posted = PostedSchema.safeParse(await this.#call(bot, "chat.postMessage", body)).data;
    if (posted === undefined) throw new SendError("Slack did not say where the message is", false);
    return posted.ts;
  }

  /** Slack has no keys that make a post one post, but it gives back what a message carries. */
  async find(bot: BotRow, { conversation, thread, message }: Place, marker: string): Promise<string | undefined> {
    const range = { oldest: message, include_all_metadata: "true", limit: "200" };
    const list = { channel: conversation, ...range, ...(thread === null ? {} : { ts: thread }) };
    const method = thread === null ? "conversations.history" : "conversations.replies";
    const { messages } = ListedSchema.parse(await this.#call(bot, method, list, "form"));
    const isIt = ({ metadata }: (typeof messages)[number]) =>
      metadata?.event_type === EVENT && metadata.event_payload.marker === marker;
    return messages.find(isIt)?.ts;
  }

  async update(bot: BotRow, { conversation }: Place, ts: string, text: string): Promise<void> {
    await this.#call(bot, "chat.update", { channel: conversation, ts, text, parse: "none" });
  }

  async whisper(bot: BotRow, place: Place, account: string, text: string, link?: PrivateLink): Promise<void> {
    const said = toMrkdwn(link === undefined ? text : `${text} ${link.url}`);
    const body = { channel: place.conversation, ...inThread(place), ...AS_IS, text: said };
    if (place.isDirect) await this.#call(bot, "chat.postMessage", body);
    else await this.#call(bot, "chat.postEphemeral", { ...body, user: account });
  }

  #call(bot: BotRow, method: string, body: object, encoding?: "json" | "form") {
    return this.#messengers.slack.call(slackSource(bot), method, body, encoding);
  }
}

/** Names such as `@channel` stay text, and no address is fetched for a preview. */
const AS_IS = { parse: "none", link_names: false, unfurl_links: false, unfurl_media: false };

function inThread({ thread }: Place): { thread_ts?: string } {
  return thread === null ? {} : { thread_ts: thread };
}
