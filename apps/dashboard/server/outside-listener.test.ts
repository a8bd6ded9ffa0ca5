import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

interface ReceivedEvent {
  type: string;
  data: Record<string, unknown>;
}

describe("a listener outside of OVEN", () => {
  let oven: TestOven;
  let receiver: Server;
  const told: ReceivedEvent[] = [];
  beforeAll(async () => {
    receiver = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part: Buffer) => parts.push(part));
      request.on("end", () => {
        told.push(JSON.parse(Buffer.concat(parts).toString()));
        response.end();
      });
    });
    receiver.listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const { port } = receiver.address() as AddressInfo; // cast: it listens on TCP
    const origin = `http://127.0.0.1:${port}`;
    const modules = installedModules({ demo: true });
    oven = await startTestOven({ createRuntime, modules, environment: { outboundAllow: [origin] } });
    await oven.call("POST", "secrets", {
      name: "signing",
      value: "a-key-for-signatures",
      hosts: [],
    });
    const { status, body } = await oven.call("POST", "event-subscriptions", {
      name: "Ours",
      url: `${origin}/events`,
      events: ["agents-workflow.review.*", "agents-workflow.mcp.*"],
      secret: "signing",
    });
    expect(status, JSON.stringify(body)).toBe(201);
  });
  afterAll(async () => {
    await oven.stop();
    receiver.close();
  });

  const receivedOf = (type: string) => told.filter((one) => one.type === type).map(({ data }) => data);

  it("is told that a review was opened, with what is needed to present it, as the inbox has it [004-165]", async () => {
    const { body: run } = await oven.call("POST", "agent-workflows/support-reply/execute?wait=30", {
      input: { message: "Where is my order 8841?", orderId: 8841 },
    });
    expect(run.status).toBe("paused");
    const inbox = (await oven.call("GET", `reviews?filter={"executionId":${run.id}}`)).body;
    expect(inbox).toMatchObject([{ status: "open", executionId: run.id }]);
    await expect.poll(() => receivedOf("agents-workflow.review.opened")).toHaveLength(1);
    const [opened] = receivedOf("agents-workflow.review.opened");
    expect(opened).toMatchObject({ reviewId: inbox[0].id, executionId: run.id });
    // What it was told is enough to decide.
    const { status } = await oven.call("POST", `reviews/${opened?.reviewId}/decide`, {
      action: "approve",
      digest: inbox[0].digest,
    });
    expect(status).toBe(200);
  });

  it("is told once that an MCP server was generated, and again when it is rebuilt [004-212]", async () => {
    const definition = { initial: "done", states: { done: { type: "final" } } };
    const body = { name: "Offered", mcpExport: true, definition };
    const { body: workflow } = await oven.call("POST", "agent-workflows", body);
    const [server] = (await oven.call("GET", 'mcp-servers?filter={"slug":"offered"}')).body;
    const generated = { mcpServerId: server.id, agentWorkflowId: workflow.id };
    const mine = () =>
      receivedOf("agents-workflow.mcp.generated").filter(({ agentWorkflowId }) => agentWorkflowId === workflow.id);
    await expect.poll(mine).toEqual([generated]);
    await oven.call("POST", `mcp-servers/${server.id}/regenerate`, {});
    await expect.poll(mine).toEqual([generated, generated]);
  });
});
