import type { JsonObject } from "@oven/contract";
import { type Chain, ChainSpecSchema } from "@oven/contract/formats/chains.ts";
import type { FormatDocuments } from "../../shared/define-format.ts";
import { importSource } from "../../shared/import-source.ts";
import { ownerOf } from "../../shared/owner.ts";
import type { ChainParts } from "./chain-parts.ts";

export function chainDocuments({ chains, store }: ChainParts): FormatDocuments {
  return {
    list: async (principal) =>
      (await store.list(ownerOf(principal), {})).map(({ uuid, name, agentWorkflowId, updatedAt }) => ({
        ...{ id: uuid, name, agent_workflow_id: agentWorkflowId, updated_at: updatedAt.toISOString() },
      })),
    get: async (principal, id) => {
      const { uuid, name, agentWorkflowId, updatedAt } = await store.get(ownerOf(principal), id);
      return { id: uuid, name, agent_workflow_id: agentWorkflowId, updated_at: updatedAt.toISOString() };
    },
    export: async (principal, id) => ({ ...(await chains.export(principal, id)) }) as JsonObject, // cast: it is JSON
    import: async (principal, source) => {
      const make = (chain: Chain) => store.get(ownerOf(principal), chain.workflow_id);
      const { uuid, name, agentWorkflowId, updatedAt } = await importSource(source, ChainSpecSchema, async (spec) =>
        make(await chains.create(principal, spec, `user-${ownerOf(principal).userId}`)),
      );
      return { id: uuid, name, agent_workflow_id: agentWorkflowId, updated_at: updatedAt.toISOString() };
    },
    compile: (principal, source) =>
      importSource(source, ChainSpecSchema, async (spec) => ({
        definition: (await chains.compile(principal, spec)) as unknown as JsonObject, // cast: a definition is JSON
        warnings: [],
      })),
  };
}
