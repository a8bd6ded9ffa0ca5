import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

interface Call {
  method: string;
  url: string;
  headers: IncomingHttpHeaders;
  body: string;
  at: number;
}

describe("core.http", () => {
  const calls: Call[] = [];
  let answer: (response: ServerResponse, call: number) => void;
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const { method = "", url = "", headers } = request;
    calls.push({ method, url, headers, body: Buffer.concat(chunks).toString(), at: Date.now() });
    answer(response, calls.length);
  });
  let oven: TestOven;
  let origin = "";
  let count = 0;

  beforeAll(async () => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // cast: it listens on TCP
    oven = await startTestOven({
      createRuntime,
      modules: [createSystemModule(), createRolesModule(), createWorkflowsModule()],
      environment: { outboundAllow: [origin] },
    });
  });
  beforeEach(() => {
    calls.length = 0;
    answer = (response) => response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}');
  });
  afterAll(async () => {
    await oven.stop();
    server.closeAllConnections();
    server.close();
  });

  async function run(input: object, more: object = {}, trigger: object = {}) {
    count++;
    const retry = { initialMs: 1, maxAttempts: 3 };
    const states = {
      one: { invoke: { src: "core.http", input, retry, onDone: "done", ...more } },
      done: { type: "final" },
    };
    const created = await oven.call("POST", "workflows", {
      name: `Call ${count}`,
      definition: { initial: "one", states },
    });
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    const { body } = await oven.call("POST", `workflows/${created.body.id}/execute?wait=30`, { input: trigger });
    return (await oven.call("GET", `workflow-executions/${body.id}`)).body;
  }

  it("sends method, query, headers and JSON, and answers status, headers and body", async () => {
    const body = await run(
      {
        method: "POST",
        url: `${origin}/orders?a=1`,
        query: { note: "$.trigger.note", page: 2, none: null },
        headers: { "x-own": "yes" },
        body: { order: "$.trigger.order", list: [1, null] },
      },
      {},
      { note: "ä & b", order: { id: 7 } },
    );
    expect(body.nodes[0].output).toMatchObject({
      status: 200,
      headers: { "content-type": "application/json" },
      body: { ok: true },
      encoding: "json",
    });
    const [call] = calls;
    expect(call).toMatchObject({ method: "POST", headers: { "x-own": "yes", "content-type": "application/json" } });
    expect(JSON.parse(call?.body ?? "")).toEqual({ order: { id: 7 }, list: [1, null] });
    expect([...new URL(call?.url ?? "", origin).searchParams]).toEqual([
      ["a", "1"],
      ["note", "ä & b"],
      ["page", "2"],
    ]);
  });

  it("sends text as it stands", async () => {
    await run({
      method: "PUT",
      url: origin,
      body: "a,b\n1,2",
      bodyType: "text",
      headers: { "Content-Type": "text/csv" },
    });
    expect(calls[0]).toMatchObject({ method: "PUT", body: "a,b\n1,2", headers: { "content-type": "text/csv" } });
  });

  it.each([
    ["text/plain; charset=utf-8", "grüß", "grüß", "text"],
    ["application/problem+json", '{"a":1}', { a: 1 }, "json"],
    ["application/json", "{broken", "{broken", "text"],
    [
      "application/json",
      `${"[".repeat(9_000)}${"]".repeat(9_000)}`,
      expect.stringMatching(/^\[{9000}\]{9000}$/),
      "text",
    ],
    ["image/png", "\u0000\u0001", Buffer.from("\u0000\u0001").toString("base64"), "base64"],
    ["", "", "", "text"],
  ])("answers a body of the type %s (%#)", async (type, sent, body, encoding) => {
    answer = (response) => response.writeHead(200, type === "" ? {} : { "content-type": type }).end(sent);
    expect((await run({ url: origin })).nodes[0].output).toMatchObject({ body, encoding });
  });

  it("tries a 5xx again with the same Idempotency-Key, and another step uses another", async () => {
    answer = (response, call) => response.writeHead(call < 3 ? 502 : 200).end("x");
    expect((await run({ method: "POST", url: origin, body: {} })).status).toBe("completed");
    expect(calls).toHaveLength(3);
    const keys = calls.map(({ headers }) => headers["idempotency-key"]);
    expect(new Set(keys).size).toBe(1);
    expect(keys[0]).toMatch(/^\S{16,}$/);
    await run({ url: origin });
    expect(calls[3]?.headers["idempotency-key"]).not.toBe(keys[0]);
  });

  it.each([400, 401, 404, 409, 422])("fails at once on %i, with status and body", async (status) => {
    answer = (response) => response.writeHead(status).end("no such order");
    const body = await run({ url: `${origin}/orders?key=secret` });
    expect(body).toMatchObject({
      status: "failed",
      errorInfo: { code: "HTTP_STATUS", nodeId: "one", details: { status, body: "no such order" } },
    });
    expect(body.error).not.toContain("secret");
    expect(calls).toHaveLength(1);
  });

  it.each([
    ['{"order":{"id":7615917337495251231}}', "$.body.order.id", "7615917337495251231"],
    ["[0.1234567890123456789]", "$.body[0]", "0.1234567890123456789"],
    ["1e400", "$.body", "1e400"],
  ])("fails at once on a number that would be changed, as in %s", async (text, path, number) => {
    answer = (response) => response.writeHead(200, { "content-type": "application/json" }).end(text);
    const failed = await run({ url: origin });
    expect(failed).toMatchObject({
      status: "failed",
      errorInfo: { code: "NUMBER_NOT_EXACT", nodeId: "one", details: { numbers: [{ path, number }] } },
    });
    expect(failed.error).toContain(`${number} at ${path}`);
    expect(calls).toHaveLength(1);
    expect(failed.nodes[0].output).toBe(null);
  });

  it("hands such numbers on as text where the step takes them so", async () => {
    answer = (response) =>
      response.writeHead(200, { "content-type": "application/json" }).end('{"id":7615917337495251231,"n":12.5}');
    const { nodes } = await run({ url: origin, longNumbers: "text" });
    expect(nodes[0].output).toMatchObject({ body: { id: "7615917337495251231", n: 12.5 }, encoding: "json" });
  });

  it("says what the status was, whatever numbers are in the answer of a failure", async () => {
    answer = (response) =>
      response.writeHead(404, { "content-type": "application/json" }).end('{"id":7615917337495251231}');
    const { errorInfo } = await run({ url: origin });
    expect(errorInfo).toMatchObject({ code: "HTTP_STATUS", details: { body: '{"id":"7615917337495251231"}' } });
  });

  it("waits as long as Retry-After of a 429 says", async () => {
    answer = (response, call) => response.writeHead(call === 1 ? 429 : 200, { "retry-after": "1" }).end();
    expect((await run({ url: origin })).status).toBe("completed");
    const [first, second] = calls;
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(990);
  });

  it("takes the statuses that are expected as success, and 200 not if it is not one of them", async () => {
    answer = (response) => response.writeHead(404).end();
    expect((await run({ url: origin, expectedStatus: [200, 404] })).nodes[0].output.status).toBe(404);
    answer = (response) => response.writeHead(200).end();
    expect((await run({ url: origin, expectedStatus: [404] })).errorInfo.code).toBe("HTTP_STATUS");
    answer = (response) => response.writeHead(500).end("broken");
    expect((await run({ url: origin, anyStatus: true })).nodes[0].output).toMatchObject({
      status: 500,
      body: "broken",
    });
  });

  it.each([
    "http://localhost:PORT",
    "http://[::1]:PORT",
    "http://169.254.169.254/latest",
    "file:///etc/passwd",
    "nonsense",
  ])("does not call %s, and does not try again", async (url) => {
    const failed = await run({ url: url.replace("PORT", new URL(origin).port) });
    expect(failed).toMatchObject({ status: "failed", errorInfo: { code: "OUTBOUND_REFUSED", nodeId: "one" } });
    expect(failed.nodes[0].attempt).toBe(1);
    expect(calls).toEqual([]);
  });

  it("gives up after its time-out", async () => {
    answer = () => undefined;
    const body = await run({ url: origin, timeoutMs: 50 }, { retry: { maxAttempts: 1 } });
    expect(body.errorInfo).toMatchObject({ code: "OUTBOUND_TIMEOUT", nodeId: "one" });
  });
});
