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
  type ToolDefinition,
} from "@oven/module-registry";
import { type ModelScript, type ModelServer, type ModelServerOptions, startModelServer } from "@oven/testing";
import { z } from "zod";
import { createAgentMemoryService } from "../../memory/memory-service.ts";
import * as schema from "../../schema.ts";

export interface OpenServices {
  db: Database;
  services: ServiceMap;
  server: ModelServer;
  /** Runs of `shop.*` tools: tool, arguments, idempotency key. */
  calls: [tool: string, input: unknown, idempotencyKey: string][];
  close(): Promise<void>;
}

interface Options extends Pick<ModelServerOptions, "embed"> {
  withMemory?: boolean;
  /** More tools of the shop. */
  tools?: readonly ToolDefinition[];
  /** Whoever gives it closes it. */
  db?: Database;
}

/** Models and tools as in a real runtime, with a scripted model server at the other end of the wire. */
export async function openServices(
  script: ModelScript,
  { embed, withMemory = false, db: given, tools = [] }: Options = {},
): Promise<OpenServices> {
  const server = await startModelServer(script, {
    models: embed === undefined ? ["house-model"] : ["house-model", "house-embed"],
    ...(embed === undefined ? {} : { embed }),
  });
  const db = given ?? (await createTestPglite());
  const calls: OpenServices["calls"] = [];
  // module-workflows makes them, which is not here.
  for (const name of withMemory ? SEQUENCES : []) await db.query(`create sequence if not exists ${name}`);
  const memory = withMemory ? [createMemory()] : [];
  const runtime = await createRuntime({
    db,
    modules: [createSystemModule(), createAiModule(), createAgentCoreModule(), createShop(calls, tools), ...memory],
    environment: {
      publicUrl: "http://localhost:3000",
      dataDir: "unused",
      secret: "test",
      demo: false,
      variables: { OPENAI_BASE_URL: server.url },
      bootstrapApiKey: undefined,
      outboundAllow: [],
      production: false,
    },
  });
  return {
    db,
    services: runtime.services,
    server,
    calls,
    async close() {
      await runtime.stop();
      if (given === undefined) await db.close();
      await server.close();
    },
  };
}

const SEQUENCES = ["oven_execution_id", "oven_node_run_id"];

/** The tables and the memory of this module, without the runs of workflows. */
function createMemory(): ModuleDefinition {
  return defineModule({
    name: "module-workflow-agents",
    namespace: "agents-workflow",
    description: "Memory.",
    dependencies: ["module-ai"],
    schema,
    migrations: new URL("../../../migrations", import.meta.url),
    services: async ({ db, services }) => ({ agentMemory: createAgentMemoryService(db, services) }),
  });
}

function createShop(calls: OpenServices["calls"], more: readonly ToolDefinition[]): ModuleDefinition {
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
      ...more,
    ],
  });
}
