import { z } from "zod";
import { ExecutionKindSchema } from "./execution.ts";
import { JsonObjectSchema } from "./json.ts";
import { SecretReferenceSchema } from "./secret.ts";

const NO_ZONE = "UTC";

/** What people are told about. */
export const NotificationKindSchema = z.enum([
  "run.completed",
  "run.failed",
  "review.opened",
  "review.deadline",
  "review.assigned",
  "budget.exhausted",
  "trigger.unusable",
  "mcp-tool.changed",
  "api-operation.changed",
  "a2a-agent.changed",
  "canary.stopped",
]);
export type NotificationKind = z.infer<typeof NotificationKindSchema>;

const WorkflowScopeSchema = z.strictObject({ kind: ExecutionKindSchema, workflowId: z.int().positive() });

/** The workflows that a rule is about. */
export const NotificationScopeSchema = z.union([z.strictObject({ kind: z.literal("all") }), WorkflowScopeSchema]);
export type NotificationScope = z.infer<typeof NotificationScopeSchema>;

/** An app of a Slack workspace, whose messages about reviews have buttons that decide. */
export const SlackAppSchema = z.strictObject({
  type: z.literal("slack-app"),
  /** The bot's token (`xoxb-…`); the secret must be bound to `host`. */
  token: SecretReferenceSchema.pick({ $secret: true }),
  /** Proves that a press on a button comes from Slack; a secret that is bound to no host. */
  signingSecret: SecretReferenceSchema.pick({ $secret: true }),
  /** The id of a channel, or of a person: `C0123ABCD`. */
  conversation: z.string().regex(/^[A-Z0-9]{2,32}$/, "must be an id such as C0123ABCD, not a name"),
  /** Of Slack's API. */
  host: z.string().min(1).max(255).default("slack.com"),
});

/** A bot of Microsoft Teams, whose cards about reviews have buttons that decide. */
export const TeamsBotSchema = z.strictObject({
  type: z.literal("teams"),
  /** The bot's Microsoft App ID. */
  appId: z.guid(),
  /** The id of the Microsoft Entra directory of the bot and of the people who decide. */
  directory: z.guid(),
  /** The bot's client secret; the secret must be bound to `loginHost`. */
  password: SecretReferenceSchema.pick({ $secret: true }),
  /** The id of a channel or chat: `19:…@thread.tacv2`. */
  conversation: z.string().min(1).max(300),
  /** Of the Bot Connector. */
  serviceUrl: z
    .url({ protocol: /^https?$/ })
    .max(300)
    .default("https://smba.trafficmanager.net/teams"),
  /** Gives the bot its tokens. */
  loginHost: z.string().min(1).max(255).default("login.microsoftonline.com"),
  /** Publishes the keys with which the Bot Connector signs. */
  keysHost: z.string().min(1).max(255).default("login.botframework.com"),
});

/** Which way a message goes, with its settings. */
export const NotificationChannelSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("in-app") }),
  z.strictObject({ type: z.literal("email") }),
  z.strictObject({
    type: z.literal("webhook"),
    url: z.url({ protocol: /^https?$/ }).max(2_000),
    /** Signs each message, as Standard Webhooks says. null: nothing is signed. */
    secret: SecretReferenceSchema.pick({ $secret: true }).nullable().default(null),
  }),
  z.strictObject({
    type: z.literal("slack"),
    /** The whole address of an incoming webhook is a credential, so it is kept as a secret. */
    url: SecretReferenceSchema.pick({ $secret: true }),
    /** The host of that address; the secret must be bound to it. */
    host: z.string().min(1).max(255).default("hooks.slack.com"),
  }),
  SlackAppSchema,
  TeamsBotSchema,
]);
export type NotificationChannel = z.infer<typeof NotificationChannelSchema>;

/**
 * Who gets what goes to people. `starter`: whoever started the run, or saved the trigger last; `assignees`: those whom the review
 * asks; of a run, nobody.
 */
