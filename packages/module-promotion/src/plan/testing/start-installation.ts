import type { SimulatedScript } from "@oven/contract/ai";
import type { Database } from "@oven/db";
import { createAgentCoreModule } from "@oven/module-agent-core";
import { createAiModule } from "@oven/module-ai";
import { createRuntime, createSystemModule, defineModule, defineTool, RUNNING_ROLES } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { createTablesModule } from "@oven/module-tables";
import { createTriggersModule } from "@oven/module-triggers";
import { createAgentWorkflowsModule } from "@oven/module-workflow-agents";
import { createWorkflowsModule } from "@oven/module-workflows";
import { startTestOven, type TestOven } from "@oven/testing";
import { z } from "zod";
import { createPromotionModule } from "../../promotion.module.ts";

/** Looks up the order that is asked for, and says what the tool answered. */
const clerkScript: SimulatedScript = {
  name: "clerk",
  rules: [
    {
      when: { last: "user", matches: "(\\d+)" },
      reply: { toolCalls: [{ tool: "shop.find", arguments: { id: { $cel: "int(ctx.match[1])" } } }] },
    },
    { when: { last: "tool", tool: "shop.find" }, reply: { text: 'It is {{ $.results["shop.find"].state }}.' } },
  ],
};

/** One whole installation in this process, with a shop. */
export async function startInstallation(db?: Database): Promise<TestOven> {
  const shop = defineModule({
    name: "module-shop",
    namespace: "shop",
    description: "A shop.",
    dependencies: ["module-ai"],
    permissions: [{ id: "shop.use", title: "Use the shop", roles: RUNNING_ROLES }],
    tools: [
      defineTool({
        id: "shop.find",
        title: "Find an order",
        description: "Says how an order is",
        input: z.strictObject({ id: z.int() }),
        output: z.strictObject({ state: z.string() }),
        permission: "shop.use",
        effect: "pure",
        run: async ({ input }) => ({ state: `order ${input.id}, delivered` }),
      }),
    ],
    services: async ({ services }) => {
      services.ai.registerScript(clerkScript);
      return {};
    },
  });
  return startTestOven({
    createRuntime,
    ...(db === undefined ? {} : { db }),
    modules: [
      createSystemModule(),
      createRolesModule(),
      createWorkflowsModule(),
      createAiModule(),
      createAgentCoreModule(),
      createAgentWorkflowsModule(),
      createTriggersModule(),
      createTablesModule(),
      createPromotionModule(),
      shop,
    ],
  });
}
