import type { Client } from "@modelcontextprotocol/client";
import { installedModules } from "@oven/installation";
import { TEST_KEY, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";
import { joinPerson } from "./testing/oauth-person.ts";

interface Asked {
  message: string;
  requestedSchema: { properties: Record<string, unknown> };
}
type Answer = { action: "accept"; content: Record<string, string> } | { action: "decline" };

describe("a review in the middle of a call over MCP", () => {
  let oven: TestOven;
  let endpoint: McpEndpoint;
  let url: URL;

  beforeAll(async () => {
    endpoint = await openMcpEndpoint({ modules: installedModules({ demo: true }) });
    oven = endpoint.oven;
    url = endpoint.urlOf("support-reply");
  });
  afterAll(() => endpoint.close());

  /** A client whose user answers what it is asked; without an answer it cannot ask. */
  async function connect(
    answer?: Answer,
    key: string = TEST_KEY,
    mode: "auto" | "legacy" = "auto",
  ): Promise<{ client: Client; asked: Asked[] }> {
    const asked: Asked[] = [];
    const client = await endpoint.connect("support-reply", {
      key,
      mode,
      capabilities: answer === undefined ? {} : { elicitation: { form: {} } },
      prepare: (unconnected) => {
        if (answer === undefined) return;
        unconnected.setRequestHandler("elicitation/create", async ({ params }) => {
          asked.push(params as unknown as Asked); // cast: what our server asks
          return answer;
        });
      },
    });
    return { client, asked };
  }
  const call = async (client: Client) =>
    client.callTool({ name: "support_reply", arguments: { message: "Where is my order 8841?", orderId: 8841 } });
  const countRuns = async () =>
    (await oven.db.query<{ runs: number }>("select count(*)::int as runs from agent_workflow_executions"))[0]?.runs ??
    0;

  describe.each([
    ["2026-07-28", "auto"],
    ["an older revision", "legacy"],
  ] as const)("on %s", (_revision, mode) => {
    it("is asked of the client's user, whose decision ends the same call, and starts no second run", async () => {
      const before = await countRuns();
      const content = { action: "edit", edited: "It comes on 9 March." };
      const { client, asked } = await connect({ action: "accept", content }, TEST_KEY, mode);
      const done = await call(client);
      expect(done.structuredContent).toMatchObject({ status: "completed", output: { reply: "It comes on 9 March." } });
      expect(asked).toMatchObject([
        {
          message: expect.stringContaining("Reply"),
          requestedSchema: {
            properties: { action: { enum: ["approve", "edit", "reject"] }, edited: { type: "string" } },
          },
        },
      ]);
      expect(await countRuns()).toBe(before + 1);
      await client.close();
    });

    it("stays in the inbox when the client's user declines, and the call answers with the handle", async () => {
      const { client } = await connect({ action: "decline" }, TEST_KEY, mode);
      const paused = (await call(client)).structuredContent as { pending: { reviewId: number } };
      expect(paused).toMatchObject({ status: "paused" });
      expect((await oven.call("GET", `reviews/${paused.pending.reviewId}`)).body.status).toBe("open");
      await client.close();
    });

    it("is not asked of clients that cannot ask anybody, nor of those that may not decide", async () => {
      const mute = await connect(undefined, TEST_KEY, mode);
      expect((await call(mute.client)).structuredContent).toMatchObject({ status: "paused" });
      const { body } = await oven.call("POST", "api-keys", {
        name: "caller",
        permissions: ["agent-workflows.execute"],
      });
      const other = await connect({ action: "accept", content: { action: "approve" } }, body.key, mode);
      expect((await call(other.client)).structuredContent).toMatchObject({ status: "paused" });
      expect(other.asked).toEqual([]);
      await Promise.all([mute.client.close(), other.client.close()]);
    });
  });

  describe("the session of an older client that can be asked", () => {
    const INITIALIZE = {
      jsonrpc: "2.0",
      id: 1,
      method: "initialize",
      params: {
        protocolVersion: "2025-11-25",
        capabilities: { elicitation: {} },
        clientInfo: { name: "raw", version: "1.0.0" },
      },
    };
    const LIST = { jsonrpc: "2.0", id: 2, method: "tools/list" };

    async function send(method: string, body: object | undefined, session?: string, key: string = TEST_KEY) {
      return fetch(url, {
        method,
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2025-11-25",
          ...(session === undefined ? {} : { "mcp-session-id": session }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
    }
    async function begin(key: string = TEST_KEY): Promise<string> {
      const answer = await send("POST", INITIALIZE, undefined, key);
      await answer.text();
      return answer.headers.get("mcp-session-id") ?? "";
    }

    it("is its owner's alone, and ends with DELETE", async () => {
      const session = await begin();
      expect(session).toMatch(/^[0-9a-f-]{36}$/);
      const other = await endpoint.keyWith(["agent-workflows.execute"]);
      for (const method of ["POST", "DELETE"])
        expect((await send(method, method === "POST" ? LIST : undefined, session, other)).status).toBe(404);
      const listed = await send("POST", LIST, session);
      expect(listed.status).toBe(200);
      expect(await listed.text()).toContain("support_reply");
      expect((await send("DELETE", undefined, session)).status).toBe(200);
      expect((await send("POST", LIST, session)).status).toBe(404);
      expect((await send("POST", LIST, "made-up")).status).toBe(404);
    });

    it("is none for clients that cannot be asked: they get a name, for which nothing is stored", async () => {
      const params = { ...INITIALIZE.params, capabilities: {} };
      const answer = await send("POST", { ...INITIALIZE, params });
      expect(answer.status).toBe(200);
      expect(answer.headers.get("mcp-session-id")).toMatch(/^call-[0-9a-f-]{36}$/);
      await answer.text();
      // One that this process has not given, such as another process, is served alike.
      const other = await send("POST", LIST, "call-00000000-0000-4000-8000-000000000000");
      expect(other.status).toBe(200);
      expect(await other.text()).toContain("support_reply");
      for (const method of ["GET", "DELETE"])
        expect((await send(method, undefined, "call-00000000-0000-4000-8000-000000000000")).status).toBe(405);
    });

    it("ends with the rights that it began with", async () => {
      const made = await oven.call("POST", "roles", {
        name: "caller",
        title: "Caller",
        permissions: ["agent-workflows.execute", "reviews.decide"],
      });
      expect(made.status).toBe(201);
      const person = await joinPerson(endpoint, "eve@example.com", ["caller"]);
      const scope = "agent-workflows.execute reviews.decide";
      const { access_token } = await person.connect({ resource: url.href, scope });
      const session = await begin(access_token);
      expect((await send("POST", LIST, session, access_token)).status).toBe(200);
      await oven.call("PUT", `roles/${made.body.id}`, { title: "Caller", permissions: ["agent-workflows.execute"] });
      await expect.poll(async () => (await send("POST", LIST, session, access_token)).status).toBe(404);
    });

    it("tells of a run that was subscribed to", async () => {
      const updated: string[] = [];
      const client = await endpoint.connect("support-reply", {
        mode: "legacy",
        capabilities: { elicitation: {} },
        prepare: (unconnected) => {
          unconnected.setNotificationHandler("notifications/resources/updated", ({ params }) => {
            updated.push(params.uri);
          });
          unconnected.setRequestHandler("elicitation/create", async () => ({ action: "decline" }));
        },
      });
      const { structuredContent } = await call(client);
      const paused = structuredContent as { run: { id: number }; pending: { reviewId: number; digest: string } }; // cast: the tool's output schema
      const uri = `oven://runs/${paused.run.id}`;
      await client.subscribeResource({ uri });
      await oven.call("POST", `reviews/${paused.pending.reviewId}/decide`, {
        action: "approve",
        digest: paused.pending.digest,
      });
      await expect.poll(() => updated).toContain(uri);
      await client.close();
    });
  });

  describe("what the client hands back", () => {
    const META = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientInfo": { name: "raw", version: "1.0.0" },
      "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } },
    };
    const ACCEPTED = { review: { action: "accept", content: { action: "approve" } } };

    async function send(more: object, key: string = TEST_KEY) {
      const params = {
        name: "support_reply",
        arguments: { message: "Where is my order 8841?", orderId: 8841 },
        _meta: META,
        ...more,
      };
      const response = await fetch(url, {
        method: "POST",
        headers: {
          authorization: `Bearer ${key}`,
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": "tools/call",
          "mcp-name": "support_reply",
        },
        body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params }),
      });
      const text = await response.text();
      const line = text.split("\n").findLast((entry) => entry.startsWith("data: "));
      return JSON.parse(line === undefined ? text : line.slice("data: ".length));
    }

    it("is refused when it was changed, or comes from somebody else; and decides once", async () => {
      const { result } = await send({});
      expect(result).toMatchObject({ resultType: "input_required", inputRequests: { review: expect.anything() } });
      const { requestState } = result;
      const before = await countRuns();
      const [version, body, mac] = requestState.split(".");
      const forged = JSON.parse(Buffer.from(body, "base64url").toString("utf8"));
      forged.p.reviewId += 1;
      const changed = [version, Buffer.from(JSON.stringify(forged)).toString("base64url"), mac].join(".");
      expect(await send({ requestState: changed, inputResponses: ACCEPTED })).toMatchObject({
        error: { code: -32_602 },
      });
      const { body: other } = await oven.call("POST", "api-keys", {
        name: "another",
        permissions: ["agent-workflows.execute", "reviews.decide", "executions.read"],
      });
      expect(await send({ requestState, inputResponses: ACCEPTED }, other.key)).toMatchObject({
        error: { code: -32_602 },
      });
      expect(await send({ requestState, inputResponses: ACCEPTED })).toMatchObject({
        result: { structuredContent: { status: "completed" } },
      });
      const again = await send({ requestState, inputResponses: ACCEPTED });
      expect(again.result.isError).toBe(true);
      expect(JSON.stringify(again.result.content)).toContain("REVIEW_DECIDED");
      expect(await countRuns()).toBe(before);
    });
  });
});
