import {
  CreateMemorySchema,
  MemoryEntrySchema,
  MemoryMatchSchema,
  SearchMemorySchema,
  UpdateMemorySchema,
} from "@oven/contract/ai";
import { callerOf } from "@oven/module-ai";
import {
  created,
  defineRoute,
  ListQuerySchema,
  listReply,
  noContent,
  ok,
  type Route,
  toListParams,
} from "@oven/module-registry";
import { z } from "zod";
import { DEFAULT_TOP_K } from "./memory-of-node.ts";
import { toOwner } from "./memory-owner.ts";

const IdParams = z.object({ id: z.coerce.number().int().positive() });

export const agentMemoryRoutes: Route[] = [
  defineRoute({
    method: "GET",
    path: "agent-memory",
    operation: "memory.list",
    summary: "List what agents remember",
    description: "Filter by `agentId`, `agentWorkflowId`, `userId` (null: shared), `key`, or `q` for words in it.",
    access: { permission: "agent-memory.read" },
    query: ListQuerySchema,
    response: z.array(MemoryEntrySchema),
    effect: "pure",
    handler: async ({ query, principal, services }) => {
      const params = toListParams(query);
      const { entries, total } = await services.agentMemory.list(principal, params);
      return listReply("agent-memory", params, entries, total);
    },
  }),
  defineRoute({
    method: "POST",
    path: "agent-memory",
    operation: "memory.create",
    summary: "Add a memory",
    access: { permission: "agent-memory.create" },
    body: CreateMemorySchema,
    response: MemoryEntrySchema,
    handler: async ({ body, principal, signal, services, run }) => {
      return created(await services.agentMemory.create(principal, body, { caller: callerOf(principal, run), signal }));
    },
  }),
  defineRoute({
    method: "POST",
    path: "agent-memory/search",
    operation: "memory.search",
    summary: "Find memories of one owner, by meaning or by words",
    description: "Without `userId` the shared ones; with it that user's own.",
    access: { permission: "agent-memory.read" },
    body: SearchMemorySchema,
    response: z.array(MemoryMatchSchema),
    effect: "pure",
    handler: async ({ body, principal, signal, services, run }) => {
      const { tenantId } = principal;
      const { query, strategy, minScore, store } = body;
      const owner = toOwner(tenantId, body);
      const configured = await services.config.resolve({
        module: "module-workflow-agents",
        key: "MEMORY_RETRIEVAL_TOP_K",
        tenantId,
      });
      const topK = body.topK ?? (typeof configured.value === "number" ? configured.value : DEFAULT_TOP_K);
      const { memories } = await services.agentMemory.recall(
        { owner, query, strategy, topK, minScore, store },
        { caller: callerOf(principal, run), signal },
      );
      return ok(memories);
    },
  }),
  defineRoute({
    method: "GET",
    path: "agent-memory/[id]",
    operation: "memory.get",
    summary: "One memory",
    access: { permission: "agent-memory.read" },
    params: IdParams,
    response: MemoryEntrySchema,
    effect: "pure",
    handler: async ({ params, principal, services }) =>
      ok(await services.agentMemory.get(principal.tenantId, params.id)),
  }),
  defineRoute({
    method: "PUT",
    path: "agent-memory/[id]",
    operation: "memory.update",
    summary: "Correct a memory",
    access: { permission: "agent-memory.update" },
    params: IdParams,
    body: UpdateMemorySchema,
    response: MemoryEntrySchema,
    effect: "idempotent",
    handler: async ({ params, body, principal, signal, services, run }) => {
      const call = { caller: callerOf(principal, run), signal };
      return ok(await services.agentMemory.update(principal, params.id, body, call));
    },
  }),
  defineRoute({
    method: "DELETE",
    path: "agent-memory/[id]",
    operation: "memory.delete",
    summary: "Forget a memory",
    access: { permission: "agent-memory.delete" },
    params: IdParams,
    effect: "idempotent",
    handler: async ({ params, principal, services }) => {
      await services.agentMemory.remove(principal, params.id);
      return noContent();
    },
  }),
];
