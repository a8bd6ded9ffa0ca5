import { afterAll, beforeAll, expect, test } from "vitest";
import { type AgentOven, startAgentOven } from "./testing/agent-oven.ts";

const says = (prompt: string) => ({
  initial: "ask",
  mcpExport: true,
  states: {
    ask: { invoke: { src: "agent.llm", input: { prompt, model: "openai:house-model" }, onDone: "done" } },
    done: { type: "final", output: "$.ask_output.text" },
  },
});
let oven: AgentOven;
let slug: string;

beforeAll(async () => {
  oven = await startAgentOven((request) => ({ text: `To ${JSON.stringify(request.body.messages).slice(-40)}` }));
  const made = await oven.call("POST", "agent-workflows", { name: "Talks", definition: says("published") });
  slug = made.body.slug;
});
afterAll(() => oven.stop());

test("the draft of an agent workflow is tested with its models, and counts as a run of it", async () => {
  const saved = await oven.call("PUT", `agent-workflows/${slug}/draft`, {
    definition: says("drafted"),
    baseVersion: 1,
    revision: 0,
  });
  expect(saved.body).toMatchObject({ revision: 1, definition: says("drafted") });
  const run = (await oven.call("POST", `agent-workflows/${slug}/draft/execute?wait=30`, {})).body;
  expect(run, JSON.stringify(run.errorInfo)).toMatchObject({
    status: "completed",
    triggerEvent: "test",
    workflowVersion: -1,
    output: expect.stringContaining("drafted"),
  });
  const [usage] = (await oven.call("GET", `ai-usage-logs?filter={"executionId":${run.id}}`)).body;
  expect(usage).toMatchObject({ workflow: `agent-workflow:${run.agentWorkflowId}` });
});

test("neither a plain run nor an MCP client comes to the draft", async () => {
  const plain = (await oven.call("POST", `agent-workflows/${slug}/execute?wait=30`, {})).body;
  expect(plain).toMatchObject({ workflowVersion: 1, output: expect.stringContaining("published") });
  const [server] = (await oven.call("GET", "mcp-servers")).body;
  expect(JSON.stringify(server)).not.toContain("drafted");
  const params = { name: slug, arguments: {} };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params });
  const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
  const answer = await (await oven.fetch(`mcp/${slug}`, { method: "POST", headers, body })).text();
  expect(answer).toContain("published");
  expect(answer).not.toContain("drafted");
});
