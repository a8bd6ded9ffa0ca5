import { createServer, request as forward, type Server } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { createOvenClient, type OvenClient } from "@oven/client";
import { installedModules } from "@oven/installation";
import { type ModelServer, startModelServer, TEST_KEY } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type McpEndpoint, openMcpEndpoint } from "./testing/mcp-endpoint.ts";

/** Before a server: what it does to a request that comes. */
type Trouble = "lose-the-answer" | "cut-the-stream" | "nothing";

async function startProxy(origin: string) {
  const troubles: Trouble[] = [];
  const sockets = new Set<Socket>();
  const seen: string[] = [];
  const proxy: Server = createServer((incoming, outgoing) => {
    const trouble = troubles.shift() ?? "nothing";
    seen.push(`${incoming.method} ${incoming.url} ${incoming.headers["last-event-id"] ?? ""}`.trim());
    const { method, headers, url } = incoming;
    const sent = forward(`${origin}${url}`, { method, headers }, (answer) => {
      if (trouble === "lose-the-answer") {
        answer.resume();
        answer.on("end", () => incoming.socket.destroy());
        return;
      }
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.on("data", (part: Buffer) => {
        outgoing.write(part);
        // After the first entries of the log, and before its end.
        if (trouble === "cut-the-stream" && part.includes("node.started")) incoming.socket.destroySoon();
      });
      answer.on("end", () => outgoing.end());
    });
    sent.on("error", () => incoming.socket.destroy());
    outgoing.on("close", () => sent.destroy());
    incoming.pipe(sent);
  });
  proxy.on("connection", (socket) => sockets.add(socket));
  await new Promise<void>((resolve) => proxy.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, // cast: it listens on TCP
    troubles,
    seen,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => proxy.close(resolve));
    },
  };
}

const definition = {
  initial: "propose",
  payloadSchema: {
    type: "object",
    required: ["order"],
    properties: { order: { type: "integer" } },
    additionalProperties: false,
  },
  states: {
    propose: {
      invoke: {
        src: "agent.humanReview",
        input: { title: "Refund?", show: { order: "$.trigger.order" } },
        onDone: "done",
        onError: "refused",
      },
    },
    done: { type: "final", output: { refunded: "$.trigger.order" } },
    refused: { type: "final", output: { refunded: null } },
  },
};

describe("the TypeScript client over HTTP", () => {
  let endpoint: McpEndpoint;
  let model: ModelServer;
  let proxy: Awaited<ReturnType<typeof startProxy>>;
  let oven: OvenClient;
  beforeAll(async () => {
    model = await startModelServer(() => ({ text: "It is on its way." }), { models: ["house-model"] });
    endpoint = await openMcpEndpoint({
      modules: [...installedModules({ demo: false })],
      environment: {
        variables: { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "k" },
        outboundAllow: [new URL(model.url).origin],
      },
    });
    proxy = await startProxy(endpoint.origin);
    oven = createOvenClient({ url: proxy.url, key: TEST_KEY });
    await oven.call("POST /agent-workflows", { body: { name: "Refund", slug: "refund", definition } });
    await oven.call("POST /agents", { body: { name: "Desk", slug: "desk", model: "openai:house-model" } });
  });
  afterAll(async () => {
    await proxy?.close();
    await endpoint?.close();
    await model?.close();
  });

  it("starts a run, shows what waits for a decision, decides what was shown, and waits for the end", async () => {
    const paused = await oven.agentWorkflows.run("refund", { order: 7 });
    expect(paused.status).toBe("paused");
    const [review] = await oven.reviews.open({ run: paused.id });
    if (review === undefined) throw new Error("no review is open");
    expect(review).toMatchObject({ title: "Refund?", proposal: { order: 7 } });
    await expect(oven.reviews.decide({ ...review, digest: "another" }, { action: "approve" })).rejects.toMatchObject({
      name: "OvenError",
      status: 409,
    });
    await oven.reviews.decide(review, { action: "approve", reason: "It was broken" });
    const ended = await oven.agentWorkflows.wait(paused.id);
    expect(ended).toMatchObject({ status: "completed", output: { refunded: 7 } });
    expect(await oven.reviews.open({ run: paused.id })).toEqual([]);
  });

  it("starts one run although the answer to the first request was lost", async () => {
    const before = (await oven.call("GET /agent-workflow-executions")).length;
    proxy.troubles.push("lose-the-answer");
    proxy.seen.length = 0;
    const run = await oven.agentWorkflows.start("refund", { order: 8 });
    expect(proxy.seen).toEqual(Array(2).fill("POST /api/agent-workflows/refund/execute"));
    expect((await oven.call("GET /agent-workflow-executions")).length).toBe(before + 1);
    expect((await oven.agentWorkflows.cancel(run.id, { reason: "a test" })).status).toBe("cancelled");
  });

  it("reads the log of a run, each entry once, also when the connection breaks in the middle", async () => {
    const paused = await oven.agentWorkflows.run("refund", { order: 9 });
    const [review] = await oven.reviews.open({ run: paused.id });
    if (review === undefined) throw new Error("no review is open");
    proxy.troubles.push("cut-the-stream");
    proxy.seen.length = 0;
    const read: { seq: number; event: string }[] = [];
    for await (const { seq, event } of oven.agentWorkflows.events(paused.id)) {
      read.push({ seq, event });
      if (event === "execution.paused") await oven.reviews.decide(review, { action: "reject", reason: "Too late" });
    }
    expect(read.at(-1)?.event).toBe("end");
    expect(read.map(({ seq }) => seq)).toEqual(read.map((_, at) => at + 1));
    const streams = proxy.seen.filter((line) => line.includes("/events"));
    expect(streams).toHaveLength(2);
    expect(streams[1]).toMatch(/events \d+$/);
  });

  it("talks to an agent, whole and as it comes", async () => {
    const reply = await oven.agents.invoke("desk", { message: "Where is order 7?", wait: 20 });
    expect(reply).toMatchObject({ status: "completed", text: "It is on its way." });
    let text = "";
    const names = new Set<string>();
    for await (const { event, data } of oven.agents.stream("desk", { message: "Where is order 8?" })) {
      names.add(event);
      if (event === "text") text += data.text;
      if (event === "end") expect(data.text).toBe(text);
    }
    expect(text).toBe("It is on its way.");
    expect([...names]).toEqual(["run", "text", "end"]);
  });

  it("says what the server says: an input that does not fit, a workflow that does not exist, a key that may not", async () => {
    await expect(oven.agentWorkflows.start("refund", { order: "seven" })).rejects.toMatchObject({
      status: 400,
      path: expect.stringContaining("order"),
    });
    await expect(oven.agentWorkflows.start("nothing", {})).rejects.toMatchObject({ status: 404, code: "NOT_FOUND" });
    const key = await endpoint.keyWith(["agents.read"]);
    const weak = createOvenClient({ url: proxy.url, key });
    await expect(weak.agentWorkflows.start("refund", { order: 1 })).rejects.toMatchObject({ status: 403 });
    const nobody = createOvenClient({ url: "http://127.0.0.1:1", key, retries: 0 });
    await expect(nobody.agentWorkflows.get(1)).rejects.toMatchObject({ code: "SERVER_UNREACHABLE" });
  });
});
