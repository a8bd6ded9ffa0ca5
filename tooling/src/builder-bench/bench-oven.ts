import { setTimeout } from "node:timers/promises";
import type { ChatMessage } from "../../../packages/contract/src/doors/agent.ts";
import { type BuilderOutput, BuilderOutputSchema } from "../../../packages/contract/src/doors/workflow.ts";
import type { JsonObject } from "../../../packages/contract/src/index.ts";
import { installedModules } from "../../../packages/installation/src/index.ts";
import { createRuntime, type ModuleDefinition } from "../../../packages/module-registry/src/index.ts";
import {
  type ModelReply,
  type ModelServer,
  startModelServer,
  startTestOven,
  type TestOven,
} from "../../../packages/testing/src/index.ts";
import { answerFromFacts } from "./acceptance/knowing-model.ts";
import type { OutsideServices } from "./acceptance/outside-services.ts";
import { RunPlayer } from "./acceptance/run-player.ts";
import { must, prepareWorld } from "./acceptance/world.ts";
import { countTokens, type ReadRequest, readRequest } from "./models/read-request.ts";
import type { AcceptanceCase, BenchTask } from "./task.ts";

/** What a conversation came to. */
export interface Conversation {
  workflowId: number;
  output: BuilderOutput | null;
  /** Why the run of the builder failed. */
  error: string | null;
  modelCalls: number;
  tokens: number;
  costMicros: number;
  seconds: number;
}

export interface BenchOvenOptions {
  services: OutsideServices;
  /** What the builder's model says; absent: a real model is measured. */
  builder: (request: ReadRequest) => ModelReply;
  /** A real model for the builder, as `provider:model`, with the variables that connect it. */
  real?: { model: string; variables: Record<string, string | undefined> };
  modules?: readonly ModuleDefinition[];
  demo?: boolean;
}

/** Dollars per million tokens, by which scripted models are counted. */
export const ASSUMED_PRICE = { input: 3, output: 15 };
const DOLLAR = 1_000_000;

/** The run that is on, whose steps ask models. */
interface Playing {
  run: Omit<AcceptanceCase, "expect"> | undefined;
}

/** An installation whose assistant is talked to, as people do. */
export class BenchOven {
  readonly oven: TestOven;
  readonly model: ModelServer;
  readonly #services: OutsideServices;
  readonly #state: Playing;

  private constructor(
    oven: TestOven,
    model: ModelServer,
    { services, state }: { services: OutsideServices; state: Playing },
  ) {
    this.oven = oven;
    this.model = model;
    this.#services = services;
    this.#state = state;
  }

  static async start({ services, builder, real, modules = [], demo = false }: BenchOvenOptions): Promise<BenchOven> {
    const state: Playing = { run: undefined };
    const model = await startModelServer(
      (request) => {
        const read = readRequest(request);
        const reply = read.isBuilder ? builder(read) : answerFromFacts(state.run ?? {}, request);
        const usage = { input: countTokens(request.body), output: countTokens(JSON.stringify(reply)) };
        return "status" in reply || "rawBody" in reply ? reply : { ...reply, usage };
      },
      { models: ["scripted"] },
    );
    const oven = await startTestOven({
      createRuntime,
      modules: [...installedModules({ demo }), ...modules],
      environment: {
        outboundAllow: [services.origin, new URL(model.url).origin],
        variables: real?.variables ?? {},
      },
    });
    await must(oven, "POST", "ai-providers", { id: "bench", kind: "openai-compatible", baseUrl: model.url });
    await must(oven, "POST", "ai-prices", {
      ...{ providerId: "bench", modelId: "*" },
      ...{ inputMicros: ASSUMED_PRICE.input * DOLLAR, outputMicros: ASSUMED_PRICE.output * DOLLAR },
    });
    for (const { id, name } of await must(oven, "GET", "ai-aliases")) {
      const named = name === "builder" && real !== undefined ? real.model : "bench:scripted";
      await must(oven, "PUT", `ai-aliases/${id}`, { model: named });
    }
    await prepareWorld(oven, {
      secretHosts: [new URL(services.origin).host],
      toDefinition: (definition) => services.leadHere(definition),
    });
    return new BenchOven(oven, model, { services, state });
  }

  /** A repair begins with a published workflow, and a run of it that shows what is wrong. */
  async prepare({ id, say, repair }: BenchTask): Promise<{ message: string; workflowId?: number }> {
    if (repair === undefined) return { message: say };
    const definition = this.#services.leadHere(repair.published);
    const workflow = await must(this.oven, "POST", "agent-workflows", { name: id, slug: id, definition });
    this.#state.run = repair.run;
    this.#services.begin(repair.run.services);
    const { runId } = await new RunPlayer(this.oven).play(workflow.id, repair.run);
    return { message: `${say} It shows in run ${runId}.`, workflowId: workflow.id };
  }

  /** Says something to the builder and waits for its answer; questions are given back to it. */
  async converse(message: string, workflowId?: number): Promise<Conversation> {
    const begun = Date.now();
    const body = { message, ...(workflowId === undefined ? {} : { workflowId }) };
    const building = await must(this.oven, "POST", "builder/conversations", body);
    const last = await this.#settled(building.chatId);
    const run = await must(this.oven, "GET", `agent-workflow-executions/${last.executionId}`);
    const usage = run.tokenUsage as { input: number; output: number }; // cast: as the contract says
    return {
      workflowId: building.workflowId,
      output: run.status === "completed" ? BuilderOutputSchema.parse(run.output) : null,
      error: run.error,
      modelCalls: (run.nodes as { nodeType: string }[]).filter(({ nodeType }) => nodeType === "agent.llm").length, // cast: as above
      tokens: usage.input + usage.output,
      costMicros: run.costMicros,
      seconds: (Date.now() - begun) / 1_000,
    };
  }

  /** The definition that a person would publish: the draft, or what there is without one. */
  async definitionOf(workflowId: number): Promise<JsonObject> {
    const draft = await this.oven.call("GET", `agent-workflows/${workflowId}/draft`);
    if (draft.status === 200) return draft.body.definition;
    return (await must(this.oven, "GET", `agent-workflows/${workflowId}`)).definition;
  }

  async stop(): Promise<void> {
    await this.oven.stop();
    await this.model.close();
  }

  async #settled(chatId: number): Promise<ChatMessage> {
    for (;;) {
      const messages: ChatMessage[] = await must(this.oven, "GET", `chat-sessions/${chatId}/messages?range=[0,99]`);
      const last = messages.at(-1);
      if (last?.status === "paused") await this.#decideYourself(last.executionId);
      else if (last !== undefined && last.status !== "pending" && last.status !== "running") return last;
      await setTimeout(20);
    }
  }

  async #decideYourself(executionId: number | null): Promise<void> {
    const filter = encodeURIComponent(JSON.stringify({ executionId, status: "open" }));
    const [review] = await must(this.oven, "GET", `reviews?filter=${filter}`);
    if (review === undefined) return;
    const data = { answer: "Decide yourself, as I have described it." };
    await must(this.oven, "POST", `reviews/${review.id}/decide`, { action: "submit", digest: review.digest, data });
  }
}
