import type { Database } from "@oven/db";
import { createTestPglite } from "@oven/db/testing";
import { createAgentCoreModule } from "@oven/module-agent-core";
import { createAiModule } from "@oven/module-ai";
import {
  createRuntime,
  createSystemModule,
  defineModule,
  defineTool,
  type ModuleDefinition,
  type ServiceMap,
} from "@oven/module-registry";
import { type ModelScript, type ModelServer, type ModelServerOptions, startModelServer } from "@oven/testing";
import { z } from "zod";

export interface OpenServices {
  services: ServiceMap;
  server: ModelServer;
  db: Database;
  /** Runs of `shop.*` tools: tool, arguments, idempotency key. */
  calls: [tool: string, input: unknown, idempotencyKey: string][];
  close(): Promise<void>;
}

/** Models and tools as in a real runtime, with a scripted model server at the other end of the wire. */
export async function openServices(
  script: ModelScript,
  options: Pick<ModelServerOptions, "embed"> = {},
): Promise<OpenServices> {
  const server = await startModelServer(script, { models: ["house-model"], ...options });
  const db = await createTestPglite();
  const calls: OpenServices["calls"] = [];
  const runtime = await createRuntime({
    db,
    modules: [createSystemModule(), createAiModule(), createAgentCoreModule(), createShop(calls)],
    environment: {
      publicUrl: "http://localhost:3000",
      dataDir: "unused",
      secret: "test",
      demo: false,
      openaiApiKey: undefined,
      openaiBaseUrl: server.url,
      bootstrapApiKey: undefined,
      outboundAllow: [],
      production: false,
    },
  });
  return {
    services: runtime.services,
    server,
    db,
    calls,
    async close() {
      await runtime.stop();
      await db.close();
      await server.close();
    },
  };
}

function createShop(calls: OpenServices["calls"]): ModuleDefinition {
  const tool = (
    id: string,
    more: { needsApproval?: boolean; fails?: boolean; effect?: "pure" | "at-most-once" } = {},
  ) =>
    defineTool({
      id,
      title: `Tool ${id}`,
      description: `What ${id} does`,
      input: z.strictObject({ id: z.int() }),
      output: z.strictObject({ seen: z.int() }),
      effect: more.effect ?? "pure",
      permission: "shop.use",
      ...(more.needsApproval === undefined ? {} : { needsApproval: more.needsApproval }),
      run: async ({ input, idempotencyKey }) => {
        calls.push([id, input, idempotencyKey]);
        if (more.fails) throw new Error("the shelf is locked");
        return { seen: input.id };
      },
    });
  return defineModule({
    name: "module-shop",
    namespace: "shop",
    description: "A shop.",
    dependencies: [],
    tools: [
      tool("shop.get"),
      tool("shop.list"),
      tool("shop.broken", { fails: true }),
      tool("shop.pay", { needsApproval: true, effect: "at-most-once" }),
    ],
  });
}
