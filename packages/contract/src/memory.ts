import { z } from "zod";
import { JsonObjectSchema } from "./json.ts";

/** Characters of a memory's key. */
export const MEMORY_KEY_LIMIT = 200;
/** Characters of a memory. */
export const MEMORY_CONTENT_LIMIT = 4_000;

/** Where a memory comes from, as its `metadata.source` says. */
export const MemorySourceSchema = z.strictObject({
  executionId: z.int().positive(),
  executionKind: z.enum(["workflow", "agent-workflow"]),
  nodeId: z.string(),
  /** Below zero: a test conversation. */
  sessionId: z.int().nullable(),
  /** Only set where a draft was tested. */
  test: z.literal(true).optional(),
  /** Start of the message it was taken from. */
  message: z.string(),
  /** ISO time. */
  at: z.string(),
});
export type MemorySource = z.infer<typeof MemorySourceSchema>;

/** A memory entry, as `GET /api/agent-memory/[id]` answers it. */
export const MemoryEntrySchema = z.strictObject({
  id: z.int().positive(),
  tenantId: z.int(),
  /** Exactly one of `agentId` and `agentWorkflowId` is set: a workflow that runs without an agent remembers for itself. */
  agentId: z.int().nullable(),
  agentWorkflowId: z.int().nullable(),
  /** Null: of everybody who talks to the agent. */
  userId: z.int().nullable(),
  /** What it is about, such as `favourite colour`. */
  key: z.string(),
  content: z.string(),
  metadata: JsonObjectSchema,
  vectorStoreId: z.int().positive().nullable(),
  /** Whether it can be found: its text and vector are in that store. */
  embedded: z.boolean(),
  expiresAt: z.string().nullable(),
  createdAt: z.string(),
  updatedAt: z.string(),
});
export type MemoryEntry = z.infer<typeof MemoryEntrySchema>;

/** A memory match, as `POST /api/agent-memory/search` answers it. */
export const MemoryMatchSchema = MemoryEntrySchema.extend({
  /** What the matches are ordered by. */
  score: z.number(),
  /** Likeness of meaning; null when only words were compared. */
  similarity: z.number().nullable(),
});
export type MemoryMatch = z.infer<typeof MemoryMatchSchema>;

const owner = {
  agentId: z.int().positive().nullish(),
  agentWorkflowId: z.int().positive().nullish(),
  userId: z.int().positive().nullish(),
};
const content = z.string().trim().min(1).max(MEMORY_CONTENT_LIMIT);
const key = z.string().trim().min(1).max(MEMORY_KEY_LIMIT);
const expiresAt = z.iso.datetime({ offset: true }).nullish();
const store = z.string().min(1).max(63).optional().describe("Slug or id of a vector store; else the tenant's own");

/** A fact to remember. */
export const MemoryFactSchema = z.strictObject({ key, content });
export type MemoryFact = z.infer<typeof MemoryFactSchema>;

/** The body of `POST /api/agent-memory`. */
export const CreateMemorySchema = z.strictObject({
  ...owner,
  key,
  content,
  metadata: JsonObjectSchema.nullish(),
  expiresAt,
  store,
});
export type CreateMemory = z.infer<typeof CreateMemorySchema>;

const readOnly = z.unknown().optional();

/** The owner and the store stay; read-only fields may be sent back and are ignored. */
export const UpdateMemorySchema = z.strictObject({
  key: key.optional(),
  content: content.optional(),
  metadata: JsonObjectSchema.nullish(),
  expiresAt,
  id: readOnly,
  tenantId: readOnly,
  agentId: readOnly,
  agentWorkflowId: readOnly,
  userId: readOnly,
  vectorStoreId: readOnly,
  embedded: readOnly,
  createdAt: readOnly,
  updatedAt: readOnly,
});
export type UpdateMemory = z.infer<typeof UpdateMemorySchema>;

/** Whether memories are found by meaning, by words or by both. */
export const MemoryStrategySchema = z.enum(["semantic", "keyword", "hybrid"]);
export type MemoryStrategy = z.infer<typeof MemoryStrategySchema>;

/** The body of `POST /api/agent-memory/search`. */
export const SearchMemorySchema = z.strictObject({
  ...owner,
  query: z.string().min(1).max(4_000),
  strategy: MemoryStrategySchema.default("semantic"),
  topK: z.int().positive().max(100).optional(),
  minScore: z.number().optional(),
  store,
});
export type SearchMemory = z.infer<typeof SearchMemorySchema>;
