import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { flowEdge, flowNode, written } from "./testing/agentflow.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
  const config = { moduleName: "module-workflow-formats", key: "SEARCH_URL", value: story.shop.origin };
  expect((await story.call("POST", "module-configs", config)).status).toBe(201);
});
afterAll(() => story.stop());

const usage = { input: 1, output: 1 };
const chat = flowNode("start", "startAgentflow", { startInputType: "chatInput" });
const agent = (tools: JsonObject[], inputs: JsonObject = {}) =>
  flowNode("helper", "agentAgentflow", {
    agentTools: tools,
    agentMessages: [{ role: "system", content: written("Help.") }],
    ...inputs,
  });
const memory = { agentEnableMemory: true };
const reply = flowNode("reply", "directReplyAgentflow", { directReplyMessage: written("{{ helper }}") });
const flow = (...nodes: JsonObject[]) => ({
  nodes,
  edges: nodes.slice(1).map((node, index) => flowEdge(String(nodes[index]?.id), String(node.id))),
});

interface Sent {
  messages: { role: string; content: Json }[];
  tools?: { function: { name: string } }[];
}
const sentSince = (count: number): Sent[] =>
  story
    .asked()
    .slice(count)
    .map(({ body }) => JSON.parse(body));

describe("an agent of Flowise with tools", () => {
  it("calls them, and adds to the conversation what it answers only", async () => {
    const count = story.asked().length;
    const later = flowNode("later", "llmAgentflow", { llmEnableMemory: true });
    story.answers.push({ toolCalls: [{ name: "time_now", arguments: {} }], usage });
    story.answers.push({ text: "Noon.", usage }, { text: "Fine.", usage });
    const { output, error } = await story.run(
      flow(chat, agent([{ agentSelectedTool: "currentDateTime" }], memory), later, reply),
      { message: "now?" },
    );
    expect([output, error]).toEqual([{ text: "Noon." }, null]);
    const [first, second, third] = sentSince(count);
    expect(first?.tools?.map((tool) => tool.function.name)).toEqual(["time_now"]);
    expect(first?.messages.slice(1)).toMatchObject([{ role: "user", content: "now?" }]);
    expect(second?.messages.map(({ role }) => role)).toEqual(["system", "user", "assistant", "tool"]);
    expect(third?.messages).toMatchObject([
      { role: "user", content: "now?" },
      { role: "user", content: "Noon." },
    ]);
  });

  it("without a memory sees its own prompts alone", async () => {
    const count = story.asked().length;
    const prompts = [{ role: "user", content: written("Search {{ question }}") }];
    const results = [{ title: "Rye", url: "https://example.com/rye", content: "Bread" }];
    story.shop.replies.push({ type: "application/json", body: JSON.stringify({ results }) });
    story.answers.push({ toolCalls: [{ name: "search_web", arguments: { query: "rye" } }], usage });
    story.answers.push({ text: "Found.", usage });
    const document = flow(chat, agent([{ agentSelectedTool: "braveSearchAPI" }], { agentMessages: prompts }), reply);
    const messages = [
      { role: "user", content: "one" },
      { role: "assistant", content: "1" },
      { role: "user", content: "rye" },
    ];
    const { output, report } = await story.run(document, { message: "rye", messages });
    expect(output).toEqual({ text: "Found." });
    const [first, second] = sentSince(count);
    expect(first?.messages.filter(({ role }) => role !== "system")).toMatchObject([{ content: "Search rye" }]);
    expect(JSON.stringify(second?.messages.at(-1))).toContain("https://example.com/rye");
    expect(report.settings).toContainEqual(
      expect.objectContaining({ kind: "tool", name: "braveSearchAPI", advice: expect.stringContaining("SEARCH_URL") }),
    );
  });

  it("waits for a person before a tool that asks for one", async () => {
    story.answers.push({ toolCalls: [{ name: "math_calculate", arguments: { expression: "2+2" } }], usage });
    story.answers.push({ text: "Four.", usage });
    const tools = [{ agentSelectedTool: "calculator", agentSelectedToolRequiresHumanInput: true }];
    const source = JSON.stringify(flow(chat, agent(tools, memory), reply));
    const { body: made } = await story.call("POST", "workflow-imports", { source });
    const { body: run } = await story.call("POST", `agent-workflows/${made.workflow.id}/execute?wait=30`, {
      input: { message: "2 + 2?" },
    });
    expect(run.status).toBe("paused");
    const { body: reviews } = await story.call("GET", `reviews?executionId=${run.id}`);

    expect(JSON.stringify(reviews)).toContain("math.calculate");
  });

  it("beside other steps stays a placeholder", async () => {
    const other = flowNode("other", "llmAgentflow", { llmMessages: [{ role: "user", content: "x" }] });
    const document = {
      nodes: [chat, agent([{ agentSelectedTool: "calculator" }], memory), other, reply],
      edges: [
        flowEdge("start", "helper"),
        flowEdge("start", "other"),
        flowEdge("helper", "reply"),
        flowEdge("other", "reply"),
      ],
    };
    const { report } = await story.preview(document);
    expect(report.elements.find(({ name }) => name === "helper")).toMatchObject({
      outcome: "placeholder",
      notes: [expect.stringContaining("share its conversation")],
    });
  });
});

describe("the time in an agentflow of Flowise", () => {
  it("is that at which the run began", async () => {
    const before = new Date().toISOString();
    const say = flowNode("reply", "directReplyAgentflow", {
      directReplyMessage: written("It is {{ current_date_time }}"),
    });
    const { output, report } = await story.run(flow(chat, say), { message: "x" });
    const [, time = ""] = /^It is (\d{4}-\d\d-\d\dT[\d:]+\.\d{3}Z)$/.exec(String(output.text).trim()) ?? [];
    expect(time >= before && time <= new Date().toISOString(), String(output.text)).toBe(true);
    expect(report.notes.join()).toContain("current_date_time is the time at which the run began");
  });
});
