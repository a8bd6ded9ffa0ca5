import { SlugSchema } from "@oven/contract";
import { ApprovalConditionSchema } from "@oven/contract/review";
import { z } from "zod";

/** How OVEN shows who it is to an agent. Values are secrets, whose hosts must name the agent's. */
export const A2aAuthSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("none") }),
  z.strictObject({ type: z.literal("bearer"), secret: z.string().min(1).max(200) }),
  z.strictObject({
    type: z.literal("header"),
    header: z
      .string()
      .max(100)
      .regex(/^[A-Za-z0-9-]+$/, "a header such as x-api-key"),
    secret: z.string().min(1).max(200),
  }),
]);
export type A2aAuth = z.infer<typeof A2aAuthSchema>;

/** What a model sees of an agent, and where its messages go. The approval holds for exactly this. */
export const A2aCardSchema = z.strictObject({
  name: z.string().min(1).max(200),
  description: z.string().max(20_000),
  skills: z
    .array(
      z.strictObject({
        id: z.string().max(200),
        name: z.string().max(200),
        description: z.string().max(20_000),
        tags: z.array(z.string().max(200)).max(100),
        examples: z.array(z.string().max(2_000)).max(100),
      }),
    )
    .max(200),
  interfaces: z
    .array(z.strictObject({ url: z.url(), binding: z.string(), version: z.string(), tenant: z.string() }))
    .min(1)
    .max(20),
});
export type A2aCard = z.infer<typeof A2aCardSchema>;

const settings = {
  /** Its tool is `a2a.{name}.ask`. */
  name: SlugSchema,
  title: z.string().trim().max(200).nullable(),
  /** Of the agent, or of its card if it ends in `.json`. */
  url: z
    .url({ protocol: /^https?$/, message: "an address such as https://agent.example.com" })
    .max(2_000)
    .refine((text) => {
      const parsed = URL.parse(text);
      return parsed !== null && parsed.username === "" && parsed.password === "";
    }, "leave user name and password out; use `auth`"),
  auth: A2aAuthSchema,
  /** How long one request may take. */
  timeoutMs: z.int().min(1_000).max(600_000),
  /** How long one task may take in all, with the answers of people. */
  maxTotalMs: z.int().min(1_000).max(2_592_000_000),
  callsPerMinute: z.int().min(1).max(100_000),
  /** Null: no limit. */
  callsPerDay: z.int().min(1).max(10_000_000).nullable(),
  enabled: z.boolean(),
};

export const A2aConnectionSchema = z.strictObject({
  id: z.int().positive(),
  ...settings,
  toolId: z.string(),
  /** `changed`: its card is not what was approved, and nothing is sent to it until it is approved again. */
  state: z.enum(["new", "approved", "changed", "failing", "disabled"]),
  card: A2aCardSchema.nullable(),
  cardHash: z.string().nullable(),
  approvedCard: A2aCardSchema.nullable(),
  approvedBy: z.int().nullable(),
  approvedAt: z.string().nullable(),
  needsApproval: z.boolean(),
  approvalWhen: z.string().nullable(),
  lastContactAt: z.string().nullable(),
  lastError: z.string().nullable(),
  createdBy: z.int().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type A2aConnection = z.infer<typeof A2aConnectionSchema>;

/** Fields of a row that a client may send back; they are ignored. */
const readOnly = Object.fromEntries(
  Object.keys(A2aConnectionSchema.shape)
    .filter((key) => !(key in settings))
    .map((key) => [key, z.unknown().optional()]),
);

export const CreateA2aConnectionSchema = z.strictObject({
  ...readOnly,
  name: settings.name,
  url: settings.url,
  title: settings.title.default(null),
  auth: settings.auth.default({ type: "none" }),
  timeoutMs: settings.timeoutMs.default(30_000),
  maxTotalMs: settings.maxTotalMs.default(86_400_000),
  callsPerMinute: settings.callsPerMinute.default(120),
  callsPerDay: settings.callsPerDay.default(null),
  enabled: settings.enabled.default(true),
});
export type CreateA2aConnection = Pick<z.infer<typeof CreateA2aConnectionSchema>, keyof typeof settings>;

/** What is left out stays. */
export const UpdateA2aConnectionSchema = z.strictObject({ ...readOnly, ...settings }).partial();
export type UpdateA2aConnection = Partial<CreateA2aConnection>;

/** The hash is that of the card that was looked at. */
export const ApproveA2aAgentSchema = z.strictObject({
  hash: z.string(),
  needsApproval: z.boolean().default(true),
  approvalWhen: ApprovalConditionSchema.nullable().default(null),
});
export type ApproveA2aAgent = z.infer<typeof ApproveA2aAgentSchema>;
