import type { ModelReply } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AgentOven, startAgentOven } from "../agents/testing/agent-oven.ts";

let oven: AgentOven;
let replies: ModelReply[] = [];

beforeAll(async () => {
  oven = await startAgentOven(() => replies.shift() ?? { status: 400, message: "no reply left" });
  const agent = { name: "RC2", slug: "agent-uuid-rc2", systemPrompt: "You are RC2.", model: "openai:rc2" };
  expect((await oven.call("POST", "agents", { ...agent, toolBindings: ["shop.get"] })).status).toBe(201);
});
beforeEach(() => {
  oven.server.requests.length = 0;
});
afterAll(() => oven.stop());

const AGENT = "agent-uuid-rc2";
const DONE = { type: "final", output: { said: "$.draft_output", results: "$.toolResults" } };

async function run(name: string, states: object) {
  const agentConfig = { model: "openai:house", system: "House rules", temperature: 0.5, tools: ["shop.*"] };
  const definition = { initial: "draft", agentConfig, states };
  const { status, body } = await oven.call("POST", "agent-workflows", { name, definition });
  expect(status, JSON.stringify(body)).toBe(201);
  return oven.call("POST", `agent-workflows/${body.id}/execute?wait=20`, {});
}

describe("an agent that a step names", () => {
  it("lends the model step its prompt, model and tools, over those of the definition [003-070]", async () => {
    replies = [{ text: "Here." }];
    const { body } = await run("Named", {
      draft: { invoke: { src: "agent.llm", input: { agent: AGENT, prompt: "x" }, onDone: "done" } },
      done: DONE,
    });
    expect(body).toMatchObject({ status: "completed", output: { said: { text: "Here." } } });
    expect(oven.server.requests[0]?.body).toMatchObject({
      model: "rc2",
      temperature: 0.5,
      messages: [{ content: expect.stringContaining("You are RC2.") }, { content: "x" }],
      tools: [{ function: { name: "shop_get" } }],
    });
  });

  it("lends a tool executor, and a tool loop, no more than its own tools [003-061]", async () => {
    const calls = [
      { id: "a", name: "shop_pay", arguments: { id: 1 } },
      { id: "b", name: "shop_get", arguments: { id: 2 } },
    ];
    const toolCalls = calls.map(({ id, name, arguments: given }) => ({
      ...{ toolCallId: id, arguments: given },
      tool: name.replace("_", "."),
    }));
    for (const [name, states] of Object.entries({
      steps: {
        draft: { invoke: { src: "agent.toolExecutor", input: { agent: AGENT, toolCalls }, onDone: "done" } },
        done: DONE,
      },
      loop: {
        draft: { invoke: { src: "agent.toolLoop", input: { agent: AGENT, prompt: "x" }, onDone: "done" } },
        done: DONE,
      },
    })) {
      replies = [{ toolCalls: calls }, { text: "Done." }];
      const { body } = await run(name, states);
      expect(body, name).toMatchObject({
        status: "completed",
        output: {
          results: [
            { toolCallId: "a", error: expect.stringMatching(/no tool `shop.pay`/) },
            { toolCallId: "b", result: expect.anything() },
          ],
        },
      });
    }
  });

  it("must be there and enabled", async () => {
    const states = (agent: string) => ({
      draft: { invoke: { src: "agent.llm", input: { agent, prompt: "x" }, onDone: "done" } },
      done: DONE,
    });
    expect((await run("Nobody", states("nobody"))).body.errorInfo).toMatchObject({ code: "NOT_FOUND" });
    const [{ id }] = (await oven.call("GET", 'agents?filter={"q":"RC2"}')).body;
    await oven.call("PUT", `agents/${id}`, { enabled: false });
    expect((await run("Disabled", states(AGENT))).body.errorInfo).toMatchObject({ code: "AGENT_DISABLED" });
    expect(oven.server.requests).toEqual([]);
  });
});
