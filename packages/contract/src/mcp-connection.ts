import { z } from "zod";
import { SlugSchema } from "./ids.ts";
import { JsonObjectSchema } from "./json.ts";
import { EffectSchema } from "./node-contract.ts";
import { ApprovalConditionSchema } from "./review-policy.ts";
import { SchemaNoteSchema } from "./schema-note.ts";

/** How OVEN shows who it is to the server. Values are secrets, named as `POST /api/secrets` keeps them. */
export const McpConnectionAuthSchema = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("none") }),
  z.strictObject({
    type: z.literal("bearer"),
    /** Its hosts must name the server's. */ secret: z.string().min(1).max(200),
  }),
  z.strictObject({
    /** A person signs in once (PKCE); without `clientId` OVEN registers itself. */
    type: z.literal("oauth"),
    scope: z.string().max(2_000).optional(),
    clientId: z.string().min(1).max(500).optional(),
    /** Its hosts must name the token endpoint's. */
    clientSecret: z.string().min(1).max(200).optional(),
  }),
  z.strictObject({
    type: z.literal("client-credentials"),
    scope: z.string().max(2_000).optional(),
    clientId: z.string().min(1).max(500),
    clientSecret: z.string().min(1).max(200),
  }),
]);
export type McpConnectionAuth = z.infer<typeof McpConnectionAuthSchema>;

const url = z
  .url({ protocol: /^https?$/, message: "an address such as https://mcp.example.com/mcp" })
  .max(2_000)
  .refine((text) => {
    const parsed = URL.parse(text);
    return parsed !== null && parsed.username === "" && parsed.password === "";
  }, "leave user name and password out; use `auth`");

const settings = {
  name: SlugSchema,
  title: z.string().trim().max(200).nullable(),
  url,
  auth: McpConnectionAuthSchema,
  /** How long a server may be silent; a report of progress begins it anew. */
  timeoutMs: z.int().min(1_000).max(600_000),
  /** How long one call may take in all, however much progress the server reports. */
  maxTotalMs: z.int().min(1_000).max(86_400_000),
  /** The largest answer of the server. */
  maxBytes: z.int().min(1_024).max(33_554_432),
  /** Of all processes together. */
  callsPerMinute: z.int().min(1).max(100_000),
  /** Null: as many as there are. */
  callsPerDay: z.int().min(1).max(100_000_000).nullable(),
  /** Sessions at once, counted per process: each run, or conversation, has one of its own. */
  maxSessions: z.int().min(1).max(1_000),
  /** How long a call waits for a session when all are in use. */
  sessionWaitMs: z.int().min(0).max(600_000),
  /** How long a session may be without a call before it is ended. */
  sessionIdleMs: z.int().min(1_000).max(86_400_000),
  enabled: z.boolean(),
};

export const McpConnectionStatusSchema = z.enum(["new", "ok", "failing", "sign-in", "disabled"]);
export type McpConnectionStatus = z.infer<typeof McpConnectionStatusSchema>;

