import type { JsonObject } from "@oven/contract";
import type { EvalDatasetFile, EvalResult, EvalRun } from "@oven/contract/eval";
import type { Database } from "@oven/db";
import { createAgentCoreModule } from "@oven/module-agent-core";
import { createAiModule } from "@oven/module-ai";
import { createRuntime, createSystemModule, defineModule, defineTool, RUNNING_ROLES } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { createAgentWorkflowsModule } from "@oven/module-workflow-agents";
import { createWorkflowsModule } from "@oven/module-workflows";
import { type ModelScript, type ModelServer, startModelServer, startTestOven, type TestOven } from "@oven/testing";
import { expect } from "vitest";
import { z } from "zod";
import { createEvalsModule } from "../../evals.module.ts";

/** A server with datasets, a shop's tools, and a scripted model server at the other end of the wire. */
export interface TestEvals extends TestOven {
  server: ModelServer;
  /** Calls of `shop.*` tools that were let through. */
  calls: [tool: string, input: unknown][];
  take(file: Partial<EvalDatasetFile>): Promise<number>;
  /** Starts a dataset, and waits for the end. */
  run(dataset: number | string, body?: object): Promise<{ run: EvalRun; results: EvalResult[] }>;
  ended(runId: number): Promise<EvalRun>;
  results(runId: number): Promise<EvalResult[]>;
}

/** What was said last in a request to the model. */
export function lastOf({ messages }: JsonObject): string {
  const last = (messages as { content: string }[]).at(-1); // cast: the wire format of the scripted server
  return String(last?.content);
}

export async function startEvals(script: ModelScript, shared: { db?: Database } = {}): Promise<TestEvals> {
  const server = await startModelServer(script, { models: ["house-model"] });
  const calls: TestEvals["calls"] = [];
  const tool = (id: string, effect: "pure" | "at-most-once", needsApproval: boolean) =>
    defineTool({
      ...{ id, title: `Tool ${id}`, description: `What ${id} does`, effect, needsApproval },
      input: z.strictObject({ id: z.int() }),
      output: z.strictObject({ seen: z.int() }),
      permission: "shop.use",
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
      tool("shop.get", "pure", false),
      tool("shop.send", "at-most-once", false),
      tool("shop.pay", "at-most-once", true),
    ],
  });
  const oven = await startTestOven({
    createRuntime,
    ...shared,
    modules: [
      createSystemModule(),
      createRolesModule(),
      createWorkflowsModule(),
      createAiModule(),
      createAgentCoreModule(),
      createAgentWorkflowsModule(),
      createEvalsModule(),
      shop,
    ],
    environment: { variables: { OPENAI_BASE_URL: server.url } },
  });
  const results = async (runId: number): Promise<EvalResult[]> =>
    (await oven.call("GET", `eval-runs/${runId}/results?range=[0,99]`)).body;
  const ended = async (runId: number): Promise<EvalRun> => {
    const get = async (): Promise<EvalRun> => (await oven.call("GET", `eval-runs/${runId}`)).body;
    await expect.poll(async () => (await get()).status).toMatch(/completed|cancelled/);
    return get();
  };
  return {
    ...oven,
    server,
    calls,
    ended,
    results,
    take: async (file) => {
      const { status, body } = await oven.call("POST", "eval-datasets/import", {
        ...{ format: "oven.eval-dataset", formatVersion: 1, name: file.slug, cases: [] },
        ...file,
      });
      if (status !== 200) throw new Error(JSON.stringify(body));
      return body.id;
    },
    run: async (dataset, body = {}) => {
      const started = await oven.call("POST", `eval-datasets/${dataset}/run`, body);
      if (started.status !== 202) throw new Error(JSON.stringify(started.body));
      return { run: await ended(started.body.id), results: await results(started.body.id) };
    },
    stop: async () => {
      await oven.stop();
      await server.close();
    },
  };
}
