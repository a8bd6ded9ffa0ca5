import { installedModules } from "@oven/installation";
import { TEST_KEY, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectLegacy, MCP_CLIENTS } from "./testing/mcp-clients.ts";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";
import { allowOwnDecisions } from "./testing/own-decisions.ts";

describe("a workflow as an MCP server", () => {
  let oven: TestOven;
  let endpoint: McpEndpoint;
  let url: URL;

  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: installedModules({ demo: true }) });
    oven = endpoint.oven;
    await allowOwnDecisions(oven);
    url = endpoint.urlOf("support-reply");
  });
  afterAll(() => endpoint.close());

  describe.each(MCP_CLIENTS)("%s", (_name, connect) => {
    it("lists the workflow with its own schemas, runs it to the review with progress, approves, and gets the result [004-010] [004-181]", async () => {
      const client = await connect(url, TEST_KEY);
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual([
        "support_reply",
        "get_run",
        "answer_review",
        "cancel_run",
        "list_runs",
        "orders_get",
        "orders_policy",
        "score_run",
      ]);
      expect(tools[0]?.inputSchema).toMatchObject({ type: "object", required: ["message"] });
      const steps: string[] = [];
      const paused = await client.callTool(
        { name: "support_reply", arguments: { message: "Where is my order 8841?", orderId: 8841 } },
        ({ message }) => steps.push(message ?? ""),
      );
      const envelope = paused.structuredContent as {
        run: { id: number };
        pending: { reviewId: number; digest: string; proposal: string };
      };
      expect(envelope).toMatchObject({
        status: "paused",
        simulated: true,
        pending: { actions: ["approve", "edit", "reject"], digest: expect.stringMatching(/^[0-9a-f]{64}$/) },
      });
      expect(steps).toContain("Draft a reply: LLM started");
      const edited = "Dear Ada, it arrives on 9 March.";
      const { reviewId, digest } = envelope.pending;
      const done = await client.callTool({
        name: "answer_review",
        arguments: { reviewId, digest, action: "edit", data: edited },
      });
      expect(done.structuredContent).toMatchObject({ status: "completed", output: { reply: edited } });
      const again = await client.callTool({
        name: "answer_review",
        arguments: { reviewId, digest, action: "approve" },
      });
      expect(again).toMatchObject({ isError: true });
      expect(JSON.stringify(again.content)).toContain("REVIEW_DECIDED");
      const later = await client.callTool({ name: "get_run", arguments: { id: envelope.run.id } });
      expect(later.structuredContent).toMatchObject({ status: "completed" });
      const thumb = await client.callTool({ name: "score_run", arguments: { run_id: envelope.run.id, value: 1 } });
      expect(thumb.structuredContent).toEqual({ run_id: envelope.run.id, name: "thumbs", value: 1 });
      const scores = await oven.call("GET", `agent-workflow-executions/${envelope.run.id}/scores`);
      expect(scores.body).toMatchObject([{ name: "thumbs", value: 1, source: "mcp" }]);
      await client.close();
    });

    it("refuses arguments that do not fit the advertised schema, and starts nothing", async () => {
      const client = await connect(url, TEST_KEY);
      const before = await oven.db.query("select count(*) as runs from agent_workflow_executions");
      const refused = await client
        .callTool({ name: "support_reply", arguments: { message: 7 } })
        .catch((error: Error) => ({
          isError: true,
          content: error.message,
        }));
      expect(refused.isError).toBe(true);
      expect(await oven.db.query("select count(*) as runs from agent_workflow_executions")).toEqual(before);
      await client.close();
    });

    it("cancels a paused run, as it was asked to: that is no error", async () => {
      const client = await connect(url, TEST_KEY);
      const paused = await client.callTool({
        name: "support_reply",
        arguments: { message: "Where is my order 8841?" },
      });
      const { run } = paused.structuredContent as { run: { id: number } };
      const cancelled = await client.callTool({ name: "cancel_run", arguments: { id: run.id } });
      expect(cancelled).toMatchObject({ structuredContent: { status: "cancelled" } });
      expect(cancelled.isError).not.toBe(true);
      const later = await client.callTool({ name: "get_run", arguments: { id: run.id } });
      expect(later).toMatchObject({ structuredContent: { status: "cancelled" } });
      expect(later.isError).not.toBe(true);
      await client.close();
    });
  });

  it.each([
    ["no key", undefined, 401],
    ["a wrong key", "oven_wrong", 401],
  ])("answers %s with %s and a challenge", async (_name, key, status) => {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const response = await fetch(url, {
      method: "POST",
      headers: key === undefined ? headers : { ...headers, authorization: `Bearer ${key}` },
      body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    });
    expect(response.status).toBe(status);
    expect(response.headers.get("www-authenticate")).toContain("Bearer");
  });

  it("refuses another site's page even with a key", async () => {
    const response = await fetch(url, {
      method: "POST",
      headers: {
        authorization: `Bearer ${TEST_KEY}`,
        "content-type": "application/json",
        origin: "https://evil.example",
      },
      body: "{}",
    });
    expect(response.status).toBe(403);
  });

  it("shows a key only the runs it started, and lets it decide only with the permission", async () => {
    const { body: key } = await oven.call("POST", "api-keys", {
      name: "caller",
      permissions: ["agent-workflows.execute"],
    });
    const own = await connectLegacy(url, key.key);
    const admin = await connectLegacy(url, TEST_KEY);
    const theirs = (await admin.callTool({ name: "support_reply", arguments: { message: "Order 8841?" } }))
      .structuredContent as {
      run: { id: number };
    };
    const mine = (await own.callTool({ name: "support_reply", arguments: { message: "Order 8841?" } }))
      .structuredContent as {
      run: { id: number };
      pending: { reviewId: number; digest: string };
    };
    expect((await own.callTool({ name: "get_run", arguments: { id: mine.run.id } })).structuredContent).toMatchObject({
      status: "paused",
    });
    expect(await own.callTool({ name: "get_run", arguments: { id: theirs.run.id } })).toMatchObject({ isError: true });
    const { reviewId, digest } = mine.pending;
    const decided = await own.callTool({ name: "answer_review", arguments: { reviewId, digest, action: "approve" } });
    expect(JSON.stringify(decided.content)).toContain("FORBIDDEN");
    await Promise.all([own.close(), admin.close()]);
  });

  it("is gone with its workflow's export, and disabled with the workflow [004-249]", async () => {
    const { body: workflow } = await oven.call("GET", "agent-workflows/order-triage");
    const exported = await oven.call("PUT", "agent-workflows/order-triage", {
      mcpExport: true,
      version: workflow.version,
    });
    expect(exported.status).toBe(200);
    const [server] = (await oven.call("GET", 'mcp-servers?filter={"slug":"order-triage"}')).body;
    expect(server).toMatchObject({ status: "active", name: "Order triage" });
    expect(server.toolDefinitions[0]).toMatchObject({ name: "order_triage", annotations: { destructiveHint: false } });
    await oven.call("PUT", "agent-workflows/order-triage", { enabled: false });
    expect((await oven.call("GET", `mcp-servers/${server.id}`)).body.status).toBe("disabled");
    const post = { headers: { "content-type": "application/json" }, body: "{}" };
    expect((await oven.fetch("mcp/order-triage", { method: "POST", ...post })).status).toBe(404);
    await oven.call("PUT", "agent-workflows/order-triage", { enabled: true, mcpExport: false });
    expect((await oven.call("GET", `mcp-servers/${server.id}`)).status).toBe(404);
  });
});
