import { z } from "zod";
import { AgentConfigSchema, JsonSchemaDocumentSchema, MemoryConfigSchema } from "./definition.ts";
import { ExecutionStatusSchema } from "./execution.ts";
import { SlugSchema } from "./ids.ts";
import { JsonObjectSchema, JsonSchema } from "./json.ts";
import { McpPendingSchema } from "./mcp.ts";
import { TokenUsageSchema } from "./node-contract.ts";
import { SchemaNoteSchema } from "./schema-note.ts";

/** `orders.get`, `orders.*`, `*`; with `!` in front: not these. */
export const ToolPatternSchema = z
  .string()
  .max(200)
  .regex(/^!?(?:\*|[A-Za-z0-9_-]+(?:\.[A-Za-z0-9_-]+)*(?:\.\*)?)$/, "a tool's id, `orders.*` or `*`; `!` excepts");

/** What a version of an agent is made of; a run keeps to the version it began with. */
export const AgentSettingsSchema = z.strictObject({
  /** Without a bound workflow it may read what the caller gave: `{{ $.trigger.language }}`. */
  systemPrompt: z.string().max(100_000).default(""),
  /** Alias or `providerId:modelId`; null: the alias `fast`. */
  model: z.string().min(1).nullable().default(null),
  agentConfig: AgentConfigSchema.omit({ model: true, system: true, tools: true }).default({}),
  /** JSON Schema of an object: all that a caller may set. */
  exposedParameters: JsonSchemaDocumentSchema.nullable().default(null),
  /** The tools it may call; whoever calls it must be allowed to as well. */
  toolBindings: z.array(ToolPatternSchema).max(200).default([]),
  memoryConfig: MemoryConfigSchema.nullable().default(null),
  /** Whether programs that call it may bring tools of theirs, which they run by themselves. */
  callerTools: z.boolean().default(false),
  /** Whether it is an A2A agent, for those who may invoke it. */
  a2aExport: z.boolean().default(false),
  /** JSON Schema of the answer, which is then checked against it. */
  outputSchema: JsonSchemaDocumentSchema.nullable().default(null),
  /** Answers of the model in one run; null: as configured. */
  maxToolIterations: z.int().positive().max(1_000).nullable().default(null),
  streamingEnabled: z.boolean().default(true),
  /** The agent workflow it runs; null: a tool loop of its own. */
  workflowId: z.int().positive().nullable().default(null),
});
export type AgentSettings = z.infer<typeof AgentSettingsSchema>;

const named = {
  name: z.string().trim().min(1).max(200),
  slug: SlugSchema,
  description: z.string().max(10_000).nullable(),
  enabled: z.boolean(),
};

