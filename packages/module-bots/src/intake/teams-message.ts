import type { TeamsActivity } from "@oven/module-notifications";
import { z } from "zod";
import type { BotRow } from "../bots/bot-row.ts";
import type { NamedFile } from "../messages/read-files.ts";
import { fromTeamsText } from "../messengers/teams-text.ts";
import type { Incoming } from "./inbox.ts";

const Id = z.string().min(1).max(300);

/** https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference#activity-object */
const Message = z.looseObject({
  type: z.literal("message"),
  id: Id,
  serviceUrl: z.string(),
  text: z.string().max(100_000).default(""),
  from: z.looseObject({ name: z.string().optional(), aadObjectId: z.string().min(1).max(64) }),
  recipient: z.looseObject({ id: Id }),
  conversation: z.looseObject({
    id: Id,
    conversationType: z.enum(["personal", "channel", "groupChat"]).default("personal"),
    tenantId: z.string(),
  }),
  entities: z
    .array(z.looseObject({ type: z.string(), mentioned: z.looseObject({ id: z.string() }).optional() }))
    .default([]),
  attachments: z
    .array(
      z.looseObject({
        contentType: z.string(),
        name: z.string().max(500).optional(),
        content: z.unknown(),
      }),
    )
    .max(100)
    .default([]),
});

/** A file that a person sends in a personal chat. https://learn.microsoft.com/microsoftteams/platform/bots/how-to/bots-filesv4 */
const FileInfo = z.looseObject({ downloadUrl: z.url({ protocol: /^https?$/ }).max(2_000) });
const FILE = "application/vnd.microsoft.teams.file.download.info";

/**
 * Reads a message whose token was checked.
 * @param proof how accounts are known that it names
 * @returns undefined: nothing that the bot answers
 */
export function readTeamsMessage(activity: TeamsActivity, bot: BotRow, proof: string): Incoming | undefined {
  const message = Message.safeParse(activity).data;
  if (message === undefined) return undefined;
  const { id, from, recipient, conversation, entities, serviceUrl, text } = message;
  const isDirect = conversation.conversationType === "personal";
  // In a channel the conversation is the thread; what stands before is the channel.
  const [channel = ""] = conversation.id.split(";", 1);
  const isMention = entities.some(({ type, mentioned }) => type === "mention" && mentioned?.id === recipient.id);
  const { listens } = bot;
  const isListenedTo = isDirect
    ? listens.direct
    : listens.channels.includes(channel) || (isMention && listens.mentions);
  if (!isListenedTo) return undefined;
  return {
    key: `${conversation.id}:${id}`,
    thread: conversation.id,
    place: { conversation: conversation.id, thread: null, message: id, serviceUrl, isDirect },
    workspace: conversation.tenantId,
    account: from.aadObjectId,
    proof,
    name: from.name ?? from.aadObjectId,
    text: fromTeamsText(text),
    files: message.attachments.flatMap(toFile),
  };
}

function toFile({ contentType, name = "file", content }: z.output<typeof Message>["attachments"][number]): NamedFile[] {
  const info = contentType === FILE ? FileInfo.safeParse(content).data : undefined;
  if (info === undefined) return [];
  const [, ending = ""] = /\.(\w+)$/.exec(name) ?? [];
  return [{ name, type: TYPES[ending.toLowerCase()] ?? "application/octet-stream", url: info.downloadUrl }];
}

/** Teams does not say what a file is; its name does. */
const TYPES: Readonly<Record<string, string>> = {
  csv: "text/csv",
  json: "application/json",
  md: "text/markdown",
  pdf: "application/pdf",
  png: "image/png",
  txt: "text/plain",
};
