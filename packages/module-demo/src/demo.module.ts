import type { JsonObject } from "@oven/contract";
import type { Database } from "@oven/db";
import type {} from "@oven/module-agent-core";
import type {} from "@oven/module-evals";
import {
  defineModule,
  type ModuleDefinition,
  NO_PERSON_DATA,
  READING_ROLES,
  RUNNING_ROLES,
} from "@oven/module-registry";
import type {} from "@oven/module-workflow-agents";
import { demoAgents } from "./agents/demo-agents.ts";
import { orderTriageDataset } from "./evals/order-triage.dataset.ts";
import * as schema from "./schema.ts";
import { demoScripts } from "./scripts/demo-scripts.ts";
import { seedShop } from "./seed-shop.ts";
import { createOrderTools } from "./tools/order-tools.ts";
import { demoWorkflows } from "./workflows/demo-workflows.ts";

/** An invented shop with orders, tools, three workflows, an agent and a dataset, so that a new installation has something to run. */
export function createDemoModule(): ModuleDefinition {
  let opened: Database | undefined;
  const database = (): Database => {
    if (opened === undefined) throw new Error("module-demo was not started by a runtime");
    return opened;
  };
  return defineModule({
    name: "module-demo",
    namespace: "orders",
    description: "A demonstration shop: orders, delivery policy and refunds.",
    personData: NO_PERSON_DATA,
    dependencies: ["module-ai", "module-agent-core", "module-workflow-agents", "module-evals"],
    schema,
    migrations: new URL("../migrations", import.meta.url),
    permissions: [
      { id: "orders.read", title: "See demo orders and policies", roles: READING_ROLES },
      { id: "orders.refund", title: "Refund demo orders", roles: RUNNING_ROLES },
    ],
    tools: createOrderTools(database),
    services: async ({ db, services }) => {
      opened = db;
      for (const script of demoScripts) services.ai.registerScript(script);
      return {};
    },
    async seed({ db, services }) {
      await seedShop(db);
      for (const workflow of demoWorkflows) {
        // cast: a definition is JSON, only its type has optional members
        const definition = workflow.definition as unknown as JsonObject;
        await services.agentWorkflows.seedWorkflow({ ...workflow, definition });
      }
      for (const agent of demoAgents) await services.agents.seedAgent(agent);
      await services.evals.seedDataset(orderTriageDataset);
    },
  });
}
