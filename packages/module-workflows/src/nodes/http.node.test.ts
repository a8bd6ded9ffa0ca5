import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { surround, TEXT_SAMPLES } from "@oven/contract/text/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createBlobService } from "../blobs/blob-service.ts";
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
    calls.push({ method, url, headers, body: Buffer.concat(chunks).toString("latin1"), at: Date.now() });
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

  const FORM = "application/x-www-form-urlencoded";
  it.each([
    ["form", {}, { to: ["a", "b"], note: "ä & b", n: 1, none: null }, "n=1&to=a&to=b&note=%C3%A4+%26+b"],
    ["json", { "Content-Type": FORM }, { a: true }, "a=true"],
    ["json", { "content-type": `${FORM}; charset=utf-8` }, "a=1&b=2", "a=1&b=2"],
  ])("sends a form (%s, %j)", async (bodyType, headers, body, sent) => {
    await run({ method: "POST", url: origin, headers, body, bodyType });
    expect(calls[0]).toMatchObject({ body: sent, headers: { "content-type": expect.stringContaining(FORM) } });
  });

  it("sends fields and stored files as multipart, under the boundary that the body has", async () => {
    const blobs = createBlobService(oven.db);
    const place = { tenantId: 1, executionId: 0, nodeId: "test", visit: 1, item: null };
    const blob = await blobs.write(place, "image/png", new Uint8Array([0x89, 0x50, 0x0d, 0x0a]));
    const body = { note: "grüß", to: ["a", "b"], file: { filename: 'a"b.png', blob: "$.trigger.blob" } };
    const headers = { "Content-Type": "multipart/form-data" };
    const sent = await run(
      { method: "POST", url: origin, body, headers, bodyType: "multipart" },
      {},
      { blob: { ...blob } },
    );
    expect(sent.status).toBe("completed");
    const [call] = calls;
    const form = await new Response(Buffer.from(call?.body ?? "", "latin1"), {
      headers: { "content-type": call?.headers["content-type"] ?? "" },
    }).formData();
    expect([form.get("note"), form.getAll("to")]).toEqual(["grüß", ["a", "b"]]);
    const file = form.get("file");
    if (!(file instanceof File)) throw new Error("no file arrived");
    expect([file.name, file.type, [...new Uint8Array(await file.arrayBuffer())]]).toEqual([
      'a"b.png',
      "image/png",
      [0x89, 0x50, 0x0d, 0x0a],
    ]);
    const forged = { ...blob, sha256: "0".repeat(64) };
    const refused = await run({ method: "POST", url: origin, body, bodyType: "multipart" }, {}, { blob: forged });
    expect([refused.status, refused.errorInfo.code]).toEqual(["failed", "INPUT_INVALID"]);
  });

  it.each([
    ["form", { a: { b: 1 } }, "The field a"],
    ["form", [1], "an object of its fields"],
    ["multipart", { a: { b: 1 } }, "neither a value nor a file"],
    ["text", { a: 1 }, "must be text"],
  ])("refuses what cannot be sent as %s: %j", async (bodyType, body, message) => {
    const refused = await run({ method: "POST", url: origin, body, bodyType });
    expect(refused).toMatchObject({ status: "failed", errorInfo: { message: expect.stringContaining(message) } });
    expect(calls).toEqual([]);
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

  it.each(TEXT_SAMPLES)("reads text and JSON in $charset, as the answer declares", async (sample) => {
    const { charset, text, bytes } = sample;
    const answers = (type: string, content: Uint8Array) => {
      answer = (response) => response.writeHead(200, { "content-type": `${type}; charset=${charset}` }).end(content);
    };
    answers("text/csv", bytes);
    const { output } = (await run({ url: origin })).nodes[0];
    expect(output).toMatchObject({ body: text, encoding: "text", charset: expect.stringMatching(/^[a-z0-9_-]+$/) });
    answers("application/json", surround('{"n":"', sample, '"}'));
    expect((await run({ url: origin })).nodes[0].output).toMatchObject({ body: { n: text }, encoding: "json" });
  });

  it("reads what XML declares, and a byte order mark before JSON", async () => {
    answer = (response) =>
      response
        .writeHead(200, { "content-type": "application/xml" })
        .end(Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><n>M\xfcller</n>', "latin1"));
    expect((await run({ url: origin })).nodes[0].output).toMatchObject({
      body: '<?xml version="1.0" encoding="ISO-8859-1"?><n>Müller</n>',
      charset: "windows-1252",
    });
    answer = (response) => response.writeHead(200, { "content-type": "application/json" }).end('\uFEFF{"a":1}');
    expect((await run({ url: origin })).nodes[0].output).toMatchObject({
      body: { a: 1 },
      encoding: "json",
      charset: "utf-8",
    });
  });

  it("refuses text that it cannot read, once, and reads it in the charset that the step names", async () => {
    const latin = Buffer.from("M\xfcller", "latin1");
    answer = (response) => response.writeHead(200, { "content-type": "text/plain" }).end(latin);
    const refused = await run({ url: origin });
    expect(refused).toMatchObject({
      status: "failed",
      errorInfo: {
        code: "TEXT_UNDECODABLE",
        message: expect.stringContaining("utf-8"),
      },
    });
    expect(calls).toHaveLength(1);
    expect((await run({ url: origin, charset: "iso-8859-1" })).nodes[0].output).toMatchObject({ body: "Müller" });
    // Nothing says that it is text.
    answer = (response) => response.writeHead(200).end(latin);
    expect((await run({ url: origin })).nodes[0].output).toMatchObject({ encoding: "base64" });
    // The status is the news.
    answer = (response) => response.writeHead(404, { "content-type": "text/plain" }).end(latin);
    expect((await run({ url: origin })).errorInfo).toMatchObject({
      code: "HTTP_STATUS",
      details: { body: "M\uFFFDller" },
    });
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

  it("gives up when the whole takes too long, however much arrives", async () => {
    let timer: NodeJS.Timeout | undefined;
    answer = (response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      timer = setInterval(() => response.write("data: more\n\n"), 5);
    };
    const body = await run({ url: origin, timeoutMs: 60_000, maxTotalMs: 200 }, { retry: { maxAttempts: 1 } });
    clearInterval(timer);
    expect(body.errorInfo).toMatchObject({
      code: "OUTBOUND_TIMEOUT",
      message: expect.stringContaining("No complete answer within 200 ms"),
    });
  });
});
