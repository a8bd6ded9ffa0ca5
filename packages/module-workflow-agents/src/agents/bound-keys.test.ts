import type { ModelReply } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentOven, startAgentOven } from "./testing/agent-oven.ts";

describe("API keys bound to agents", () => {
  let oven: AgentOven;
  let replies: ModelReply[] = [];
  /** The one it is bound to, and another. */
  let mine: { id: number; slug: string };
  let other: { id: number; slug: string };
  let key: string;
  beforeAll(async () => {
    oven = await startAgentOven(() => replies.shift() ?? { text: "Hello." });
    const agent = { model: "openai:house-model", toolBindings: ["shop.*", "workflows.workflows.execute"] };
    mine = (await oven.call("POST", "agents", { name: "Mine", ...agent })).body;
    other = (await oven.call("POST", "agents", { name: "Other", ...agent })).body;
    const definition = { initial: "done", states: { done: { type: "final" } } };
    await oven.call("POST", "workflows", { name: "Closed", definition });
    key = await make({ agents: ["mine"] });
  });
  afterAll(() => oven.stop());

  async function make(bounds: object): Promise<string> {
    const made = await oven.call("POST", "api-keys", { name: "k", permissions: ["*"], ...bounds });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    return made.body.key;
  }
  const as = (of: string) => ({ key: of });
  const say = (slug: string | number, more: object = {}, of = key) =>
    oven.call("POST", `agents/${slug}/invoke`, { message: "Hi", wait: 30, ...more }, as(of));

  it("are shown with the agents' ids, and made for agents that exist only", async () => {
    const byId = await oven.call("POST", "api-keys", {
      name: "k",
      permissions: ["*"],
      agents: [other.id, "mine", mine.id],
    });
    expect(byId.body).toMatchObject({ workflows: [], agents: [other.id, mine.id] });
    const listed = (await oven.call("GET", "api-keys")).body.find(({ id }: { id: number }) => id === byId.body.id);
    expect(listed).toMatchObject({ workflows: [], agents: [other.id, mine.id] });
    const unknown = await oven.call("POST", "api-keys", { name: "k", permissions: ["*"], agents: ["mine", "nobody"] });
    expect(unknown).toMatchObject({ status: 422, body: { error: { code: "REFERENCE_MISSING", path: "$.agents[1]" } } });
    expect((await oven.call("POST", "api-keys", { name: "k", permissions: ["*"], agents: [] })).status).toBe(400);
    const free = await oven.call("POST", "api-keys", { name: "k", permissions: ["*"] });
    expect(free.body).toMatchObject({ workflows: null, agents: null });
  });

  it("talk to the agent, go on with the conversation, and read its runs", async () => {
    const first = await say("mine");
    expect(first, JSON.stringify(first.body)).toMatchObject({
      status: 200,
      body: { text: "Hello.", status: "completed" },
    });
    const { sessionId, run } = first.body;
    const second = await say(mine.id, { sessionId });
    expect(second.body).toMatchObject({ text: "Hello.", sessionId });
    expect((await oven.call("GET", `agents/mine/runs/${run.id}`, undefined, as(key))).body.text).toBe("Hello.");
    expect((await oven.call("GET", `agent-workflow-executions/${run.id}`, undefined, as(key))).status).toBe(200);
    const messages = await oven.call("GET", `agent-sessions/${sessionId}/messages`, undefined, as(key));
    expect(messages.body).toHaveLength(4);
    const list = await oven.call("GET", "agents", undefined, as(key));
    expect(list.body.map(({ slug }: { slug: string }) => slug)).toEqual(["mine"]);
  });

  it("stream the answer", async () => {
    const headers = { authorization: `Bearer ${key}`, accept: "text/event-stream", "content-type": "application/json" };
    const body = JSON.stringify({ message: "Hi" });
    const stream = await oven.fetch("agents/mine/invoke", { method: "POST", headers, body });
    expect(await stream.text()).toContain("Hello.");
  });

  it("come to no other agent, its runs and conversations", async () => {
    const theirs = (await say("other", {}, await make({}))).body;
    expect((await say("other")).status).toBe(404);
    expect((await say(other.id)).status).toBe(404);
    expect((await say("mine", { sessionId: theirs.sessionId })).status).toBe(404);
    for (const path of [
      "agents/other",
      `agents/other/runs/${theirs.run.id}`,
      `agents/mine/runs/${theirs.run.id}`,
      `agent-sessions/${theirs.sessionId}`,
      `agent-workflow-executions/${theirs.run.id}`,
    ])
      expect((await oven.call("GET", path, undefined, as(key))).status, path).toBe(404);
    const sessions = (await oven.call("GET", "agent-sessions", undefined, as(key))).body;
    expect(sessions.map(({ agentId }: { agentId: number }) => agentId)).not.toContain(other.id);
  });

  it("come to no workflow, and to nothing else", async () => {
    expect((await oven.call("GET", "workflows", undefined, as(key))).body).toEqual([]);
    expect((await oven.call("POST", "workflows/closed/execute", {}, as(key))).status).toBe(404);
    const { runsWorkflowId } = (await oven.call("GET", "agents/mine", undefined, as(key))).body;
    expect((await oven.call("POST", `agent-workflows/${runsWorkflowId}/execute`, {}, as(key))).status).toBe(404);
    for (const [method, path] of [
      ["POST", "agents"],
      ["GET", "tools"],
      ["GET", "users"],
      ["POST", "api-keys"],
      ["POST", "ai/generate"],
    ] as const) {
      const refused = await oven.call(method, path, method === "GET" ? undefined : {}, as(key));
      expect(refused, path).toMatchObject({ status: 403, body: { error: { details: { agents: [mine.id] } } } });
    }
  });

  it("are kept to it within the run too: a tool starts no workflow that the key may not", async () => {
    const call = { id: "a", name: "workflows_workflows_execute", arguments: { workflow: "closed" } };
    replies = [{ toolCalls: [call] }, { text: "It is not there." }];
    expect((await say("mine")).body.text).toBe("It is not there.");
    const told = JSON.stringify(oven.server.requests.at(-1)?.body.messages);
    expect(told).toContain("not yours to see");
    expect((await oven.call("GET", "workflow-executions")).body).toEqual([]);
  });

  it("with workflows as well come to both; with workflows alone to no agent", async () => {
    const { id } = (await oven.call("GET", "workflows/closed")).body;
    const both = await make({ agents: [mine.id], workflows: [`workflow:${id}`] });
    expect((await say("mine", {}, both)).status).toBe(200);
    expect((await oven.call("POST", "workflows/closed/execute?wait=10", {}, as(both))).status).toBe(200);
    const workflowsOnly = await make({ workflows: [`workflow:${id}`] });
    expect((await say("mine", {}, workflowsOnly)).status).toBe(404);
    expect((await oven.call("GET", "agents", undefined, as(workflowsOnly))).body).toEqual([]);
  });

  it("bound to a workflow run an agent in it only when bound to that too: which one may be computed", async () => {
    const definition = {
      initial: "ask",
      states: {
        ask: { invoke: { src: "agent.subagent", input: { agent: "other", message: "Hi" }, onDone: "done" } },
        done: { type: "final", output: "$.ask_output.text" },
      },
    };
    const { id } = (await oven.call("POST", "agent-workflows", { name: "Asks", definition })).body;
    const execute = async (bounds: object) =>
      (await oven.call("POST", `agent-workflows/${id}/execute?wait=30`, {}, as(await make(bounds)))).body;
    const workflows = [`agent-workflow:${id}`];
    for (const bounds of [{ workflows }, { workflows, agents: ["mine"] }])
      expect(await execute(bounds)).toMatchObject({
        status: "failed",
        errorInfo: { code: "NOT_FOUND", nodeId: "ask" },
      });
    const run = await execute({ workflows, agents: ["other"] });
    expect(run, JSON.stringify(run.errorInfo)).toMatchObject({ status: "completed", output: "Hello." });
  });
});
