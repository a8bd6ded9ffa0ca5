import type { JsonObject } from "@oven/contract";
import { BUILDER_WORKFLOW } from "@oven/contract/workflow";
// What they put into `services`.
import type {} from "@oven/module-agent-core";
import type {} from "@oven/module-ai";
import type {} from "@oven/module-chat";
import { defineModule, type ModuleDefinition } from "@oven/module-registry";
import type {} from "@oven/module-workflow-agents";
import { z } from "zod";
import { conversationRoutes } from "./conversations/conversation.routes.ts";
import { ConversationService } from "./conversations/conversation-service.ts";
import { DeskRows } from "./desks/desk-rows.ts";
import { beginNode, CONVERSATION_MAX_COST } from "./nodes/begin.node.ts";
import { proveNode } from "./nodes/prove.node.ts";
import { personData } from "./person-data.ts";
import { proposalDesk } from "./repair/proposal-desk.ts";
import { repairRoutes } from "./repair/repair.routes.ts";
import { repairConfigKeys } from "./repair/repair-config.ts";
import { createRepairParts, type RepairParts, repairNodes, seedRepairWorkflow } from "./repair/repair-parts.ts";
import { repairListener } from "./repair/repair-rule.ts";
import * as schema from "./schema.ts";
import { createBuilderTools } from "./tools/builder-tools.ts";
import { TOOL_NAMESPACE } from "./tools/tool-list.ts";
import { builderDefinition } from "./workflow/builder.definition.ts";
import { demonstration } from "./workflow/demonstration.script.ts";

interface State {
  rows: DeskRows;
  conversations: ConversationService;
  repair: RepairParts;
}

/** An assistant that builds, explains and repairs agent workflows: an agent workflow of its own, with tools for one draft. */
export function createBuilderModule(): ModuleDefinition {
  let state: State | undefined;
  const ready = () => {
    if (state === undefined) throw new Error("module-builder was not started by a runtime");
    return state;
  };
  const rows = () => ready().rows;
  const repair = () => ready().repair;
  return defineModule({
    name: "module-builder",
    namespace: "builder",
    description: "An assistant that builds, explains and repairs agent workflows.",
    dependencies: [
      "module-registry",
      "module-roles",
      "module-workflows",
      "module-ai",
      "module-agent-core",
      "module-workflow-agents",
      "module-chat",
    ],
    personData,
    schema,
    migrations: new URL("../migrations", import.meta.url),
    permissions: [{ id: "builder.use", title: "Build workflows with the assistant", roles: ["editor"] }],
    configSchema: [
      {
        key: CONVERSATION_MAX_COST,
        type: "number",
        description: "What a conversation with the assistant may cost in all, in US cents",
        defaultValue: 1_000,
        schema: z.int().min(1).max(1_000_000),
      },
      ...repairConfigKeys,
    ],
    nodes: [beginNode(rows), proveNode(rows), ...repairNodes(repair)],
    routes: [...conversationRoutes(() => ready().conversations), ...repairRoutes(repair)],
    events: { emits: {}, listeners: { "agents-workflow.execution.failed": repairListener(repair) } },
    services: async (deps) => {
      const { db, services, environment } = deps;
      const deskRows = new DeskRows(db);
      const repairParts = createRepairParts(deps, deskRows);
      state = { rows: deskRows, conversations: new ConversationService(services), repair: repairParts };
      services.tools.addSource(
        TOOL_NAMESPACE,
        createBuilderTools({
          tools: services.tools,
          trail: () => services.auditTrail,
          rows: deskRows,
          publicUrl: environment.publicUrl,
          deskOf: async ({ principal, run, ask }, { row }) => ({
            row,
            ask: (await proposalDesk(repairParts, { principal, executionId: run.executionId, ask })) ?? ask,
          }),
        }),
      );
      services.ai.registerScript(demonstration);
      services.workflowPlatform.retention.add({
        table: "builder_desks",
        since: "created_at",
        setting: { module: "module-workflows", key: "RETENTION_RUN_DETAIL_DAYS" },
      });
      return {};
    },
    async seed({ services }) {
      await services.agentWorkflows.seedWorkflow({
        slug: BUILDER_WORKFLOW,
        shared: true,
        name: "Builder",
        description:
          "Builds, explains and repairs agent workflows in conversations. It changes drafts and publishes nothing.",
        // cast: a definition is JSON, only its type has optional members
        definition: builderDefinition as unknown as JsonObject,
      });
      await seedRepairWorkflow(services);
    },
  });
}
