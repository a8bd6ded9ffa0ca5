import type { JsonObject } from "@oven/contract";
import type { WorstCase } from "@oven/contract/workflow";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AgentOven, startAgentOven } from "./agents/testing/agent-oven.ts";

const MINUTE_MS = 60_000;
const done = { done: { type: "final" } };
const step = (src: string, input: JsonObject, onDone = "done", more: JsonObject = {}): JsonObject => ({
  invoke: { src, input, retry: { maxAttempts: 1 }, onDone, ...more },
});
const model = { prompt: "Go", model: "openai:house-model", maxOutputTokens: 1_000 };
const one = (src: string, input: JsonObject, more: JsonObject = {}): JsonObject => ({
  initial: "go",
  states: { go: step(src, input, "done", more), ...done },
});

describe("the worst case of an agent workflow", () => {
  let oven: AgentOven;
  beforeAll(async () => {
    oven = await startAgentOven(() => ({ text: "no JSON" }));
    await ok("POST", "ai-prices", {
      ...{ providerId: "openai", modelId: "house-model", inputMicros: 1_000_000, outputMicros: 2_000_000 },
      ...{ contextTokens: 10_000, maxOutputTokens: 4_000 },
    });
    await ok("POST", "ai-prices", { providerId: "openai", modelId: "bare-model", inputMicros: 1, outputMicros: 1 });
  });
  afterAll(() => oven.stop());

  type Body = Awaited<ReturnType<AgentOven["call"]>>["body"];
  async function ok(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await oven.call(method, path, body);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  }
  const of = (definition: JsonObject): Promise<WorstCase> => ok("POST", "agent-workflows/worst-case", { definition });
  const numbers = (worst: WorstCase): Record<string, number | string[] | null> =>
    Object.fromEntries(
      Object.entries(worst).flatMap(([name, found]) =>
        name === "tools"
          ? Object.entries(worst.tools).map(([id, { most }]) => [id, most])
          : [[name, (found as WorstCase["tokens"]).most]],
      ),
    );
  const causes = ({ causes: list }: WorstCase["tokens"]): string[] =>
    list.map(({ code, state, about }) => [code, state, about].filter((part) => part !== null).join(" "));

  it("counts a question by context, longest answer and price, again for each attempt and correction", async () => {
    // 10,000 tokens in at $1 and 1,000 out at $2 a million.
    expect(numbers(await of(one("agent.llm", model)))).toMatchObject({
      modelCalls: 1,
      tokens: 11_000,
      costMicros: 12_000,
      reviews: 0,
    });
    const { maxOutputTokens: _, ...unlimited } = model;
    expect(numbers(await of(one("agent.llm", unlimited)))).toMatchObject({ tokens: 14_000, costMicros: 18_000 });
    const schema = { ...model, outputSchema: { type: "object" } };
    expect(numbers(await of(one("agent.llm", schema, { retry: { maxAttempts: 2 } })))).toMatchObject({
      modelCalls: 6,
      costMicros: 72_000,
    });
  });

  it("counts the calls and corrections of a program, and no model where a person has written it", async () => {
    const tools = ["shop.get", "shop.pay"];
    const written = await of(one("agent.code", { ...model, tools, maxCalls: 7, maxCorrections: 1 }));
    expect(numbers(written)).toMatchObject({ modelCalls: 2, costMicros: 24_000, toolCalls: 7 });
    expect(numbers(written)).toMatchObject({ "shop.get": 7, "shop.pay": 7, reviews: 7 });
    const given = await of(one("agent.code", { code: "await shop_get(id=1)", tools: ["shop.get"] }));
    expect(numbers(given)).toMatchObject({ modelCalls: 0, toolCalls: 100, reviews: 0 });
  });

  it("names the step and the model of which something is not known", async () => {
    const bare = await of(one("agent.llm", { ...model, model: "openai:bare-model" }));
    expect(bare.modelCalls.most).toBe(1);
    expect(causes(bare.costMicros)).toEqual(["model-context go openai:bare-model"]);
    expect(causes((await of(one("agent.llm", { ...model, model: "openai:other" }))).costMicros)).toEqual([
      "model-price go openai:other",
    ]);
    expect(causes((await of(one("agent.llm", { ...model, model: "nothing" }))).modelCalls)).toEqual([
      "model-unknown go nothing",
    ]);
    expect(causes((await of(one("agent.llm", { ...model, model: "$.trigger.model" }))).modelCalls)).toEqual([
      "computed go",
    ]);
    const [cause] = bare.costMicros.causes;
    expect(cause).toMatchObject({ path: "$.states.go", message: expect.stringContaining("context length") });
  });

  it("counts the answers of a tool loop and, with a limit to the calls of one answer, each of its tools", async () => {
    const loop = { ...model, tools: ["shop.get", "shop.pay"], maxIterations: 4 };
    const limited = numbers(await of(one("agent.toolLoop", { ...loop, maxCalls: 2, dueIn: "PT5M" })));
    expect(limited).toMatchObject({ modelCalls: 4, costMicros: 48_000, "shop.get": 6, "shop.pay": 6, reviews: 6 });
    const open = await of(one("agent.toolLoop", loop));
    expect(open.modelCalls.most).toBe(4);
    expect(causes(open.toolCalls)).toEqual(["any-calls go.tools"]);
    expect(causes(open.reviews)).toEqual(["any-calls go.tools"]);
  });

  it("runs no more calls of one answer than `maxCalls` says, and tells the model of the others", async () => {
    const calls = [1, 2, 3].map((id) => ({ toolCallId: `c${id}`, tool: "shop.get", arguments: { id } }));
    const { id } = await ok("POST", "agent-workflows", {
      name: "Limited",
      definition: {
        initial: "go",
        states: {
          go: step("agent.toolExecutor", { toolCalls: calls, tools: ["shop.get"], maxCalls: 2 }),
          done: { type: "final", output: "$.go_output.results" },
        },
      },
    });
    const run = await ok("POST", `agent-workflows/${id}/execute?wait=20`, { input: {} });
    const { output } = await ok("GET", `agent-workflow-executions/${run.id}`);
    expect(output).toMatchObject([
      { result: { seen: 1 } },
      { result: { seen: 2 } },
      { error: expect.stringMatching(/too many calls/) },
    ]);
    expect(oven.calls).toHaveLength(2);
  });

  it("waits for reviews until their deadline and that of those who are asked then, or without a limit", async () => {
    const escalating = { show: 1, dueIn: "PT10M", onDeadline: { escalateTo: ["role:owner"], dueIn: "PT20M" } };
    const worst = await of(one("agent.humanReview", escalating));
    expect(worst.reviews.most).toBe(1);
    expect(worst.durationMs.most).toBeGreaterThanOrEqual(30 * MINUTE_MS);
    expect(worst.durationMs.most).toBeLessThan(36 * MINUTE_MS);
    const endless = await of(one("agent.humanReview", { show: 1 }));
    expect(causes(endless.durationMs)).toEqual(["no-deadline go"]);
    expect(endless.costMicros.most).toBe(0);
  });

  it("counts what a called workflow and an agent need, each as it is now", async () => {
    const child = await ok("POST", "agent-workflows", { name: "Child", definition: one("agent.llm", model) });
    const call = { kind: "agent-workflow", workflow: child.slug, input: {} };
    expect(numbers(await of(one("core.callWorkflow", call)))).toMatchObject({ modelCalls: 1, costMicros: 12_000 });
    const { largest } = (await of(one("core.callWorkflow", call))).costMicros;
    expect(largest).toEqual({ state: "go/go", path: "$.states.go", most: 12_000 });
    await ok("PUT", `agent-workflows/${child.id}`, {
      definition: one("agent.llm", model, { retry: { maxAttempts: 2 } }),
    });
    expect(numbers(await of(one("core.callWorkflow", call)))).toMatchObject({ modelCalls: 2 });
    await ok("POST", "agents", {
      ...{ name: "Helper", model: "openai:house-model", maxToolIterations: 3 },
      agentConfig: { maxOutputTokens: 1_000 },
    });
    const asked = numbers(await of(one("agent.subagent", { agent: "helper", message: "Go" })));
    // Its steps have the three attempts of a step that says nothing.
    expect(asked).toMatchObject({ modelCalls: 9, costMicros: 9 * 12_000 });
    const computed = await of(one("agent.subagent", { agent: "$.trigger.agent", message: "Go" }));
    expect(causes(computed.modelCalls)).toEqual(["callee go"]);
  });

  it("knows what waits, what turns texts into vectors, and what operations of the platform and stores need", async () => {
    const wait = async (src: string, input: JsonObject) => (await of(one(src, input))).durationMs;
    const work = (await wait("core.log", { message: "x" })).most ?? 0;
    expect((await wait("core.delay", { ms: "PT15M" })).most).toBe(15 * MINUTE_MS + work);
    // One that only the run knows is refused beyond 366 days.
    expect((await wait("core.delay", { ms: "$.trigger.ms" })).most).toBe(366 * 1_440 * MINUTE_MS + work);
    expect((await wait("core.waitForEvent", { event: "paid", deadline: "PT1M" })).most).toBe(MINUTE_MS + work);
    expect(causes(await wait("core.waitForEvent", { event: "paid" }))).toEqual(["no-deadline go"]);
    expect(causes(await wait("core.waitUntil", { until: "2030-01-01T00:00:00Z" }))).toEqual(["computed go"]);
    const asked = await of(one("core.requestInput", { dueIn: "PT1H" }));
    expect([asked.reviews.most, asked.durationMs.most]).toEqual([1, 60 * MINUTE_MS + work]);
    // No token is shorter than a byte: 4 and 6 of them at $1 a million.
    const vectors = await of(one("agent.embed", { texts: ["four", "sixéé"], model: "openai:house-model" }));
    expect(numbers(vectors)).toMatchObject({ modelCalls: 2, tokens: 11, costMicros: 11 });
    const found = await of(one("agent.rag", { store: "docs" }));
    expect(causes(found.costMicros)).toEqual(["store go"]);
    const listed = await of(one("system.events.list", {}));
    expect(numbers(listed)).toMatchObject({ toolCalls: 1, "system.events.list": 1, modelCalls: 0 });
    const started = await of(one("agents-workflow.agentWorkflows.create", { name: "x", definition: {} }));
    expect(causes(started.costMicros)).toEqual(["tool go agents-workflow.agentWorkflows.create"]);
  });

  it("takes the settings of its kind of workflow for what the definition leaves out, also where a policy asks", async () => {
    const say = one("core.log", { message: "x" });
    const before = (await of(say)).durationMs.most ?? 0;
    const value = { moduleName: "module-workflow-agents", key: "EXECUTION_TIMEOUT_MS", value: 60_000 };
    const config = await ok("POST", "module-configs", value);
    const after = (await of(say)).durationMs.most ?? 0;
    expect(before - after).toBe(240_000);
    const rule = { kind: "worst-case", maxDurationMs: after };
    const policy = await ok("POST", "graph-policies", { name: "Short", rule });
    const { problems } = await ok("POST", "agent-workflows/validate", { definition: say });
    expect(problems).toEqual([]);
    const others = await ok("POST", "workflows/validate", { definition: say });
    expect(others.problems).toMatchObject([{ message: expect.stringContaining("are allowed") }]);
    await oven.call("DELETE", `graph-policies/${policy.id}`);
    await oven.call("DELETE", `module-configs/${config.id}`);
  });

  it("is more than a run needs that asks its model as often as it may", async () => {
    const input = { ...model, outputSchema: { type: "object", required: ["sum"] }, maxCorrections: 2 };
    const definition = one("agent.llm", input);
    const { id } = await ok("POST", "agent-workflows", { name: "Corrected", definition });
    const before = oven.server.requests.length;
    const started = await ok("POST", `agent-workflows/${id}/execute?wait=20`, { input: {} });
    const run = await ok("GET", `agent-workflow-executions/${started.id}`);
    expect(run).toMatchObject({ status: "failed", errorInfo: { code: "OUTPUT_SCHEMA_MISMATCH" } });
    const worst = await of(definition);
    expect(oven.server.requests.length - before).toBe(worst.modelCalls.most);
    const [usage] = await oven.db.query<{ cost: number; tokens: number }>(
      "select sum(cost_micros)::int as cost, sum((token_usage->>'total')::int)::int as tokens from ai_usage_logs where execution_id = $1",
      [started.id],
    );
    expect(usage?.cost).toBeGreaterThan(0);
    expect(usage?.cost).toBeLessThanOrEqual(worst.costMicros.most ?? 0);
    expect(usage?.tokens).toBeLessThanOrEqual(worst.tokens.most ?? 0);
  });

  it("is a limit that a policy sets: what may need more is refused at publish, with the step", async () => {
    const policy = await ok("POST", "graph-policies", {
      name: "At most 2 cents",
      rule: { kind: "worst-case", maxCostMicros: 20_000, maxReviews: 1 },
    });
    const publish = (definition: JsonObject) => oven.call("POST", "agent-workflows", { name: "Dear", definition });
    const dear = await publish(one("agent.llm", model, { retry: { maxAttempts: 2 } }));
    expect(dear.status).toBe(400);
    expect(dear.body.error.details.problems).toMatchObject([
      {
        path: "$.states.go",
        rule: "policy",
        message: 'Policy "At most 2 cents": a run may need $0.024, and $0.02 are allowed; go alone needs $0.024',
      },
    ]);
    const cycle = {
      initial: "go",
      states: {
        go: step("agent.llm", model, "again"),
        again: { after: { PT1M: "go" }, on: { stop: "done" } },
        ...done,
      },
    };
    const endless = await publish(cycle);
    expect(endless.body.error.details.problems).toMatchObject([
      { path: "$.states.go", message: expect.stringContaining("nothing bounds the cost of a run") },
    ]);
    const { status, body } = await publish(one("agent.llm", model));
    expect(status).toBe(201);
    // Also at the start of a run, once less is allowed.
    await ok("PUT", `graph-policies/${policy.id}`, { rule: { kind: "worst-case", maxCostMicros: 11_999 } });
    const refused = await oven.call("POST", `agent-workflows/${body.id}/execute`, { input: {} });
    expect([refused.status, refused.body.error.code]).toEqual([409, "POLICY_VIOLATED"]);
    await ok("PUT", `graph-policies/${policy.id}`, { rule: { kind: "worst-case", maxCostMicros: 12_000 } });
    expect((await oven.call("POST", `agent-workflows/${body.id}/execute`, { input: {} })).status).toBeLessThan(300);
    const nothing = await oven.call("POST", "graph-policies", { name: "Nothing", rule: { kind: "worst-case" } });
    expect(nothing.status).toBe(400);
    await oven.call("DELETE", `graph-policies/${policy.id}`);
  });

  it("is said in the metadata of the MCP tool that starts runs", async () => {
    const { id } = await ok("POST", "agent-workflows", {
      name: "Exported",
      definition: { ...one("agent.llm", model), mcpExport: true },
    });
    const servers = await ok("GET", "mcp-servers");
    const server = servers.find(({ agentWorkflowId }: Body) => agentWorkflowId === id);
    const { toolDefinitions } = await ok("GET", `mcp-servers/${server.id}`);
    expect(toolDefinitions[0].worstCase).toMatchObject({ modelCalls: 1, costMicros: 12_000, unbounded: [] });
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} });
    const text = await (await oven.fetch(`mcp/${server.slug}`, { method: "POST", headers, body })).text();
    const [tool, other] = JSON.parse(text.replace(/^[\s\S]*?^data: /m, "")).result.tools;
    expect(tool._meta["oven/worstCase"]).toMatchObject({ modelCalls: 1, costMicros: 12_000 });
    expect(other._meta?.["oven/worstCase"]).toBeUndefined();
  });
});
