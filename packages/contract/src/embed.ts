import { z } from "zod";
import { ChatTargetKindSchema } from "./chat.ts";
import { FormFieldSchema } from "./form.ts";
import { JsonObjectSchema } from "./json.ts";

const WILDCARD = /^https:\/\/\*\.((?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9])(:\d{1,5})?$/;

/** Whether a text is an origin that an embed may allow: one as browsers send it, or all subdomains of a host. */
export function isEmbedOrigin(text: string): boolean {
  if (WILDCARD.test(text)) return URL.canParse(text.replace("*.", ""));
  if (!/^https?:\/\//.test(text) || text.includes("*") || !URL.canParse(text)) return false;
  return new URL(text).origin === text;
}

/** `https://shop.example.com`, `http://localhost:5173` or `https://*.example.com`, which stands for subdomains at any depth. */
export const EmbedOriginSchema = z
  .string()
  .max(300)
  .refine(
    isEmbedOrigin,
    "An origin is a scheme, a host and a port that is not the usual one, such as https://shop.example.com",
  );

export const EmbedThemeSchema = z.strictObject({
  accent: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i, "A colour such as #3056d3")
    .default("#3056d3"),
  scheme: z.enum(["auto", "light", "dark"]).default("auto"),
  corner: z.enum(["right", "left"]).default("right"),
  title: z.string().trim().min(1).max(80).default("Chat"),
  greeting: z.string().max(1_000).default(""),
  placeholder: z.string().max(120).default("").describe("Empty: a word in the language of the page"),
});
export type EmbedTheme = z.output<typeof EmbedThemeSchema>;

export const EmbedLimitsSchema = z.strictObject({
  visitorPerHour: z.int().min(1).max(1_000).default(30).describe("Messages of one visitor"),
  embedPerHour: z.int().min(1).max(100_000).default(1_000).describe("Messages of all visitors"),
  messageLength: z.int().min(10).max(20_000).default(2_000).describe("Characters of a message"),
  conversationHours: z.int().min(1).max(720).default(24).describe("A conversation is deleted after them"),
});
export type EmbedLimits = z.output<typeof EmbedLimitsSchema>;

export const EmbedFormSchema = z.strictObject({
  submitLabel: z.string().max(60).default("").describe("Empty: a word in the language of the page"),
  thanks: z.string().max(2_000).default("").describe("Empty: a sentence in the language of the page"),
  showAnswer: z.boolean().default(false).describe("Whether the visitor sees the output of the run"),
});

/** What people set of an embed: an agent or workflow that pages of other sites show. */
export const EmbedSettingsSchema = z.strictObject({
  name: z.string().trim().min(1).max(200),
  enabled: z.boolean().default(true),
  mode: z.enum(["chat", "form"]).default("chat"),
  target: z.strictObject({ kind: ChatTargetKindSchema, id: z.int().positive() }),
  input: JsonObjectSchema.default({}).describe("What every run gets besides"),
  origins: z.array(EmbedOriginSchema).min(1).max(50),
  theme: EmbedThemeSchema.prefault({}),
  limits: EmbedLimitsSchema.prefault({}),
  form: EmbedFormSchema.prefault({}),
  visitorDecides: z
    .boolean()
    .default(false)
    .describe("Whether a visitor may answer reviews and requests for input that name no reviewer and release no tool"),
});
export type EmbedSettings = z.output<typeof EmbedSettingsSchema>;

export const EmbedSchema = EmbedSettingsSchema.extend({
  id: z.int(),
  /** In the snippet of a page; no secret. */
  publicId: z.string(),
  /** Why the last message that could not start a run did not; null: none since it was saved. */
  lastError: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Embed = z.output<typeof EmbedSchema>;

/** How an embed looks, before anyone has written anything. */
export const EmbedLookSchema = z.strictObject({
  mode: z.enum(["chat", "form"]),
  theme: EmbedThemeSchema,
  messageLength: z.int(),
  form: EmbedFormSchema,
  fields: z.array(FormFieldSchema),
});
export type EmbedLook = z.output<typeof EmbedLookSchema>;

export const EmbedVisitorSchema = z.strictObject({ id: z.uuid(), secret: z.string().min(20).max(100) });
export type EmbedVisitor = z.output<typeof EmbedVisitorSchema>;

/** The body of `POST /api/embed/[publicId]/sessions`. */
export const StartEmbedSessionSchema = z.strictObject({ visitor: EmbedVisitorSchema.optional() });

export const EmbedSessionSchema = z.strictObject({
  /** For the `Authorization` header. */
  token: z.string(),
  expiresAt: z.string(),
  /** Of a new visitor with its secret, which is shown only here. */
  visitor: z.strictObject({ id: z.uuid(), secret: z.string().nullable() }),
});
export type EmbedSession = z.output<typeof EmbedSessionSchema>;

/** What a visitor can answer while a run waits. */
export const EmbedQuestionSchema = z.strictObject({
  id: z.int(),
  title: z.string(),
  text: z.string().nullable(),
  /** What is to be filled in; null: it is a question to say yes or no to. */
  fields: z.array(FormFieldSchema).nullable(),
  /** Of what was shown: an answer to something else is refused. */
  digest: z.string(),
});
export type EmbedQuestion = z.output<typeof EmbedQuestionSchema>;

/** A message as its visitor sees it: words, and never what happened inside. */
export const EmbedMessageSchema = z.strictObject({
  id: z.int(),
  message: z.string(),
  answer: z.string().nullable(),
  /** `waiting`: for a person, or an event from outside. */
  status: z.enum(["working", "waiting", "completed", "failed"]),
  questions: z.array(EmbedQuestionSchema),
  createdAt: z.string(),
});
export type EmbedMessage = z.output<typeof EmbedMessageSchema>;

/** The body of `POST /api/embed/[publicId]/messages`; `values` are the answers of a form. */
export const NewEmbedMessageSchema = z.strictObject({
  /** Made by the page: the same key again is the same message. */
  key: z.uuid(),
  message: z.string().max(20_000).optional(),
  values: JsonObjectSchema.optional(),
});
export type NewEmbedMessage = z.output<typeof NewEmbedMessageSchema>;

/** The body of `POST /api/embed/[publicId]/messages/[id]/decisions`. */
export const DecideEmbedQuestionSchema = z.discriminatedUnion("action", [
  z.strictObject({ action: z.enum(["approve", "reject"]), question: z.int(), digest: z.string().max(100) }),
  /** The answers to a question with `fields`. */
  z.strictObject({
    action: z.literal("submit"),
    question: z.int(),
    digest: z.string().max(100),
    data: JsonObjectSchema,
  }),
]);
export type DecideEmbedQuestion = z.output<typeof DecideEmbedQuestionSchema>;