/** An MCP connection, as `GET /api/mcp-connections/[id]` answers it. */
export const McpConnectionSchema = z.strictObject({
  id: z.int().positive(),
  tenantId: z.int().nullable(),
  ...settings,
  /** `stdio`: from the operator's file, which alone can change it. */
  transport: z.enum(["http", "stdio"]),
  /** Null for stdio: the command is the operator's to know. */
  url: url.nullable(),
  status: McpConnectionStatusSchema,
  protocolVersion: z.string().nullable(),
  serverName: z.string().nullable(),
  /** What the server says about itself: somebody else's words. */
  instructions: z.string().nullable(),
  lastContactAt: z.string().nullable(),
  latencyMs: z.int().nullable(),
  /** Why the last contact failed, in words; null: it did not. */
  lastError: z.string().nullable(),
  nextCheckAt: z.string().nullable(),
  /** What is noteworthy of the last listing, such as that it was cut. */
  notes: z.array(z.string()),
  /** `changed` are approved tools that differ from what was approved; `waiting` counts them too. */
  tools: z.strictObject({ approved: z.int(), waiting: z.int(), changed: z.int(), vanished: z.int(), refused: z.int() }),
  createdBy: z.int().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type McpConnection = z.infer<typeof McpConnectionSchema>;

/** Fields of a row that a client may send back; they are ignored. */
const readOnly = Object.fromEntries(
  Object.keys(McpConnectionSchema.shape)
    .filter((key) => !(key in settings))
    .map((key) => [key, z.unknown().optional()]),
);

const defaults = {
  title: settings.title.default(null),
  auth: settings.auth.default({ type: "none" }),
  timeoutMs: settings.timeoutMs.default(60_000),
  maxTotalMs: settings.maxTotalMs.default(600_000),
  maxBytes: settings.maxBytes.default(4_194_304),
  callsPerMinute: settings.callsPerMinute.default(120),
  callsPerDay: settings.callsPerDay.default(null),
  maxSessions: settings.maxSessions.default(10),
  sessionWaitMs: settings.sessionWaitMs.default(30_000),
  sessionIdleMs: settings.sessionIdleMs.default(300_000),
  enabled: settings.enabled.default(true),
};

/** The body of `POST /api/mcp-connections`. */
export const CreateMcpConnectionSchema = z.strictObject({ ...readOnly, name: settings.name, url, ...defaults });
export type CreateMcpConnection = Pick<z.infer<typeof CreateMcpConnectionSchema>, keyof typeof settings>;

/** What is left out stays. */
export const UpdateMcpConnectionSchema = z.strictObject({ ...readOnly, ...settings }).partial();
export type UpdateMcpConnection = Partial<CreateMcpConnection>;

/** The body of `test`: settings that are not stored yet. */
export const TestMcpConnectionSchema = z.strictObject({
  url,
  auth: settings.auth.default({ type: "none" }),
  timeoutMs: settings.timeoutMs.default(20_000),
  maxBytes: settings.maxBytes.default(4_194_304),
});

/** What the server says a call may do. Shown, and never trusted. */
const ServerHintsSchema = z.strictObject({
  readOnlyHint: z.boolean().optional(),
  destructiveHint: z.boolean().optional(),
  idempotentHint: z.boolean().optional(),
  openWorldHint: z.boolean().optional(),
});

/** A tool as a server lists it: what is pinned is the hash of name, description and schemas. */
export const McpListedToolSchema = z.strictObject({
  name: z.string(),
  title: z.string().nullable(),
  description: z.string(),
  inputSchema: JsonObjectSchema,
  outputSchema: JsonObjectSchema.nullable(),
  hints: ServerHintsSchema,
});
export type McpListedTool = z.infer<typeof McpListedToolSchema>;

/** An MCP connection test, as `POST /api/mcp-connections/test` answers it. */
export const McpConnectionTestSchema = z.strictObject({
  ok: z.boolean(),
  error: z.string().nullable(),
  fix: z.string().nullable(),
  protocolVersion: z.string().nullable(),
  serverName: z.string().nullable(),
  latencyMs: z.int(),
  tools: z.array(z.strictObject({ name: z.string(), description: z.string() })),
});
export type McpConnectionTest = z.infer<typeof McpConnectionTestSchema>;

/** An MCP connection tool, as `GET /api/mcp-connections/[id]/tools` answers it. */
export const McpConnectionToolSchema = z.strictObject({
  id: z.int().positive(),
  connectionId: z.int().positive(),
  /** `mcp.{connection}.{tool}`, as bindings name it. */
  toolId: z.string(),
  name: z.string(),
  /** `new` and `changed` wait for somebody's approval; `refused`: it cannot be used as the server lists it. */
  state: z.enum(["new", "approved", "changed", "vanished", "refused"]),
  problem: z.string().nullable(),
  /** What models do not see of its input schema, and what OVEN cannot check of it. */
  notes: z.array(SchemaNoteSchema),
  /** Other tools of the tenant's connections that look the same on a screen: `mcp.{connection}.{name}`, with the server's own name. */
  looksLike: z.array(z.string()),
  listed: McpListedToolSchema,
  listedHash: z.string(),
  approved: McpListedToolSchema.nullable(),
  approvedHash: z.string().nullable(),
  approvedBy: z.int().nullable(),
  approvedAt: z.string().nullable(),
  effect: EffectSchema,
  needsApproval: z.boolean(),
  /** Which calls need it, as CEL over `args`; null: each. */
  approvalWhen: z.string().nullable(),
  lastSeenAt: z.string(),
});
export type McpConnectionTool = z.infer<typeof McpConnectionToolSchema>;

/** The body of `approve`. */
export const ApproveMcpToolSchema = z.strictObject({
  /** The hash of the tool that the person has seen. Approval is refused when the tool has another hash by now. */
  hash: z.string(),
  /** What repeating a call may do, as whoever approves knows it; the server's hints decide nothing. */
  effect: EffectSchema.default("at-most-once"),
  /** Whether a person must approve each call of a model. */
  needsApproval: z.boolean().default(true),
  /** Which calls need it, as CEL over `args`; null: each. */
  approvalWhen: ApprovalConditionSchema.nullable().default(null),
});
export type ApproveMcpTool = z.infer<typeof ApproveMcpToolSchema>;

/** The body of `approve` for many tools at once. */
export const ApproveMcpToolsSchema = z.strictObject({
  /** As they were looked at: one that is another by now is not approved. */
  tools: z
    .array(z.strictObject({ id: z.int().positive(), hash: z.string() }))
    .min(1)
    .max(1_000),
  effect: ApproveMcpToolSchema.shape.effect,
  needsApproval: ApproveMcpToolSchema.shape.needsApproval,
  approvalWhen: ApproveMcpToolSchema.shape.approvalWhen,
});
export type ApproveMcpTools = z.infer<typeof ApproveMcpToolsSchema>;

/** What became of approving many tools. */
export const ApprovedMcpToolsSchema = z.strictObject({
  approved: z.int(),
  /** Names of those that are no longer what was looked at. */
  changed: z.array(z.string()),
});
export type ApprovedMcpTools = z.infer<typeof ApprovedMcpToolsSchema>;

/** The answer of `authorize`: where a person signs in. Null: nobody needs to. */
export const McpAuthorizationSchema = z.strictObject({ url: z.string().nullable() });

/** What a call of a server's tool answers in a run. */
export const McpToolResultSchema = z.strictObject({
  text: z.string(),
  /** As the tool's output schema says; it was checked. */
  structured: JsonObjectSchema.optional(),
  /** Pictures, sounds and documents as references to kept content; links that could not be read as they are. */
  attachments: z.array(JsonObjectSchema).optional(),
});
export type McpToolResult = z.infer<typeof McpToolResultSchema>;
