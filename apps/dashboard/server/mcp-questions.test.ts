import type { Client } from "@modelcontextprotocol/client";
import { installedModules } from "@oven/installation";
import { TEST_KEY, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpDoor, openMcpDoor } from "./testing/mcp-door.ts";

interface Asked {
  message: string;
  requestedSchema: { properties: Record<string, unknown> };
}
type Answer = { action: "accept"; content: Record<string, string> } | { action: "decline" };

describe("a review in the middle of a call over MCP", () => {
  let oven: TestOven;
  let door: McpDoor;
  let url: URL;

  beforeAll(async () => {
    door = await openMcpDoor({ modules: installedModules({ demo: true }) });
    oven = door.oven;
    url = door.urlOf("support-reply");
  });
  afterAll(() => door.close());

  /** A client whose user answers what it is asked; without an answer it cannot ask. */
  async function connect(answer?: Answer, key: string = TEST_KEY): Promise<{ client: Client; asked: Asked[] }> {
    const asked: Asked[] = [];
    const client = await door.connect("support-reply", {
      key,
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

  it("is asked of the client's user, whose decision ends the same call, and starts no second run", async () => {
    const before = await countRuns();
    const { client, asked } = await connect({
      action: "accept",
      content: { action: "edit", edited: "It comes on 9 March." },
    });
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
    const { client } = await connect({ action: "decline" });
    const paused = (await call(client)).structuredContent as { pending: { reviewId: number } };
    expect(paused).toMatchObject({ status: "paused" });
    expect((await oven.call("GET", `reviews/${paused.pending.reviewId}`)).body.status).toBe("open");
    await client.close();
  });

  it("is not asked of clients that cannot ask anybody, nor of those that may not decide", async () => {
    const mute = await connect();
    expect((await call(mute.client)).structuredContent).toMatchObject({ status: "paused" });
    const { body } = await oven.call("POST", "api-keys", { name: "caller", permissions: ["agent-workflows.execute"] });
    const other = await connect({ action: "accept", content: { action: "approve" } }, body.key);
    expect((await call(other.client)).structuredContent).toMatchObject({ status: "paused" });
    expect(other.asked).toEqual([]);
    await Promise.all([mute.client.close(), other.client.close()]);
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
