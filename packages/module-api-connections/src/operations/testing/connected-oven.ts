import { createAgentCoreModule } from "@oven/module-agent-core";
import { createAiModule } from "@oven/module-ai";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { createAgentWorkflowsModule } from "@oven/module-workflow-agents";
import { createWorkflowsModule } from "@oven/module-workflows";
import { type Credentials, type ModelServer, startModelServer, startTestOven, type TestOven } from "@oven/testing";
import { createApiConnectionsModule } from "../../api-connections.module.ts";
import type { OrdersApi } from "./orders-api.ts";

export interface ConnectedOven extends TestOven {
  model: ModelServer;
  /** Connects the API with a secret; nothing is approved yet. */
  connect(settings?: object): Promise<number>;
  /** Operations by name. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  operations(id: number, query?: string): Promise<Record<string, any>>;
  /** Approves operations; without settings by their method. */
  approve(id: number, names: string[], settings?: object): Promise<void>;
  /** Runs one step that calls an operation, to its end or a pause. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  step(tool: string, args: object, as?: Credentials): Promise<any>;
}

export const SECRET = "key-of-the-shop-0001";

/** The modules that steps and agents need beside this one. */
export async function startConnectedOven(api: Pick<OrdersApi, "origin">, db?: TestOven["db"]): Promise<ConnectedOven> {
  const model = await startModelServer([], { models: ["house-model"] });
  const oven = await startTestOven({
    createRuntime,
    modules: [
      createSystemModule(),
      createRolesModule(),
      createWorkflowsModule(),
      createAiModule(),
      createAgentCoreModule(),
      createAgentWorkflowsModule(),
      createApiConnectionsModule(),
    ],
    environment: { variables: { OPENAI_BASE_URL: model.url }, outboundAllow: [api.origin] },
    ...(db === undefined ? {} : { db }),
  });
  await oven.call("POST", "secrets", { name: "shop", value: SECRET, hosts: [new URL(api.origin).host] });
  const must = async (method: string, path: string, body?: object, as?: Credentials) => {
    const answer = await oven.call(method, path, body, as);
    if (answer.status >= 300) throw new Error(JSON.stringify(answer.body));
    return answer.body;
  };
  const connected: ConnectedOven = {
    ...oven,
    model,
    async connect(settings = {}) {
      const body = await must("POST", "api-connections", {
        name: "shop",
        source: { type: "url", url: `${api.origin}/openapi.json` },
        auth: { type: "api-key", in: "header", name: "X-Key", secret: "shop" },
        ...settings,
      });
      return body.id;
    },
    async operations(id, query = "") {
      const rows = await must("GET", `api-connections/${id}/operations${query}`);
      return Object.fromEntries(rows.map((row: { name: string }) => [row.name, row]));
    },
    async approve(id, names, settings = {}) {
      const rows = await connected.operations(id);
      const operations = names.map((name) => ({ id: rows[name].id, hash: rows[name].hash }));
      await must("POST", `api-connections/${id}/operations/approve`, { operations, ...settings });
    },
    async step(tool, args, as) {
      const definition = {
        initial: "call",
        states: {
          call: { invoke: { src: "api.call", input: { tool, arguments: args }, onDone: "done" } },
          done: { type: "final", output: "$.call_output" },
        },
      };
      const name = `Step ${Math.random().toString(36).slice(2)}`;
      const { id } = await must("POST", "workflows", { name, definition });
      return must("POST", `workflows/${id}/execute?wait=30`, { input: {} }, as);
    },
    async stop() {
      await oven.stop();
      await model.close();
    },
  };
  return connected;
}
