import { createHash, randomUUID } from "node:crypto";
import { createAgentCoreModule } from "@oven/module-agent-core";
import { createAiModule } from "@oven/module-ai";
import {
  createRuntime,
  createSystemModule,
  defineModule,
  defineTool,
  type ToolDefinition,
} from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { createWorkflowsModule } from "@oven/module-workflows";
import { type ModelScript, type ModelServer, startModelServer, startTestOven, type TestOven } from "@oven/testing";
import { z } from "zod";
import { createAgentWorkflowsModule } from "../../agent-workflows.module.ts";

export interface AgentOven extends TestOven {
  server: ModelServer;
  /** Runs of `shop.*` tools: tool and arguments. */
  calls: [tool: string, input: unknown][];
  /** Requests for images. */
  pictured: object[];
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
  const pictured: object[] = [];
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
    permissions: [{ id: "shop.use", title: "Use the shop" }],
    tools: [
      tool("shop.get"),
      tool("shop.list"),
      tool("shop.pay", { needsApproval: true, effect: "at-most-once" }),
      ...tools,
    ],
  });
  const pictures = defineModule({
    name: "module-pictures",
    namespace: "pictures",
    description: "Makes images without a model.",
    dependencies: ["module-ai"],
    services: async ({ services }) => {
      Object.assign(services.ai, {
        generateImage: async (request: { prompt: string; count: number }) => {
          pictured.push(request);
          const images = Array.from({ length: request.count }, (_, index) => ({
            data: new Uint8Array([137, 80, 78, 71, index]),
            mediaType: "image/png",
          }));
          const usage = { input: 3, output: 0, total: 3 };
          return { images, usage, costMicros: 40_000, model: "pictures:one", warnings: ["seed"] };
        },
      });
      return {};
    },
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
      pictures,
    ],
    environment: { openaiBaseUrl: server.url, outboundAllow },
  });
  return {
    ...oven,
    server,
    calls,
    pictured,
    async keyFor(role, tenantId = 1) {
      const key = `oven_test_${randomUUID()}`;
      const [user] = await oven.db.query<{ id: number }>(
        "insert into users (name, email, tenant_id) values ('Somebody', $1, $2) returning id",
        [`${key}@example.com`, tenantId],
      );
      const id = user?.id ?? 0;
      await oven.db.query("insert into user_roles (user_id, role, tenant_id) values ($1, $2, $3)", [
        id,
        role,
        tenantId,
      ]);
      await oven.db.query(
        "insert into api_keys (name, key, reference_id, permissions, tenant_id) values ('test', $1, $2::text, $3, $4)",
        [createHash("sha256").update(key).digest("base64url"), id, JSON.stringify({ "*": ["*"] }), tenantId],
      );
      return key;
    },
    async stop() {
      await oven.stop();
      await server.close();
    },
  };
}
