import { OvenError, readJson } from "@oven/contract";
import { z } from "zod";
import type { BotRow } from "../bots/bot-row.ts";
import type { NamedFile } from "../messages/read-files.ts";
import { fromSlackText } from "../messengers/slack-text.ts";
import type { Incoming } from "./inbox.ts";

const Id = z.string().min(1).max(64);
const Time = z.string().regex(/^\d{1,15}\.\d{1,10}$/);

const Challenge = z.looseObject({ type: z.literal("url_verification"), challenge: z.string().max(500) });

/** https://docs.slack.dev/reference/events/message and https://docs.slack.dev/reference/events/app_mention */
const Message = z.looseObject({
  type: z.enum(["message", "app_mention"]),
  subtype: z.string().optional(),
  bot_id: z.string().optional(),
  channel: Id,
  channel_type: z.string().optional(),
  user: Id,
  /** Of the sender, where it is another workspace than that of the channel. */
  user_team: Id.optional(),
  team: Id.optional(),
  text: z.string().max(100_000).default(""),
  ts: Time,
  thread_ts: Time.optional(),
  files: z
    .array(
      z.looseObject({
        name: z.string().max(500).nullish(),
        mimetype: z.string().max(200).nullish(),
        url_private_download: z.url().max(2_000).optional(),
        url_private: z.url().max(2_000).optional(),
      }),
    )
    .max(100)
    .default([]),
});

const Event = z.looseObject({
  type: z.literal("event_callback"),
  team_id: Id,
  authorizations: z.array(z.looseObject({ user_id: Id.nullish() })).default([]),
  event: z.looseObject({ type: z.string() }),
});

/** Kinds of messages that people write; edits and notices are others. */
const WRITTEN = new Set([undefined, "file_share", "thread_broadcast"]);

export type SlackEvent = { does: "challenge"; challenge: string } | { does: "say"; incoming: Incoming };

/**
 * Reads an event whose signature was checked.
 * @param proof how accounts are known that it names
 * @returns undefined: nothing that the bot answers
 * @throws OvenError INVALID_REQUEST
 */
export function readSlackEvent(body: Uint8Array, bot: BotRow, proof: string): SlackEvent | undefined {
  const given = parse(body);
  const challenge = Challenge.safeParse(given).data;
  if (challenge !== undefined) return { does: "challenge", challenge: challenge.challenge };
  const event = Event.safeParse(given).data;
  if (event === undefined) return undefined;
  const message = Message.safeParse(event.event).data;
  if (message === undefined || message.bot_id !== undefined || !WRITTEN.has(message.subtype)) return undefined;
  // One app may be installed in many workspaces; the bot's token is of one.
  if (bot.workspace !== null && event.team_id !== bot.workspace) return undefined;
  const self = event.authorizations[0]?.user_id ?? undefined;
  if (message.user === self) return undefined;
  const { channel, ts, thread_ts, user, text } = message;
  const isDirect = message.channel_type === "im";
  if (!isListenedTo(bot, message, isDirect, self)) return undefined;
  const thread = thread_ts ?? (isDirect ? null : ts);
  const incoming: Incoming = {
    // Of a mention in a channel of which all messages are sent, Slack sends two events.
    key: `${channel}:${ts}`,
    thread: thread === null ? channel : `${channel}:${thread}`,
    place: { conversation: channel, thread, message: ts, serviceUrl: null, isDirect },
    workspace: message.user_team ?? message.team ?? event.team_id,
    account: user,
    proof,
    name: user,
    text: fromSlackText(text, self),
    files: message.files.flatMap((file) => toFile(file, bot)),
  };
  return { does: "say", incoming };
}

/** Slack's own files only: of a file elsewhere an event has the address, which gets no token. */
function toFile(file: z.output<typeof Message>["files"][number], { connection }: BotRow): NamedFile[] {
  const url = URL.parse(file.url_private_download ?? file.url_private ?? "");
  const host = connection.type === "slack-app" ? connection.host : "";
  if (url === null || (url.host !== host && url.host !== `files.${host}`)) return [];
  return [{ name: file.name ?? "file", type: file.mimetype ?? "application/octet-stream", url: url.href }];
}

function isListenedTo(
  { listens }: BotRow,
  { type, channel, text }: z.output<typeof Message>,
  isDirect: boolean,
  self: string | undefined,
): boolean {
  if (isDirect) return listens.direct;
  if (listens.channels.includes(channel)) return true;
  const isMention = type === "app_mention" || (self !== undefined && text.includes(`<@${self}>`));
  return isMention && listens.mentions;
}

function parse(body: Uint8Array): unknown {
  try {
    return readJson(new TextDecoder().decode(body)).value;
  } catch (cause) {
    throw new OvenError("INVALID_REQUEST", "This is not what Slack sends", {
      status: 400,
      fix: "Set this address as the Request URL of Event Subscriptions in the settings of the Slack app.",
      cause,
    });
  }
}