/** An agent, as `GET /api/agents/[id]` answers it. */
export const AgentSchema = AgentSettingsSchema.extend({
  ...named,
  id: z.int().positive(),
  tenantId: z.int().nullable(),
  version: z.int().positive(),
  /** The agent workflow its runs are of: the bound one, or the one made from these settings. */
  runsWorkflowId: z.int().nullable(),
  /** What no model sees of `outputSchema`, and MCP clients do not see of `exposedParameters`; paths begin with their names. */
  notes: z.array(SchemaNoteSchema),
  createdBy: z.int().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type Agent = z.infer<typeof AgentSchema>;

/** Fields of a row that a client may send back; they are ignored. */
const readOnly = {
  id: z.unknown().optional(),
  tenantId: z.unknown().optional(),
  runsWorkflowId: z.unknown().optional(),
  notes: z.unknown().optional(),
  createdBy: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
};
/** Why this version; shown in the history. */
const note = z.string().max(2_000).optional();

/** The body of `POST /api/agents`. */
export const CreateAgentSchema = AgentSettingsSchema.extend({
  ...readOnly,
  name: named.name,
  slug: named.slug.optional(),
  description: named.description.optional(),
  enabled: named.enabled.optional(),
  version: z.unknown().optional(),
  note,
});
export type CreateAgent = z.infer<typeof CreateAgentSchema>;

const changeable = AgentSettingsSchema.shape;

/** What is left out stays. `version`, when sent, must be the current one. */
export const UpdateAgentSchema = z.strictObject({
  systemPrompt: changeable.systemPrompt.removeDefault().optional(),
  model: changeable.model.removeDefault().optional(),
  agentConfig: changeable.agentConfig.removeDefault().optional(),
  exposedParameters: changeable.exposedParameters.removeDefault().optional(),
  toolBindings: changeable.toolBindings.removeDefault().optional(),
  callerTools: changeable.callerTools.removeDefault().optional(),
  a2aExport: changeable.a2aExport.removeDefault().optional(),
  memoryConfig: changeable.memoryConfig.removeDefault().optional(),
  outputSchema: changeable.outputSchema.removeDefault().optional(),
  maxToolIterations: changeable.maxToolIterations.removeDefault().optional(),
  streamingEnabled: changeable.streamingEnabled.removeDefault().optional(),
  workflowId: changeable.workflowId.removeDefault().optional(),
  name: named.name.optional(),
  slug: named.slug.optional(),
  description: named.description.optional(),
  enabled: named.enabled.optional(),
  version: z.int().positive().optional(),
  note,
  ...readOnly,
});
export type UpdateAgent = z.infer<typeof UpdateAgentSchema>;

/** An agent version, as `GET /api/agents/[id]/versions` answers it. */
export const AgentVersionSchema = z.strictObject({
  id: z.int().positive(),
  agentId: z.int(),
  version: z.int(),
  settings: AgentSettingsSchema,
  description: z.string().nullable(),
  /** Permissions that its runs may use, if who starts them has them too: those that they need, as far as who saved it had them. */
  granted: z.array(z.string()),
  createdBy: z.int().nullable(),
  createdAt: z.string(),
});
export type AgentVersion = z.infer<typeof AgentVersionSchema>;

/** How much an agent is talked to. */
export const AgentStatsSchema = z.strictObject({
  agentId: z.int().positive(),
  sessions: z.int(),
  /** When something was last said; null: never. */
  lastUsedAt: z.string().nullable(),
});
export type AgentStats = z.infer<typeof AgentStatsSchema>;

/** What would be without an agent. */
export const AgentUsesSchema = z.strictObject({
  sessions: z.int(),
  /** That name it in a step. */
  workflows: z.array(
    z.strictObject({ kind: z.enum(["workflow", "agent-workflow"]), id: z.int().positive(), name: z.string() }),
  ),
});
export type AgentUses = z.infer<typeof AgentUsesSchema>;

/** What a caller may say for either side. Instructions and tool results are never the caller's to give. */
export const SpokenMessageSchema = z.strictObject({
  role: z.enum(["user", "assistant"]),
  content: z.string().min(1).max(1_000_000),
});
export type SpokenMessage = z.infer<typeof SpokenMessageSchema>;

/** A tool that the caller of an agent runs by itself. */
export const CallerToolSchema = z.strictObject({
  name: z.string().regex(/^[A-Za-z_][\w-]{0,63}$/, "a name of letters, digits, _ and -, at most 64"),
  description: z.string().min(1).max(20_000),
  /** JSON Schema of its arguments. */
  parameters: JsonObjectSchema.optional(),
});
export type CallerTool = z.infer<typeof CallerToolSchema>;
/** Of one call of an agent. */
export const MAX_CALLER_TOOLS = 50;
/** Of all tools of one call together: a model reads them with every answer. */
export const MAX_CALLER_TOOL_BYTES = 65_536;
/** The event by which results of a caller's tools come to the run. */
export const CALLER_TOOLS_ANSWERED = "caller.tools-answered";

/** The body of `POST /api/agents/[slug]/invoke`. */
export const InvokeAgentSchema = z
  .strictObject({
    message: z.string().min(1).max(1_000_000).optional(),
    /** Instead of `message`: several, the last one the user's. They follow what the session has. */
    messages: z.array(SpokenMessageSchema).min(1).max(1_000).optional(),
    /** Only what the agent exposes. */
    parameters: JsonObjectSchema.default({}),
    /** Goes on with that conversation; left out: a new one. */
    sessionId: z.int().positive().optional(),
    /** Seconds to wait for the end or a pause. */
    wait: z.int().min(0).max(60).default(20),
  })
  .refine(({ message, messages }) => (message === undefined) !== (messages === undefined), {
    message: "give either `message` or `messages`",
  })
  .refine(({ messages }) => messages === undefined || messages.at(-1)?.role === "user", {
    message: "the last of `messages` must be the user's",
    path: ["messages"],
  });
export type InvokeAgent = z.infer<typeof InvokeAgentSchema>;

/** What an invoke answers, for a finished run and for one that waits or still runs: then `run` is the handle. */
export const AgentReplySchema = z.strictObject({
  status: ExecutionStatusSchema,
  /** The answer of a completed run, as text. */
  text: z.string().nullable(),
  /** The answer of an agent that has an `outputSchema`, as an object. */
  object: JsonSchema.optional(),
  /** What the run itself answered. */
  output: JsonSchema,
  error: z.strictObject({ code: z.string(), message: z.string() }).nullable(),
  /** Null: its conversation was deleted. */
  sessionId: z.int().nullable(),
  agent: z.strictObject({ id: z.int(), slug: z.string(), version: z.int() }),
  /** Reviews that the run waits for. */
  pending: z.array(McpPendingSchema),
  tokenUsage: TokenUsageSchema,
  costMicros: z.int(),
  simulated: z.boolean(),
  run: z.strictObject({ id: z.int(), url: z.string() }),
});
export type AgentReply = z.infer<typeof AgentReplySchema>;

/** An agent session, as `GET /api/agent-sessions/[id]` answers it. */
export const AgentSessionSchema = z.strictObject({
  id: z.int().positive(),
  tenantId: z.int().nullable(),
  agentId: z.int(),
  userId: z.int().nullable(),
  title: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type AgentSession = z.infer<typeof AgentSessionSchema>;

/** The body of `POST /api/agent-sessions`. */
export const NewAgentSessionSchema = z.strictObject({
  /** Id or slug. */
  agent: z.union([z.int().positive(), z.string().min(1)]),
  title: z.string().max(200).optional(),
});
/** The body of `PUT /api/agent-sessions/[id]`. */
export const UpdateAgentSessionSchema = z.strictObject({
  title: z.string().max(200).nullable().optional(),
  id: z.unknown().optional(),
  tenantId: z.unknown().optional(),
  agentId: z.unknown().optional(),
  userId: z.unknown().optional(),
  createdAt: z.unknown().optional(),
  updatedAt: z.unknown().optional(),
});

/** An agent message, as `GET /api/agent-sessions/[id]/messages` answers it. */
export const AgentMessageSchema = z.strictObject({
  id: z.int().positive(),
  sessionId: z.int(),
  role: z.enum(["user", "assistant"]),
  content: z.string(),
  /** The run that this asked for, or that answered it. */
  executionId: z.int().nullable(),
  createdAt: z.string(),
});
export type AgentMessage = z.infer<typeof AgentMessageSchema>;
