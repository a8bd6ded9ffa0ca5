import type { Database } from "@oven/db";
import { createAgentCoreModule } from "@oven/module-agent-core";
import { createAiModule } from "@oven/module-ai";
import { createChatModule } from "@oven/module-chat";
import { createRuntime, createSystemModule, defineModule, defineTool, RUNNING_ROLES } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { createAgentWorkflowsModule } from "@oven/module-workflow-agents";
import { createWorkflowsModule } from "@oven/module-workflows";
import { addPerson, type ModelServer, startTestOven, TEST_KEY, type TestOven } from "@oven/testing";
import { z } from "zod";
import { createOpenAiApiModule } from "../../openai-api.module.ts";

export interface OpenAiOven extends TestOven {
  /** Runs of the tool that needs approval. */
  paid: unknown[];
  /** What clients take for the network: `/v1` of the server's root. */
  network: typeof fetch;
  /** `POST /v1/…` or `GET /v1/…` as it comes; with `body` a POST. */
  ask(path: string, body?: object, options?: { key?: string; headers?: Record<string, string> }): Promise<Response>;
  /** The key of a new person with a role. */
  keyFor(role: string, options?: { tenantId?: number; permissions?: Record<string, string[]> }): Promise<string>;
}

export const BASE_URL = "http://localhost:3000/v1";

/** What this API needs, and a shop, with a scripted model server at the other end of the wire. */
export async function startOpenAiOven(server: ModelServer, db?: Database): Promise<OpenAiOven> {
  const paid: unknown[] = [];
  const tool = (id: string, needsApproval: boolean) =>
    defineTool({
      id,
      title: `Tool ${id}`,
      description: `What ${id} does`,
      input: z.strictObject({ id: z.int() }),
      output: z.strictObject({ seen: z.int() }),
      permission: "shop.use",
      effect: needsApproval ? "at-most-once" : "pure",
      needsApproval,
      run: async ({ input }) => {
        if (needsApproval) paid.push(input);
        return { seen: input.id };
      },
    });
  const shop = defineModule({
    name: "module-shop",
    namespace: "shop",
    description: "A shop.",
    dependencies: [],
    permissions: [{ id: "shop.use", title: "Use the shop", roles: RUNNING_ROLES }],
    tools: [tool("shop.get", false), tool("shop.pay", true)],
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
      createChatModule(),
      createOpenAiApiModule(),
      shop,
    ],
    environment: { variables: { OPENAI_BASE_URL: server.url } },
    ...(db === undefined ? {} : { db }),
  });
  const network: typeof fetch = (input, init) => {
    const request = new Request(input, init);
    return oven.handle(new Request(request.url.replace("/v1/", "/api/v1/"), request));
  };
  return {
    ...oven,
    paid,
    network,
    ask: (path, body, { key = TEST_KEY, headers = {} } = {}) =>
      network(`${BASE_URL}/${path}`, {
        method: body === undefined ? "GET" : "POST",
        headers: { "content-type": "application/json", authorization: `Bearer ${key}`, ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    keyFor: async (role, options) => (await addPerson(oven.db, role, options)).key,
  };
}
