import { OvenError } from "@oven/contract";
import { type MemoryStrategy, MemoryStrategySchema } from "@oven/contract/ai";
import { type NodeContext, requirePermission } from "@oven/module-registry";
import { z } from "zod";
import { type MemoryOwner, toOwner } from "./memory-owner.ts";

/** Inputs of both memory nodes; each is stronger than the definition's `memoryConfig`. */
export const memoryInput = {
  enabled: z.boolean().optional().describe("False: the step reads and writes nothing"),
  scope: z
    .enum(["agent", "agent+user"])
    .optional()
    .describe("`agent`: shared by everybody who talks to it; `agent+user`: kept apart for each user"),
  store: z.string().min(1).max(63).optional().describe("Slug of the vector store; else the tenant's own"),
  agentId: z.int().positive().optional().describe("Whose memory; else the run's agent, else this workflow"),
  userId: z
    .int()
    .positive()
    .optional()
    .describe(
      "With the scope agent+user: which user, which takes a permission of agent-memory; else who started the run",
    ),
};

const InputSchema = z.object(memoryInput);
type Input = z.output<typeof InputSchema>;
type Context = NodeContext<Input & { strategy?: MemoryStrategy | undefined; topK?: number | undefined }>;

export const strategyInput = MemoryStrategySchema.optional().describe(
  "`semantic`: by meaning; `keyword`: by words; `hybrid`: both",
);

/** What the node, else the definition, else the configuration says about memory. */
export async function memorySettings({ input, settings, config }: Context) {
  const { memoryConfig } = settings;
  const fallback = input.topK ?? memoryConfig.topK ?? (await config("MEMORY_RETRIEVAL_TOP_K"));
  return {
    enabled: input.enabled ?? memoryConfig.enabled ?? true,
    scope: input.scope ?? memoryConfig.scope ?? ("agent" as const),
    strategy: input.strategy ?? memoryConfig.strategy ?? ("semantic" as const),
    topK: typeof fallback === "number" ? fallback : DEFAULT_TOP_K,
    store: input.store ?? memoryConfig.store,
  };
}

export const DEFAULT_TOP_K = 5;

/**
 * Whose memory a node reads and writes.
 * @param permission what it takes to name another user than the one who started the run
 * @throws OvenError MEMORY_OWNER_MISSING in a regular workflow without `agentId`, MEMORY_USER_MISSING, FORBIDDEN
 */
export function ownerOf(
  { input, node, principal, settings, agent }: Context,
  scope: "agent" | "agent+user",
  permission: "agent-memory.read" | "agent-memory.create",
): MemoryOwner {
  const agentId = input.agentId ?? agent?.id ?? null;
  const userId = scope === "agent" ? null : (input.userId ?? principal.userId);
  if (scope === "agent+user" && userId === null) {
    throw new OvenError(
      "MEMORY_USER_MISSING",
      "Memory is kept per user here, and nobody in particular started the run",
      {
        status: 422,
        path: "$.userId",
        fix: "Set `userId`, or the scope `agent`",
      },
    );
  }
  if (userId !== null && userId !== principal.userId) requirePermission(principal, permission);
  const agentWorkflowId = agentId === null && node.kind === "agent-workflow" ? settings.workflowId : null;
  return toOwner(principal.tenantId, { agentId, agentWorkflowId, userId });
}
