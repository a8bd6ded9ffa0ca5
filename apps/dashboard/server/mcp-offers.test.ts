import { resolve } from "node:path";
import { Client } from "@modelcontextprotocol/client";
import { getDefaultEnvironment, StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as LegacyClient } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as LegacyStdio } from "@modelcontextprotocol/sdk/client/stdio.js";
import { installedModules } from "@oven/installation";
import { TEST_KEY, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { MCP_CLIENTS } from "./testing/mcp-clients.ts";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";

const DEFINITION = {
  initial: "look",
  payloadSchema: { type: "object", properties: { question: { type: "string" } }, required: ["question"] },
  states: {
    look: {
      invoke: {
        src: "agent.toolLoop",
        input: { prompt: "$.trigger.question", tools: ["orders.*", "!orders.policy", "math.calculate"] },
        onDone: "ask",
      },
    },
    ask: {
      invoke: {
        src: "agent.subagent",
        input: { agent: "polite-clerk", message: "$.trigger.question", parameters: { language: "German" } },
        onDone: "readUp",
      },
    },
    readUp: { invoke: { src: "agent.rag", input: { store: "house-rules", query: "returns" }, onDone: "done" } },
    done: { type: "final" },
  },
};
const CLERK = {
  name: "Polite clerk",
  slug: "polite-clerk",
  description: "Answers politely.",
  systemPrompt: "You are a clerk. Answer in {{ $.trigger.language }}.",
  model: "simulated:shop-assistant",
  exposedParameters: {
    type: "object",
    properties: { language: { type: "string", enum: ["German", "Greek", "Dutch"], description: "Of the answer" } },
    required: ["language"],
  },
};

describe("what an MCP server offers", () => {
  let oven: TestOven;
  let endpoint: McpEndpoint;
  let url: URL;

  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: installedModules({ demo: true }) });
    oven = endpoint.oven;
    expect((await oven.call("POST", "agents", CLERK)).status).toBe(201);
    for (const slug of ["house-rules", "secret-plans"]) {
      const store = { name: slug, slug, embeddingModel: "local:use-lite" };
      expect((await oven.call("POST", "vector-stores", store)).status).toBe(201);
    }
    const { status } = await oven.call("POST", "agent-workflows", {
      name: "Front desk",
      description: "Answers questions about orders.",
      mcpExport: true,
      definition: DEFINITION,
    });
    expect(status).toBe(201);
    url = endpoint.urlOf("front-desk");
  });
  afterAll(() => endpoint.close());

  const connect = (key: string = TEST_KEY) => endpoint.connect("front-desk", { key });
  const namesOf = async (client: Client) => (await client.listTools()).tools.map(({ name }) => name);

  it("has the workflow, the tools it is bound to and the agents it asks as tools, in one order [004-179] [004-248]", async () => {
    const client = await connect();
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      "front_desk",
      "get_run",
      "answer_review",
      "cancel_run",
      "list_runs",
      "math_calculate",
      "orders_get",
      "ask_polite_clerk",
      // For those who may score: the key of an owner.
      "score_run",
    ]);
    expect(tools[0]).toMatchObject({
      title: "Front desk",
      description: expect.stringContaining("Answers questions about orders."),
      inputSchema: DEFINITION.payloadSchema,
    });
    expect(await namesOf(await connect())).toEqual(tools.map(({ name }) => name));
  });

  it("leaves out tools that somebody must approve: they are reached through the workflow", async () => {
    const refund = (await oven.call("GET", "tools?range=[0,499]")).body.find(
      ({ id }: { id: string }) => id === "orders.refund",
    );
    expect(refund).toMatchObject({ needsApproval: true });
    expect(await namesOf(await connect())).not.toContain("orders_refund");
  });

  describe.each(MCP_CLIENTS)("to %s", (_name, connectOther) => {
    it("re-exports bound tools with their own schemas, and calls them with their effect [004-184] [004-186]", async () => {
      const { body: infos } = await oven.call("GET", "tools?range=[0,499]");
      const info = infos.find(({ id }: { id: string }) => id === "orders.get");
      const client = await connectOther(url, TEST_KEY);
      const tool = (await client.listTools()).tools.find(({ name }) => name === "orders_get");
      expect(tool).toMatchObject({ inputSchema: info.inputSchema, outputSchema: info.outputSchema });
      const answer = await client.callTool({ name: "orders_get", arguments: { orderId: 8841 } });
      expect(answer.structuredContent).toMatchObject({ orderId: 8841, totalCents: expect.any(Number) });
      const wrong = await client
        .callTool({ name: "orders_get", arguments: { orderId: 8841, secretly: true } })
        .catch((error: Error) => ({ isError: true, content: error.message }));
      expect(wrong.isError).toBe(true);
      await client.close();
    });

    it("lets an outside system ask a referenced agent, and go on with the conversation [004-185] [004-187]", async () => {
      const client = await connectOther(url, TEST_KEY);
      const ask = (given: object) =>
        client.callTool({ name: "ask_polite_clerk", arguments: { message: "Where is my order 8841?", ...given } });
      const first = (await ask({ parameters: { language: "German" } })).structuredContent as {
        sessionId: number;
        run: { id: number };
      };
      expect(first).toMatchObject({ status: "completed", output: expect.anything(), sessionId: expect.any(Number) });
      const again = (await ask({ parameters: { language: "German" }, sessionId: first.sessionId })).structuredContent;
      expect(again).toMatchObject({ status: "completed", sessionId: first.sessionId });
      const { body: messages } = await oven.call("GET", `agent-sessions/${first.sessionId}/messages`);
      expect(messages.map(({ role }: { role: string }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
      const without = await ask({ parameters: { language: "Klingon" } }).catch((error: Error) => ({
        isError: true,
        content: error.message,
      }));
      expect(without.isError).toBe(true);
      await client.close();
    });
  });

  it.each(["the v1 client", "the v2 client"])("is there on stdin and stdout, too, for %s [004-250]", async (name) => {
    const args = [resolve(import.meta.dirname, "../../cli/src/oven.ts"), "mcp", "--url", String(url)];
    const server = { command: process.execPath, args, env: { ...getDefaultEnvironment(), OVEN_API_KEY: TEST_KEY } };
    const client =
      name === "the v1 client"
        ? new LegacyClient({ name: "legacy", version: "1.0.0" })
        : new Client({ name: "modern", version: "1.0.0" }, { versionNegotiation: { mode: "auto" } });
    const transport = name === "the v1 client" ? new LegacyStdio(server) : new StdioClientTransport(server);
    await client.connect(transport as Parameters<typeof client.connect>[0]); // cast: of the same SDK as its client
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toContain("ask_polite_clerk");
    const answer = await client.callTool({ name: "orders_get", arguments: { orderId: 8841 } });
    expect(answer.structuredContent).toMatchObject({ orderId: 8841 });
    await client.close();
  });

  it("says to a client on stdin that its key is wrong, instead of keeping it waiting", async () => {
    const args = [resolve(import.meta.dirname, "../../cli/src/oven.ts"), "mcp", "--url", String(url)];
    const env = { ...getDefaultEnvironment(), OVEN_API_KEY: "oven_wrong" };
    const client = new Client({ name: "modern", version: "1.0.0" });
    const transport = new StdioClientTransport({ command: process.execPath, args, env, stderr: "ignore" });
    await expect(client.connect(transport)).rejects.toThrow(/401|UNAUTHENTICATED|Unauthorized/i);
    await client.close();
  });

  it("says by annotation what a tool may do", async () => {
    const { tools } = await (await connect()).listTools();
    const hints = Object.fromEntries(tools.map(({ name, annotations }) => [name, annotations]));
    expect(hints).toMatchObject({
      // One of its tools is a refund.
      front_desk: { readOnlyHint: false, destructiveHint: true },
      get_run: { readOnlyHint: true },
      cancel_run: { destructiveHint: true, idempotentHint: true },
      orders_get: { readOnlyHint: true },
      math_calculate: { readOnlyHint: true },
    });
  });

  it("lists and calls for a key only what that key is permitted [004-253]", async () => {
    const caller = await connect(await endpoint.keyWith(["agent-workflows.execute"]));
    expect(await namesOf(caller)).toEqual(["front_desk", "get_run", "answer_review", "cancel_run", "list_runs"]);
    for (const name of ["orders_get", "ask_polite_clerk"])
      await expect(caller.callTool({ name, arguments: { orderId: 8841, message: "Hello" } })).rejects.toThrow(
        /not found/i,
      );
    const reader = await connect(await endpoint.keyWith(["orders.read"]));
    expect(await namesOf(reader)).toContain("orders_get");
    const refused = await reader.callTool({ name: "front_desk", arguments: { question: "Where is my order?" } });
    expect(refused).toMatchObject({ isError: true });
    expect(JSON.stringify(refused.content)).toContain("FORBIDDEN");
  });

  it("gives a key that is bound to the workflow the workflow, and nothing that it uses", async () => {
    const permissions = ["agent-workflows.execute", "orders.read", "tools.use"];
    const { body: workflow } = await oven.call("GET", "agent-workflows/front-desk");
    const bound = await connect(await endpoint.keyWith(permissions, { workflows: [`agent-workflow:${workflow.id}`] }));
    expect(await namesOf(bound)).toEqual(["front_desk", "get_run", "answer_review", "cancel_run", "list_runs"]);
  });

  it("lets a client that may score give its own runs a score, and no others", async () => {
    const ask = { name: "front_desk", arguments: { question: "Where is my order?" } };
    const idOf = async (client: Client): Promise<number> => {
      const { structuredContent } = await client.callTool(ask);
      return (structuredContent as { run: { id: number } }).run.id; // cast: what the tool answers
    };
    const client = await connect(await endpoint.keyWith(["agent-workflows.execute", "scores.write"]));
    const [own, other] = [await idOf(client), await idOf(await connect())];
    const score = (id: number) => client.callTool({ name: "score_run", arguments: { run_id: id, value: 1 } });
    expect((await score(own)).isError).toBeFalsy();
    const refused = await score(other);
    expect([refused.isError, JSON.stringify(refused.content)]).toEqual([true, expect.stringContaining("NOT_FOUND")]);
  });

  it("refuses calls of a tool over its rate, with the time to wait, and goes on with others [004-253]", async () => {
    const { body: workflow } = await oven.call("GET", "agent-workflows/front-desk");
    const config = {
      moduleName: "module-workflow-agents",
      key: "MCP_TOOL_CALLS_PER_MINUTE",
      value: 2,
      scopeId: String(workflow.id),
    };
    const saved = await oven.call("POST", "module-configs", config);
    expect(saved.status).toBe(201);
    const client = await connect(await endpoint.keyWith(["orders.read", "tools.use"]));
    const get = () => client.callTool({ name: "orders_get", arguments: { orderId: 8841 } });
    expect((await get()).isError).toBeFalsy();
    expect((await get()).isError).toBeFalsy();
    const refused = await get();
    expect(refused.isError).toBe(true);
    expect(JSON.stringify(refused.content)).toMatch(/TOO_MANY_REQUESTS.*Wait \d+ s/);
    const other = await client.callTool({ name: "math_calculate", arguments: { expression: "6*7" } });
    expect(other.isError).toBeFalsy();
    await oven.call("DELETE", `module-configs/${saved.body.id}`);
  });

  it("shows the definition, runs and what they made as resources, and nothing of the platform", async () => {
    const client = await connect();
    const { resources } = await client.listResources();
    expect(resources.map(({ uri }) => uri).filter((uri) => !/runs|documents/.test(uri))).toEqual([
      "oven://workflows/front-desk",
    ]);
    const read = async (uri: string) => {
      const [content] = (await client.readResource({ uri })).contents;
      return JSON.parse(content !== undefined && "text" in content ? content.text : "null");
    };
    expect(await read("oven://workflows/front-desk")).toMatchObject({ definition: { initial: "look" } });
    const { structuredContent } = await client.callTool({ name: "front_desk", arguments: { question: "Order 8841?" } });
    const { run } = structuredContent as { run: { id: number } };
    expect(await read(`oven://runs/${run.id}`)).toMatchObject({ id: run.id, nodes: expect.any(Array) });
    await expect(client.readResource({ uri: "oven://runs/999999" })).rejects.toThrow();
    await expect(client.readResource({ uri: "oven://modules/module-workflows" })).rejects.toThrow();
    const stranger = await connect(await endpoint.keyWith(["agent-workflows.execute"]));
    await expect(stranger.readResource({ uri: `oven://runs/${run.id}` })).rejects.toThrow();
    expect((await stranger.listResources()).resources).toEqual([]);
    const { structuredContent: own } = await stranger.callTool({ name: "list_runs", arguments: {} });
    expect(own).toEqual({ runs: [] });
    const { structuredContent: mine } = await client.callTool({ name: "list_runs", arguments: { limit: 1 } });
    expect(mine).toMatchObject({ runs: [{ id: run.id }] });
  });

  it("shows the documents of the stores that the workflow names, and of no others", async () => {
    const add = async (store: string, text: string) =>
      (await oven.call("POST", `vector-stores/${store}/documents`, { title: "Returns", text })).body.id;
    const rules = await add("house-rules", "Goods come back within 30 days.");
    const plans = await add("secret-plans", "World domination.");
    const uri = `oven://vector-stores/house-rules/documents/${rules}`;
    const client = await connect();
    const { resources } = await client.listResources();
    expect(resources.filter((one) => one.uri.includes("/documents/"))).toMatchObject([{ uri, title: "Returns" }]);
    const read = async () => (await client.readResource({ uri })).contents;
    await expect.poll(() => read().catch(() => [])).toMatchObject([{ text: "Goods come back within 30 days." }]);
    for (const [store, id] of [
      ["secret-plans", plans],
      ["house-rules", plans],
      ["nowhere", rules],
    ])
      await expect(client.readResource({ uri: `oven://vector-stores/${store}/documents/${id}` })).rejects.toThrow();
    const stranger = await connect(await endpoint.keyWith(["agent-workflows.read"]));
    await expect(stranger.readResource({ uri })).rejects.toThrow();
  });

  it("has the agents' prompts with what they expose as arguments, for those who may see agents [004-252]", async () => {
    const client = await connect();
    const { prompts } = await client.listPrompts();
    expect(prompts).toMatchObject([
      { name: "polite_clerk", description: "Answers politely.", arguments: [{ name: "language", required: true }] },
    ]);
    const { messages } = await client.getPrompt({ name: "polite_clerk", arguments: { language: "Greek" } });
    expect(messages).toEqual([{ role: "user", content: { type: "text", text: "You are a clerk. Answer in Greek." } }]);
    const begun = await client.complete({
      ref: { type: "ref/prompt", name: "polite_clerk" },
      argument: { name: "language", value: "G" },
    });
    expect(begun.completion.values).toEqual(["German", "Greek"]);
    const asking = await connect(await endpoint.keyWith(["agent-workflows.execute", "agents.invoke"]));
    await expect(asking.getPrompt({ name: "polite_clerk", arguments: { language: "Greek" } })).rejects.toThrow();
  });
});
