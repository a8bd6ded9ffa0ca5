import { createMCPClient } from "@ai-sdk/mcp";
import { MultiServerMCPClient } from "@langchain/mcp-adapters";
import { installedModules } from "@oven/installation";
import { TEST_KEY } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";
import { allowOwnDecisions } from "./testing/own-decisions.ts";

interface Envelope {
  status: string;
  output?: { reply?: string };
  run: { id: number };
  pending?: { reviewId: number; digest: string };
}
/** What an agent's library makes of an MCP server. */
interface Library {
  names(): Promise<string[]>;
  call(name: string, given: object): Promise<Envelope>;
  /** What went wrong with a call, in words. */
  failure(name: string, given: object): Promise<string>;
  /** What it told of progress so far; undefined: its API tells of none. */
  progress: string[] | undefined;
  /** A call that is given up by the signal. */
  callUntil(signal: AbortSignal, name: string, given: object): Promise<unknown>;
  close(): Promise<void>;
}

const QUESTION = { message: "Where is my order 8841?", orderId: 8841 };

async function withAiSdk(url: string): Promise<Library> {
  const headers = { authorization: `Bearer ${TEST_KEY}` };
  const client = await createMCPClient({ transport: { type: "http", url, headers } });
  const call = (name: string, given: object) => client.callTool({ name, arguments: { ...given } });
  return {
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name, given) => (await call(name, given)).structuredContent as Envelope, // cast: the tool's output schema
    failure: async (name, given) => {
      const answer = await call(name, given).catch((error: Error) => ({ isError: true, content: error.message }));
      expect(answer.isError).toBe(true);
      return JSON.stringify(answer.content);
    },
    progress: undefined,
    callUntil: (signal, name, given) => client.callTool({ name, arguments: { ...given }, options: { signal } }),
    close: () => client.close(),
  };
}

async function withLangChain(url: string): Promise<Library> {
  const progress: string[] = [];
  const client = new MultiServerMCPClient({
    mcpServers: { oven: { url, headers: { Authorization: `Bearer ${TEST_KEY}` }, automaticSSEFallback: false } },
    onProgress: ({ message }) => {
      progress.push(message ?? "");
    },
  });
  const tools = await client.getTools();
  const invoke = async (name: string, given: object, options = {}): Promise<Envelope> => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`there is no tool ${name}`);
    const answer: { structuredContent: Envelope } = await tool.invoke(given, options);
    return answer.structuredContent;
  };
  return {
    names: async () => tools.map(({ name }) => name),
    call: invoke,
    failure: async (name, given) => {
      const answer = await invoke(name, given).then(
        (answered) => `answered ${JSON.stringify(answered)}`,
        (error: Error) => error.message,
      );
      expect(answer).not.toMatch(/^answered/);
      return answer;
    },
    progress,
    callUntil: (signal, name, given) => invoke(name, given, { signal }),
    close: () => client.close(),
  };
}

describe.each([
  ["@ai-sdk/mcp", withAiSdk],
  ["LangChain's MCP adapter", withLangChain],
] as const)("%s", (_name, open) => {
  let endpoint: McpEndpoint;
  let library: Library;

  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: installedModules({ demo: true }) });
    await allowOwnDecisions(endpoint.oven);
    library = await open(endpoint.urlOf("support-reply").href);
  });
  afterAll(async () => {
    await library?.close();
    await endpoint.close();
  });

  it("lists the tools and calls one", async () => {
    expect(await library.names()).toEqual([
      "support_reply",
      "get_run",
      "answer_review",
      "cancel_run",
      "list_runs",
      "orders_get",
      "orders_policy",
      "score_run",
    ]);
    expect(await library.call("orders_get", { orderId: 8841 })).toMatchObject({ orderId: 8841 });
  });

  it("runs a workflow to its review, answers it, and gets the result", async () => {
    const paused = await library.call("support_reply", QUESTION);
    expect(paused).toMatchObject({ status: "paused", pending: { digest: expect.any(String) } });
    if (library.progress !== undefined) expect(library.progress).toContain("Draft a reply: LLM started");
    const { reviewId, digest } = paused.pending ?? {};
    const done = await library.call("answer_review", { reviewId, digest, action: "approve" });
    expect(done).toMatchObject({ status: "completed", output: { reply: expect.any(String) } });
    expect(await library.call("get_run", { id: paused.run.id })).toMatchObject({ status: "completed" });
  });

  it("is told what is wrong with a call", async () => {
    expect(await library.failure("support_reply", { message: 7 })).toMatch(/message|string|schema/i);
    expect(await library.failure("get_run", { id: 999_999 })).toContain("NOT_FOUND");
  });

  it("cancels a run, and gives up a call", async () => {
    const paused = await library.call("support_reply", QUESTION);
    expect(await library.call("cancel_run", { id: paused.run.id })).toMatchObject({ status: "cancelled" });
    expect(await library.call("get_run", { id: paused.run.id })).toMatchObject({ status: "cancelled" });
    const run = await endpoint.oven.call("GET", `agent-workflow-executions/${paused.run.id}`);
    expect(run.body.status).toBe("cancelled");
    const runs = async () => (await endpoint.oven.db.query("select id from agent_workflow_executions")).length;
    const before = await runs();
    const giving = new AbortController();
    const call = expect(library.callUntil(giving.signal, "support_reply", QUESTION)).rejects.toThrow();
    await vi.waitUntil(async () => (await runs()) > before, { timeout: 120_000 });
    giving.abort();
    await call;
  });
});
