import { createOvenClient, type OvenClient } from "@oven/client";
import type { Json } from "@oven/contract";
import type { LinearInstance, LinearWorkflow } from "@oven/contract/formats/linear.ts";
import type { ModelReply } from "@oven/testing";
import { vi } from "vitest";
import { type FormatsOven, startFormats } from "../../../shared/testing/start-formats.ts";

export const MODEL = "openai:house-model";
const SUMMARY = "Summarise the data";
const STEP_SUMMARY = "Say in one short sentence";

export interface Asked {
  system: string;
  user: string;
  tools: string[];
  body: string;
}

/** A server with linear workflows, and what its model was asked. */
export interface LinearStory {
  oven: FormatsOven;
  client: OvenClient["linear"];
  /** Answers of the model to steps, in order; then it says "Done." */
  answers: (ModelReply | ((body: string) => ModelReply))[];
  /** What steps asked, without summaries. */
  asked(): Asked[];
  /** What summaries of data were made of. */
  summarised(): string[];
  stepsSummarised(): string[];
  clientFor(key: string): OvenClient["linear"];
  /** Until it is not `running` any more. */
  settle(run: LinearInstance): Promise<LinearInstance>;
  run(workflow: LinearWorkflow, data: Json): Promise<LinearInstance>;
  /** With a manual trigger. */
  workflow(name: string): Promise<LinearWorkflow>;
  /** A model step with its prompt, at the end. Returns its container. */
  addStep(
    workflow: LinearWorkflow,
    type: "custom_llm" | "custom_agent",
    name: string,
    prompt: string,
    tools?: Record<string, { enabled: boolean }>,
  ): Promise<{ uuid: string; container: string }>;
}

export async function startLinear(): Promise<LinearStory> {
  const answers: LinearStory["answers"] = [];
  const oven = await startFormats((request) => {
    const text = JSON.stringify(request.body);
    if (text.includes(STEP_SUMMARY)) return { text: `step: ${text.length}` };
    if (text.includes(SUMMARY)) return { text: "In short." };
    const answer = answers.shift() ?? { text: "Done." };
    return typeof answer === "function" ? answer(text) : answer;
  });
  const clientFor = (key: string) =>
    createOvenClient({
      url: "http://localhost:3000",
      key,
      fetch: (request) => oven.handle(request),
    }).linear;
  const client = clientFor(await oven.keyFor("admin"));
  const all = (): Asked[] =>
    oven.server.requests.map(({ body }) => {
      const { messages, tools } = body as {
        messages: { role: string; content: unknown }[];
        tools?: { function: { name: string } }[];
      };
      const of = (role: string) => messages.filter((one) => one.role === role).map(({ content }) => String(content));
      return {
        system: of("system").join("\n"),
        user: of("user").join("\n"),
        tools: (tools ?? []).map((tool) => tool.function.name),
        body: JSON.stringify(body),
      };
    });
  const settle = async (run: LinearInstance) => {
    const isOver = async () => (await client.workflow.getInstance(run.uuid))?.status !== "running";
    await vi.waitUntil(isOver, { interval: 30, timeout: 120_000 });
    const ended = await client.workflow.getInstance(run.uuid);
    if (ended === null) throw new Error("a run is gone");
    return ended;
  };
  return {
    oven,
    client,
    answers,
    clientFor,
    settle,
    asked: () => all().filter(({ system }) => !system.includes(SUMMARY) && !system.includes(STEP_SUMMARY)),
    summarised: () => all().flatMap(({ system, user }) => (system.includes(SUMMARY) ? [user] : [])),
    stepsSummarised: () => all().flatMap(({ system, user }) => (system.includes(STEP_SUMMARY) ? [user] : [])),
    run: async (workflow, data) => settle(await client.workflow.createInstance(workflow.uuid, data)),
    workflow: async (name) => {
      const { uuid } = await client.workflow.create(name, "A test");
      return client.workflow.setTrigger(uuid, "manual");
    },
    addStep: async (workflow, type, name, prompt, tools = {}) => {
      const { steps } = await client.workflow.addNewStep(workflow.uuid, type, name);
      const uuid = steps.at(-1) ?? "";
      const group = client[type === "custom_llm" ? "llm" : "agent"];
      const step = await group.get(uuid);
      if (step === null) throw new Error("a step is gone");
      const full = step.type === "custom_agent" ? { ...step, tools } : step;
      await group.save({ ...full, model: MODEL, system_prompt: prompt } as never); // cast: of the group's own type
      return { uuid, container: step.output_datacontainer_uuid };
    },
  };
}
