import { installedModules } from "@oven/installation";
import { TEST_KEY, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";
import { allowOwnDecisions } from "./testing/own-decisions.ts";
import { insertKey } from "./testing/strangers.ts";

describe("the platform as an MCP server", () => {
  let oven: TestOven;
  let endpoint: McpEndpoint;

  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: installedModules({ demo: true }) });
    oven = endpoint.oven;
  });
  afterAll(() => endpoint.close());

  async function connect(key: string = TEST_KEY) {
    const client = await endpoint.connect("oven", { key });
    const call = async (name: string, given: object) => {
      const answer = await client.callTool({ name, arguments: { ...given } });
      const [content] = answer.content as { text: string }[]; // cast: our tools answer text
      expect(answer.isError, content?.text).toBeFalsy();
      // biome-ignore lint/suspicious/noExplicitAny: each tool answers its own shape
      return answer.structuredContent as any;
    };
    return { client, call, names: async () => (await client.listTools()).tools.map(({ name }) => name) };
  }

  it("lets nobody decide the reviews of their own runs by a program, unless the installation allows it", async () => {
    const { client, call } = await connect();
    const definition = {
      initial: "ask",
      states: {
        ask: { invoke: { src: "agent.humanReview", input: { title: "Good?", show: "yes" }, onDone: "done" } },
        done: { type: "final" },
      },
    };
    const { workflow_id } = await call("create_agent_workflow", { name: "Asks", definition });
    await call("publish_agent_workflow", { workflow_id, draft_revision: 1 });
    const { run_id, waits_for } = await call("execute_agent_workflow", { workflow_id });
    const [{ review_id }] = waits_for;
    const { digest } = await call("get_review", { review_id });
    const answer = { name: "answer_review", arguments: { review_id, action: "approve", digest } };
    const refused = await client.callTool(answer);
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toMatch(/REVIEW_NOT_YOURS.*reviews\/\d+.*MCP_DECIDE_OWN_RUNS/);
    // Another person's client may: it is another pair of eyes.
    const { key } = await insertKey(oven.db, { tenantId: 1, permissions: { "*": ["*"] } });
    const other = await endpoint.connect("oven", { key });
    expect((await other.callTool(answer)).isError).toBeFalsy();
    await expect.poll(async () => (await call("get_run", { run_id })).status).toBe("completed");
    await client.close();
  });

  it("takes scores of runs of either kind, one of a name from each client, and only where it may", async () => {
    const { call, names } = await connect();
    const definition = { initial: "done", states: { done: { type: "final" } } };
    const { body } = await oven.call("POST", "workflows", { name: "Scored", definition });
    const run = (await oven.call("POST", `workflows/${body.id}/execute?wait=10`, {})).body.id;
    expect(await call("score_run", { run_id: run, value: 0 })).toEqual({ run_id: run, name: "thumbs", value: 0 });
    await call("score_run", { run_id: run, value: 1, comment: "It was right after all" });
    expect((await oven.call("GET", `workflow-executions/${run}/scores`)).body).toMatchObject([
      { name: "thumbs", value: 1, source: "mcp", comment: "It was right after all" },
    ]);
    expect(await names()).toContain("score_run");
    const { key } = await insertKey(oven.db, { tenantId: 1, permissions: { executions: ["read"] } });
    expect(await (await connect(key)).names()).not.toContain("score_run");
  });

  it("lets an AI client look up, build, check, run, repair and decide, end to end", async () => {
    const { client, call } = await connect();
    const { node_types } = await call("find_node_types", { words: "condition", category: "core" });
    expect(node_types.map(({ node_type }: { node_type: string }) => node_type)).toContain("core.condition");
    expect(await call("describe_node_type", { node_type: "agent.humanReview" })).toMatchObject({
      input: expect.anything(),
      waits: true,
    });
    const broken = {
      initial: "ask",
      states: {
        ask: { invoke: { src: "agent.humanReview", input: { title: "Is it good?", show: "yes" }, onDone: "sum" } },
        sum: { invoke: { src: "math.calculate", input: { expression: "$.trigger.expression" }, onDone: "doen" } },
        done: { type: "final", output: { value: "$.sum_output.value" } },
      },
    };
    const { valid, problems } = await call("validate_definition", { definition: broken });
    expect(valid).toBe(false);
    expect(problems.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(["$.states.sum.invoke.src", "$.states.sum.invoke.onDone"]),
    );
    const definition = structuredClone(broken);
    definition.states.sum.invoke = {
      src: "core.transform",
      input: { mapping: { value: "{{ $.trigger.nothing }}" } } as never,
      onDone: "done",
    };
    expect(await call("validate_definition", { definition })).toEqual({ valid: true, problems: [] });
    const { workflow_id, ...made } = await call("create_agent_workflow", { name: "Built over MCP", definition });
    expect(made).toMatchObject({ published_version: null, draft_revision: 1 });
    await call("publish_agent_workflow", { workflow_id, draft_revision: 1 });
    const started = await call("execute_agent_workflow", { workflow_id, input: { word: "bread" } });
    const { run_id } = started;
    const { reviews } = await call("list_reviews", { run_id });
    const [{ review_id }] = reviews;
    expect(started).toMatchObject({ status: "paused", waits_for: [{ step: "ask", review_id }] });
    const { digest } = await call("get_review", { review_id });
    await allowOwnDecisions(oven);
    await call("answer_review", { review_id, action: "approve", digest });
    await expect.poll(async () => (await call("get_run", { run_id })).status).toBe("failed");
    const { error } = await call("get_run", { run_id });
    expect(error).toMatchObject({ step: "sum" });
    expect((await call("explain_error", { code: error.code })).text).toContain("What to do");
    definition.states.sum.invoke.input = { mapping: { value: "{{ $.trigger.word }}" } } as never;
    const { draft_revision } = await call("update_agent_workflow", { workflow_id, definition });
    expect(await call("compare_agent_workflow", { workflow_id })).toMatchObject({
      changed: [{ state: "sum", to: "{{ $.trigger.word }}" }],
    });
    expect(await call("try_on_past_runs", { workflow_id, status: "failed" })).toMatchObject({
      counts: { same: 0, outcome: 1, unknown: 0 },
      different: [{ run_id, verdict: "outcome", was: error.code, is: "completed" }],
    });
    await call("publish_agent_workflow", { workflow_id, draft_revision });
    const again = await call("retry_run", { run_id, version: "current" });
    await expect
      .poll(async () => call("get_run", { run_id: again.run_id }))
      .toMatchObject({ status: "completed", output: { value: "bread" } });
    expect(await call("get_run", { run_id: again.run_id, step: "sum" })).toMatchObject({
      step: { output: { value: "bread" } },
    });
    const { checkpoints } = await call("list_checkpoints", { run_id });
    const { checkpoint } = checkpoints.find(({ step }: { step: string | null }) => step === "ask");
    expect((await call("fork_run", { run_id, checkpoint })).run_id).toBeGreaterThan(again.run_id);
    await client.close();
  });

  it("offers a client what it is permitted, and nothing to a key that is bound to a workflow", async () => {
    const { body: reader } = await oven.call("POST", "api-keys", { name: "reader", permissions: ["system.read"] });
    const { client, names } = await connect(reader.key);
    expect((await names()).toSorted()).toEqual([
      "definition_guide",
      "describe_node_type",
      "explain_error",
      "find_node_types",
    ]);
    await client.close();
    const { body: workflow } = await oven.call("GET", "agent-workflows/support-reply");
    const { body: bound } = await oven.call("POST", "api-keys", {
      name: "bound",
      permissions: ["agent-workflows.execute", "agent-workflows.read"],
      workflows: [`agent-workflow:${workflow.id}`],
    });
    await expect(connect(bound.key)).rejects.toThrow(/403|FORBIDDEN/);
  });

  it("has no tool that deletes, nor one that somebody must approve", async () => {
    const { client, names } = await connect();
    expect((await names()).filter((name) => /delete|refund/.test(name))).toEqual([]);
    await client.close();
  });
});