export const NotificationRecipientSchema = z.discriminatedUnion("kind", [
  z.strictObject({ kind: z.literal("starter") }),
  z.strictObject({ kind: z.literal("assignees") }),
  z.strictObject({ kind: z.literal("user"), userId: z.int().positive() }),
  z.strictObject({ kind: z.literal("role"), role: z.string().trim().min(1).max(32) }),
]);
export type NotificationRecipient = z.infer<typeof NotificationRecipientSchema>;

const ClockTimeSchema = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, "must be a time such as 22:00");

/** Nothing is sent from `from` until `to`; what comes meanwhile is sent at its end. */
export const QuietHoursSchema = z
  .strictObject({ from: ClockTimeSchema, to: ClockTimeSchema })
  .refine(({ from, to }) => from !== to, "must end at another time than it begins");
export type QuietHours = z.infer<typeof QuietHoursSchema>;

/** An IANA time zone that this runtime knows. */
export const TimezoneSchema = z
  .string()
  .max(64)
  .refine(isTimezone, "must be a time zone such as Europe/Vienna")
  .describe("A time zone of the IANA list");

const editable = {
  name: z.string().trim().min(1).max(200),
  enabled: z.boolean(),
  scope: NotificationScopeSchema,
  events: z.array(NotificationKindSchema).min(1).max(NotificationKindSchema.options.length),
  channel: NotificationChannelSchema,
  recipients: z.array(NotificationRecipientSchema).max(50),
  /** `{{ $.path }}` reads the facts of the event; null: ours. */
  subject: z.string().min(1).max(500).nullable(),
  text: z.string().min(1).max(5_000).nullable(),
  /** Quiet hours of channels that have no person as recipient. */
  quietHours: QuietHoursSchema.nullable(),
  timezone: TimezoneSchema,
};

