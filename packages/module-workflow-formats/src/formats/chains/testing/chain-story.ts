import { createOvenClient, type OvenClient } from "@oven/client";
import type { JsonObject } from "@oven/contract";
import type { ChainRun, NewChainSpec } from "@oven/contract/formats/chains.ts";
import { defineModule, defineTool, type ModuleDefinition, RUNNING_ROLES, type ServiceMap } from "@oven/module-registry";
import type { ModelReply } from "@oven/testing";
import { vi } from "vitest";
import { z } from "zod";
import { type AskedModel, json, toAsked } from "../../../shared/testing/scripted-model.ts";
import { type FormatsOptions, type FormatsOven, startFormats } from "../../../shared/testing/start-formats.ts";

/** A server with chains of executors, and what its model was asked. */
export interface ChainStory {
  oven: FormatsOven;
  client: OvenClient["chains"];
  key: string;
  /** Answers of the model, in order; one may be made of what it was asked. Without any it calls `slow.hold` once where it may, and says `{"ok": true}`. */
  answers: (ModelReply | ((asked: AskedModel) => ModelReply | Promise<ModelReply>))[];
  /** Lets calls of `slow.hold` come back. */
  letGo(): void;
  asked(): AskedModel[];
  clientFor(key: string): OvenClient["chains"];
  /** What modules may ask of each other. */
  services: ServiceMap;
  /** Until it has ended. */
  settle(run: string): Promise<ChainRun>;
  run(spec: NewChainSpec): Promise<ChainRun>;
}

export const call = (name: string, args: JsonObject, id = "c1"): ModelReply => ({
  toolCalls: [{ id, name, arguments: args }],
  usage: { input: 10, output: 5 },
});

/** An executor with what a test does not care about. */
export const executor = (id: string, more: object = {}): NewChainSpec["executors"][number] => ({
  executor_id: id,
  name: id.toUpperCase(),
  model: "gpt-4o-mini",
  tools: [],
  system_prompt: `You are ${id}.`,
  output_schema: { ok: "bool" },
  ...more,
});

export const chainOf = (executors: NewChainSpec["executors"], more: Partial<NewChainSpec> = {}): NewChainSpec => ({
  name: "A chain",
  description: "A test",
  executors,
  ...more,
});

/** `slow.query` never comes back in time, `slow.hold` only once it is told to. */
function slowTools(held: Promise<void>): ModuleDefinition {
  const tool = (id: string, timeoutMs: number, wait: Promise<void>) =>
    defineTool({
      id,
      title: id,
      description: id,
      input: z.strictObject({}),
      output: z.strictObject({}),
      permission: "slow.use",
      effect: "pure",
      timeoutMs,
      run: async () => {
        await wait;
        return {};
      },
    });
  return defineModule({
    name: "module-slow",
    namespace: "slow",
    description: "Slow.",
    dependencies: [],
    permissions: [{ id: "slow.use", title: "Use it", roles: RUNNING_ROLES }],
    tools: [tool("slow.query", 30, new Promise(() => {})), tool("slow.hold", 60_000, held)],
  });
}

export async function startChains(options: FormatsOptions = {}): Promise<ChainStory> {
  const answers: ChainStory["answers"] = [];
  let letGo = () => {};
  const held = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  let services: ServiceMap | undefined;
  const probe = defineModule({
    name: "module-probe",
    namespace: "probe",
    description: "Sees the services.",
    dependencies: ["module-workflow-formats"],
    services: async (deps) => {
      ({ services } = deps);
      return {};
    },
  });
  const oven = await startFormats(
    (request) => {
      const next = answers.shift() ?? answerOf(toAsked(request.body));
      return typeof next === "function" ? (next(toAsked(request.body)) as ModelReply) : next; // cast: scripts answer at once
    },
    { ...options, modules: [slowTools(held), probe, ...(options.modules ?? [])] },
  );
  if (services === undefined) throw new Error("the runtime did not start its modules");
  const clientFor = (key: string) =>
    createOvenClient({ url: "http://localhost:3000", key, fetch: (request) => oven.handle(request) }).chains;
  const key = await oven.keyFor("admin");
  const client = clientFor(key);
  const settle = async (run: string) => {
    const look = async () => {
      const found = await client.getRun(run);
      if (found === null) throw new Error("a run is gone");
      return found;
    };
    await vi.waitUntil(async () => !["pending", "running"].includes((await look()).status), {
      interval: 20,
      timeout: 30_000,
    });
    return look();
  };
  return {
    oven,
    client,
    key,
    answers,
    letGo,
    clientFor,
    services,
    settle,
    asked: () => oven.server.requests.map(({ body }) => toAsked(body)),
    run: async (spec) => {
      const { workflow_id } = await client.create(spec);
      return settle((await client.run(workflow_id, 60)).run_id);
    },
  };
}

function answerOf({ tools, body }: AskedModel): ModelReply {
  return tools.includes("slow_hold") && !body.includes('"role":"tool"') ? call("slow_hold", {}) : json({ ok: true });
}
