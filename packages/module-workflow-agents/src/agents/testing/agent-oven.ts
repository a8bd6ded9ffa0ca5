import { createAgentCoreModule } from "@oven/module-agent-core";
import { createAiModule } from "@oven/module-ai";
import {
  createRuntime,
  createSystemModule,
  defineModule,
  defineTool,
  RUNNING_ROLES,
  type ToolDefinition,
} from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { createWorkflowsModule } from "@oven/module-workflows";
import {
  addPerson,
  type ModelScript,
  type ModelServer,
  startModelServer,
  startTestOven,
  type TestOven,
} from "@oven/testing";
import { z } from "zod";
import { createAgentWorkflowsModule } from "../../agent-workflows.module.ts";

export interface AgentOven extends TestOven {
  server: ModelServer;
  /** Runs of `shop.*` tools: tool and arguments. */
  calls: [tool: string, input: unknown][];
  /** The key of a new person with a role. */
  keyFor(role: string, tenantId?: number): Promise<string>;
}

/** The modules that agents need, and a shop, with a scripted model server at the other end of the wire. */
export async function startAgentOven(
  script: ModelScript,
  { tools = [], outboundAllow = [] }: { tools?: readonly ToolDefinition[]; outboundAllow?: readonly string[] } = {},
): Promise<AgentOven> {
  const server = await startModelServer(script, { models: ["house-model"] });
  const calls: AgentOven["calls"] = [];
  const tool = (id: string, more: { needsApproval?: boolean; effect?: "pure" | "at-most-once" } = {}) =>
    defineTool({
      id,
      title: `Tool ${id}`,
      description: `What ${id} does`,
      input: z.strictObject({ id: z.int() }),
      output: z.strictObject({ seen: z.int() }),
      permission: "shop.use",
      effect: "pure",
      ...more,
      run: async ({ input }) => {
        calls.push([id, input]);
        return { seen: input.id };
      },
    });
  const shop = defineModule({
    name: "module-shop",
    namespace: "shop",
    description: "A shop.",
    dependencies: [],
    permissions: [{ id: "shop.use", title: "Use the shop", roles: RUNNING_ROLES }],
    tools: [
      tool("shop.get"),
      tool("shop.list"),
      tool("shop.pay", { needsApproval: true, effect: "at-most-once" }),
      ...tools,
    ],
  });
  const oven = await startTestOven({
    createRuntime,
    modules: [
      createSystemModule(),
      createRolesModule(),
      createWorkflowsModule(),
      createAiModule(),
      createAgentCoreModule(),
      createAgentWorkflowsModule(),
      shop,
    ],
    environment: { variables: { OPENAI_BASE_URL: server.url }, outboundAllow },
  });
  return {
    ...oven,
    server,
    calls,
    keyFor: async (role, tenantId) => (await addPerson(oven.db, role, tenantId === undefined ? {} : { tenantId })).key,
    async stop() {
      await oven.stop();
      await server.close();
    },
  };
}
