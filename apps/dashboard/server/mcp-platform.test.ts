import { installedModules } from "@oven/installation";
import { TEST_KEY, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";

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

  it("lets an AI client look up, build, check, run, repair and decide, end to end", async () => {
    const { client, call } = await connect();
    const { nodes } = await call("find_node_types", { words: "condition", category: "core" });
    expect(nodes.map(({ id }: { id: string }) => id)).toContain("core.condition");
    expect(await call("describe_node_type", { id: "agent.humanReview" })).toMatchObject({
      inputSchema: expect.anything(),
    });
    const broken = {
      initial: "ask",
      states: {
        ask: { invoke: { src: "agent.humanReview", input: { title: "Is it good?", show: "yes" }, onDone: "sum" } },
        sum: { invoke: { src: "math.calculate", input: { expression: "$.trigger.expression" }, onDone: "doen" } },
        done: { type: "final", output: { value: "$.sum_output.value" } },
      },
    };
    const { problems } = await call("validate_definition", { definition: broken });
    expect(problems.map(({ path }: { path: string }) => path)).toEqual(
      expect.arrayContaining(["$.states.sum.invoke.src", "$.states.sum.invoke.onDone"]),
    );
    const definition = structuredClone(broken);
    definition.states.sum.invoke = {
      src: "core.transform",
      input: { mapping: { value: "{{ $.trigger.nothing }}" } } as never,
      onDone: "done",
    };
    expect(await call("validate_definition", { definition })).toEqual({ problems: [] });
    const made = await call("create_agent_workflow", { name: "Built over MCP", definition });
    const started = await call("execute_agent_workflow", { workflow: made.slug, input: { word: "bread" } });
    const { result: open } = await call("list_reviews", { filter: JSON.stringify({ status: "open" }) });
    const review = open.find(({ executionId }: { executionId: number }) => executionId === started.id);
    await call("answer_review", { id: review.id, action: "approve", digest: review.digest });
    await expect.poll(async () => (await call("get_run", { id: started.id })).status).toBe("failed");
    const { errorInfo } = await call("get_run", { id: started.id });
    expect((await call("explain_error", { code: errorInfo.code })).text).toContain("What to do");
    definition.states.sum.invoke.input = { mapping: { value: "{{ $.trigger.word }}" } } as never;
    await call("update_agent_workflow", { id: String(made.id), body: { definition, version: made.version } });
    const again = await call("retry_run", { id: started.id, version: "current" });
    await expect
      .poll(async () => call("get_run", { id: again.id }))
      .toMatchObject({ status: "completed", output: { value: "bread" } });
    await client.close();
  });

  it("offers a client what it is permitted, and nothing to a key that is bound to a workflow", async () => {
    const { body: reader } = await oven.call("POST", "api-keys", { name: "reader", permissions: ["system.read"] });
    const { client, names } = await connect(reader.key);
    expect((await names()).toSorted()).toEqual(["describe_node_type", "explain_error", "find_node_types"]);
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
