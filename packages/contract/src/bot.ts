import { z } from "zod";
import { ChatTargetKindSchema } from "./chat.ts";
import { SlackAppSchema, TeamsBotSchema } from "./notification.ts";

/** The app or bot at the messenger, with the secrets by name. */
export const BotConnectionSchema = z.discriminatedUnion("type", [
  SlackAppSchema.omit({ conversation: true }),
  TeamsBotSchema.omit({ conversation: true }),
]);
export type BotConnection = z.infer<typeof BotConnectionSchema>;

/** Which messages a bot answers. */
const ListensSchema = z.strictObject({
  /** In channels and group chats: messages that mention it. */
  mentions: z.boolean().default(true),
  direct: z.boolean().default(true),
  /** Ids of channels in which it answers all messages. */
  channels: z.array(z.string().trim().min(1).max(300)).max(50).default([]),
});

const PermissionSchema = z
  .string()
  .max(100)
  .regex(/^[a-z0-9-]+(\.[a-z0-9-]+)+$/, "must be a permission such as agents.invoke");

/** A language of the bot's own sentences. */
export const BotLanguageSchema = z.enum(["en", "de"]);
export type BotLanguage = z.infer<typeof BotLanguageSchema>;

const editable = {
  name: z.string().trim().min(1).max(80),
  enabled: z.boolean(),
  connection: BotConnectionSchema,
  /** Who answers. */
  target: z.strictObject({ kind: ChatTargetKindSchema, id: z.int().positive() }),
  /**
   * What runs may do that people of the workspace start who have linked no account: some of what the person may do who saved the bot.
   * null: only people with a linked account are answered.
   */
  guests: z.strictObject({ permissions: z.array(PermissionSchema).max(50) }).nullable(),
  listens: ListensSchema,
  /** Messages of one person that are answered in an hour. */
  perHour: z.int().min(1).max(1_000),
  /** Of what the bot says itself; answers are in the language of the agent. null: that of the setting `BOT_LANGUAGE`. */
  language: BotLanguageSchema.nullable(),
};

/** A bot in Slack or Microsoft Teams that an agent or a workflow answers for. */
export const BotSchema = z.strictObject({
  id: z.int().positive(),
  ...editable,
  /** As the target is called now; null: it is gone. */
  targetName: z.string().nullable(),
  /** Where the messenger sends messages, below the server's own address. */
  eventsPath: z.string(),
  /** Where Slack sends presses on buttons; null: they come to `eventsPath`. */
  actionsPath: z.string().nullable(),
  /** The id of the Slack workspace or of the Microsoft Entra directory; null: Slack has not been reached yet. */
  workspace: z.string().nullable(),
  /** What went wrong last; null since something worked. */
  lastError: z.string().nullable(),
  lastMessageAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Bot = z.infer<typeof BotSchema>;

/** The body of `POST /api/bots`. */
export const CreateBotSchema = z.strictObject({
  ...editable,
  enabled: editable.enabled.default(true),
  guests: editable.guests.default(null),
  listens: ListensSchema.default({ mentions: true, direct: true, channels: [] }),
  perHour: editable.perHour.default(30),
  language: editable.language.default(null),
});
export type CreateBot = z.infer<typeof CreateBotSchema>;

/** The body of `PUT /api/bots/[id]`; what is left out stays. */
export const UpdateBotSchema = z.strictObject(editable).partial();
export type UpdateBot = z.infer<typeof UpdateBotSchema>;

/** The body of `POST /api/bots/[id]/test`. */
export const TestBotSchema = z.strictObject({
  /** The id of a channel, chat or person to which the test message goes. */
  conversation: z.string().trim().min(1).max(300),
});
export type TestBot = z.infer<typeof TestBotSchema>;
