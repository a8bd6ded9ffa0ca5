import { defineFormat } from "../../shared/define-format.ts";
import { chainRoutes } from "./chain.routes.ts";
import { chainDocuments } from "./chain-format.ts";
import type { ChainParts } from "./chain-parts.ts";
import { chainRunRoutes } from "./chain-run.routes.ts";
import { ChainStore } from "./chain-store.ts";
import { chainConfigKeys, chainPermissions, createChainParts } from "./chains.ts";
import { chainKeepNode } from "./nodes/chain-keep.node.ts";
import { chainPrepareNode } from "./nodes/chain-prepare.node.ts";
import * as tables from "./schema.ts";
import { chainTools, MESSAGE_SENT, MessageSentSchema } from "./tools/everyday-tools.ts";
import { readOutputTool } from "./tools/read-output.tool.ts";
import { workflowTools } from "./tools/workflow-tools.ts";

/** Agents that run one after the other, each with the output of the one before: document 001, `docs/guides/executor-chains.md`. */
export const createFormat = defineFormat<ChainParts>({
  id: "executor-chain",
  title: "Executor chains",
  resource: "executor-chains",
  permissions: chainPermissions,
  tables,
  personData: { holdings: [], numbers: ["executor_chains.user_id"] },
  configKeys: chainConfigKeys,
  emits: { [MESSAGE_SENT]: MessageSentSchema },
  create: createChainParts,
  routes: (parts) => [...chainRoutes(parts), ...chainRunRoutes(parts)],
  nodes: () => [chainPrepareNode, chainKeepNode],
  tools: (parts) => [readOutputTool, ...workflowTools(parts), ...chainTools(() => parts().db)],
  documents: chainDocuments,
  forget: (db, agentWorkflowId) => new ChainStore(db).forget(agentWorkflowId),
});