/** A notification rule, as `GET /api/notification-rules/[id]` answers it. */
export const NotificationRuleSchema = z.strictObject({
  id: z.int().positive(),
  ...editable,
  /** Where a channel that takes decisions posts them: a path of this server. null: its channel takes none. */
  decisionsPath: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type NotificationRule = z.infer<typeof NotificationRuleSchema>;

/** The body of `POST /api/notification-rules`. */
export const CreateNotificationRuleSchema = z.strictObject({
  name: editable.name,
  enabled: editable.enabled.default(true),
  scope: editable.scope.default({ kind: "all" }),
  events: editable.events,
  channel: editable.channel,
  recipients: editable.recipients.default([]),
  subject: editable.subject.default(null),
  text: editable.text.default(null),
  quietHours: editable.quietHours.default(null),
  timezone: editable.timezone.default(NO_ZONE),
});
export type CreateNotificationRule = z.infer<typeof CreateNotificationRuleSchema>;

/** The body of `PUT /api/notification-rules/[id]`. */
export const UpdateNotificationRuleSchema = z.strictObject({
  name: editable.name.optional(),
  enabled: editable.enabled.optional(),
  scope: editable.scope.optional(),
  events: editable.events.optional(),
  channel: editable.channel.optional(),
  recipients: editable.recipients.optional(),
  subject: editable.subject.optional(),
  text: editable.text.optional(),
  quietHours: editable.quietHours.optional(),
  timezone: editable.timezone.optional(),
  // What else a row holds may be sent back and is ignored.
  id: z.unknown().optional(),
  decisionsPath: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
});
export type UpdateNotificationRule = z.infer<typeof UpdateNotificationRuleSchema>;

/** What one person was told, in the dashboard. */
export const NotificationSchema = z.strictObject({
  id: z.int().positive(),
  kind: NotificationKindSchema,
  subject: z.string(),
  text: z.string(),
  /** Path of the page it is about, such as `/reviews/12`. */
  link: z.string(),
  executionKind: ExecutionKindSchema.nullable(),
  executionId: z.int().nullable(),
  reviewId: z.int().nullable(),
  readAt: z.string().nullable(),
  createdAt: z.string(),
});
export type Notification = z.infer<typeof NotificationSchema>;

/**
 * `pending`: to be sent at `nextAttemptAt`; `skipped`: not wanted, or nothing to send it with; `failed`: given up after
 * several attempts.
 */
export const NotificationDeliveryStatusSchema = z.enum(["pending", "sent", "skipped", "failed"]);
export type NotificationDeliveryStatus = z.infer<typeof NotificationDeliveryStatusSchema>;

/** One message that leaves OVEN: an e-mail, or a call of somebody's webhook. */
export const NotificationDeliverySchema = z.strictObject({
  id: z.int().positive(),
  ruleId: z.int().nullable(),
  channel: z.enum(["email", "webhook", "slack", "slack-app", "teams"]),
  /** An e-mail address, the host of a webhook, or the id of a conversation. */
  recipient: z.string(),
  kind: NotificationKindSchema,
  /** The same event has the same key: it is told once to each recipient of a rule. */
  eventKey: z.string(),
  subject: z.string(),
  text: z.string(),
  link: z.string(),
  /** What happened, as templates and webhooks see it. */
  facts: JsonObjectSchema,
  status: NotificationDeliveryStatusSchema,
  /** Why it was not sent, or what the last attempt met. */
  reason: z.string().nullable(),
  attempts: z.int(),
  /** Goes with others in one message. */
  digest: z.boolean(),
  /** The delivery that this one repeats. */
  replayOf: z.int().nullable(),
  nextAttemptAt: z.string(),
  sentAt: z.string().nullable(),
  createdAt: z.string(),
});
export type NotificationDelivery = z.infer<typeof NotificationDeliverySchema>;

/** One person's wishes. A kind that is not named is on everywhere. */
export const NotificationPreferencesSchema = z.strictObject({
  kinds: z
    .partialRecord(NotificationKindSchema, z.strictObject({ inApp: z.boolean(), email: z.boolean() }))
    .default({}),
  /** E-mail waits until they end. */
  quietHours: QuietHoursSchema.nullable().default(null),
  timezone: TimezoneSchema.default(NO_ZONE),
  /** E-mail gathered into one: at each full hour, or at eight in the morning. */
  digest: z.enum(["none", "hourly", "daily"]).default("none"),
});
export type NotificationPreferences = z.infer<typeof NotificationPreferencesSchema>;

/** Where people decide besides the dashboard, with an account of their own there. */
export const DecisionProviderSchema = z.enum(["slack", "teams"]);
export type DecisionProvider = z.infer<typeof DecisionProviderSchema>;

const outsideAccount = {
  provider: DecisionProviderSchema,
  /** The id of the workspace or directory. */
  workspace: z.string(),
  /** The id of the account there. */
  account: z.string(),
  /** What the account is called there; its owner can change that. */
  name: z.string(),
};

/** An account elsewhere that decides in the name of the person who linked it. */
export const LinkedAccountSchema = z.strictObject({ id: z.int().positive(), ...outsideAccount, createdAt: z.string() });
export type LinkedAccount = z.infer<typeof LinkedAccountSchema>;

/** What an address that links an account is about, before it is confirmed. */
export const AccountLinkSchema = z.strictObject({ ...outsideAccount, expiresAt: z.string() });
export type AccountLink = z.infer<typeof AccountLinkSchema>;

/** The body of `POST /api/account/linked-accounts`, and the query of `GET /api/account/linked-accounts/link`. */
export const AccountLinkTokenSchema = z.strictObject({ token: z.string().min(20).max(100) });

/** Whether the person who started a run is notified of its end. A workflow that says nothing notifies of failures only. */
export const WorkflowNotifySchema = z.strictObject({
  onComplete: z.boolean().default(false),
  onFailure: z.boolean().default(true),
});
export type WorkflowNotify = z.infer<typeof WorkflowNotifySchema>;

function isTimezone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
