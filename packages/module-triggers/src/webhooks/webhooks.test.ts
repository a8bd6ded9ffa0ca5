import { createHmac } from "node:crypto";
import type { JsonObject } from "@oven/contract";
import type { BlobReference } from "@oven/contract/run";
import { surround, TEXT_SAMPLES } from "@oven/contract/text/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startTriggers, type TestTriggers } from "../triggers/testing/start-triggers.ts";

const KEY = "a shared key of the tests";
const sign = (body: string) => createHmac("sha256", KEY).update(body).digest("hex");

interface Answer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever came back
  body: any;
}

describe("webhooks", () => {
  let triggers: TestTriggers;
  let workflowId: number;
  let count = 0;
  const clock = { now: new Date("2026-11-01T12:00:00Z") };
  beforeAll(async () => {
    triggers = await startTriggers(clock);
    workflowId = await triggers.workflow("Hooked");
    const secret = await triggers.oven.call("POST", "secrets", { name: "hook", value: KEY, hosts: [] });
    expect(secret.status).toBe(201);
  });
  afterAll(() => triggers.stop());

  const make = (config: object = {}, more: object = {}) =>
    triggers.make({
      type: "webhook",
      name: `Hook ${++count}`,
      target: { kind: "workflow", workflowId },
      config,
      ...more,
    });
  const send = async (
    token: string | null,
    body?: string | Uint8Array<ArrayBuffer>,
    headers: object = {},
    method = "POST",
  ) => {
    const response = await triggers.oven.handle(
      new Request(`http://localhost:3000/api/hooks/${token}?source=test&tag=a&tag=b`, {
        method,
        headers: { "content-type": "application/json", ...headers },
        ...(body === undefined ? {} : { body }),
      }),
    );
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.startsWith("application/json");
    const answer: Answer = {
      status: response.status,
      headers: response.headers,
      text,
      body: isJson ? JSON.parse(text) : text,
    };
    return answer;
  };
  const runOf = async (id: number) => {
    await expect
      .poll(async () => (await triggers.oven.call("GET", `workflow-executions/${id}`)).body.status)
      .toBe("completed");
    return (await triggers.oven.call("GET", `workflow-executions/${id}`)).body;
  };
  const log = async (id: number) =>
    (await triggers.deliveries(id)).map(({ decision, reason }) => `${decision} ${reason ?? ""}`.trim());

  it("start a run with what was posted, and answer at once with its id", async () => {
    const { id, token } = await make();
    expect(token).toMatch(/^[\w-]{43}$/);
    const sent = await send(token, '{"order":{"id":7}}', {
      authorization: "Bearer of-the-sender",
      cookie: "a=b",
      "x-api-key": "sesame",
      "x-event": "order.paid",
    });
    expect(sent.status).toBe(202);
    const [delivery] = await triggers.deliveries(id);
    expect(sent.body).toEqual({ deliveryId: delivery?.id, decision: "started", executionId: delivery?.executionId });
    const run = await runOf(sent.body.executionId);
    expect(run).toMatchObject({ triggerEvent: "webhook" });
    expect(run.input).toEqual({
      body: { order: { id: 7 } },
      headers: { "content-type": "application/json", "x-event": "order.paid" },
      query: { source: "test", tag: ["a", "b"] },
      method: "POST",
    });
  });

  it.each([
    ["a form", "application/x-www-form-urlencoded", "a=1&b=x+y&b=z", { a: "1", b: ["x y", "z"] }],
    ["text", "text/plain", "Grüße", "Grüße"],
    ["another JSON", "application/cloudevents+json; charset=utf-8", "[1]", [1]],
    ["no body", "application/json", "", null],
    ["bytes that are no text", "image/png", new Uint8Array([0x89, 0x50, 0xff]), { base64: "iVD/" }],
  ])("read %s", async (_what, type, body, expected) => {
    const { id, token } = await make();
    expect((await send(token, body, { "content-type": type })).status).toBe(202);
    expect((await triggers.deliveries(id))[0]?.payload).toMatchObject({ body: expected });
  });

  describe("with a number that would be changed", () => {
    const BODY = '{"order":{"id":7615917337495251231,"n":1}}';

    it("refuse it with its place, and start nothing", async () => {
      const { id, token } = await make();
      const refused = await send(token, BODY);
      expect([refused.status, refused.body.error]).toMatchObject([
        400,
        { code: "NUMBER_NOT_EXACT", path: "$.body.order.id", fix: expect.stringContaining("longNumbers") },
      ]);
      expect(await log(id)).toEqual([
        expect.stringContaining("refused NUMBER_NOT_EXACT: What was sent has the number 7615917337495251231"),
      ]);
      expect((await triggers.deliveries(id))[0]).toMatchObject({ executionId: null, payload: { method: "POST" } });
    });

    it("take it as text when they are set so", async () => {
      const { token } = await make({ longNumbers: "text" });
      const { body } = await send(token, BODY);
      expect((await runOf(body.executionId)).input.body).toEqual({ order: { id: "7615917337495251231", n: 1 } });
    });

    it("take it as text where the workflow's payload does", async () => {
      const order = {
        type: "object",
        properties: { id: { type: "integer", format: "int64" }, n: { type: "integer" } },
      };
      const definition = {
        payloadSchema: {
          type: "object",
          properties: { body: { type: "object", properties: { order: { $ref: "#/$defs/order" } } } },
          $defs: { order },
        },
        initial: "done",
        states: { done: { type: "final", output: "$.trigger.body.order.id" } },
      };
      const created = await triggers.oven.call("POST", "workflows", { name: "Takes long ids", definition });
      const { token } = await make({}, { target: { kind: "workflow", workflowId: created.body.id } });
      const { body } = await send(token, BODY);
      expect((await runOf(body.executionId)).output).toBe("7615917337495251231");
      const refused = await send(token, '{"order":{"id":1,"n":7615917337495251231}}');
      expect(refused.body.error).toMatchObject({ code: "NUMBER_NOT_EXACT", path: "$.body.order.n" });
    });
  });

  it.each(TEXT_SAMPLES)("read text, JSON, XML and forms in $charset, as they declare", async (sample) => {
    const { charset, text, bytes } = sample;
    const { id, token } = await make();
    const isWide = charset.startsWith("utf-16");
    const escaped = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
    const part = `Content-Disposition: form-data; name="note"\r\nContent-Type: text/plain; charset=${charset}\r\n\r\n`;
    const parts = new Uint8Array(Buffer.concat([Buffer.from(`--b\r\n${part}`), bytes, Buffer.from("\r\n--b--\r\n")]));
    const prolog = `<?xml version="1.0" encoding="${charset}"?><n>`;
    const sent: [string, string | Uint8Array<ArrayBuffer>, unknown][] = [
      [`text/plain; charset=${charset}`, bytes, text],
      [`application/json; charset="${charset}"`, surround('{"note":"', sample, '"}'), { note: text }],
      [`application/x-www-form-urlencoded; charset=${charset}`, `note=${escaped}`, { note: text }],
      ["application/x-www-form-urlencoded", `_charset_=${charset}&note=${escaped}`, { _charset_: charset, note: text }],
      ["multipart/form-data; boundary=b", parts, { note: text }],
    ];
    // UTF-16 cannot be declared in ASCII, and hides no field of its own.
    if (isWide) sent.splice(3, 1);
    else sent.push(["application/xml", surround(prolog, sample, "</n>"), `${prolog}${text}</n>`]);
    for (const [type, body] of sent) expect((await send(token, body, { "content-type": type })).status, type).toBe(202);
    const arrived = (await triggers.deliveries(id)).map(({ payload }) => (payload as { body: unknown }).body); // cast: what arrives
    expect(arrived).toEqual(sent.map(([, , expected]) => expected));
  });

  it("refuse text that is none in its charset, unless the trigger names another", async () => {
    const latin = new Uint8Array(Buffer.from("M\xfcller", "latin1"));
    const { id, token } = await make();
    for (const [type, body] of [
      ["text/plain", latin],
      ["application/json", latin],
      ["text/plain; charset=klingon", "a"],
      ["application/x-www-form-urlencoded", "name=M%FCller"],
    ] as const) {
      const refused = await send(token, body, { "content-type": type });
      expect([refused.status, refused.body.error.code], type).toEqual([400, "TEXT_UNDECODABLE"]);
    }
    expect((await log(id)).at(-1)).toMatch(/^refused TEXT_UNDECODABLE: A field of the form is not valid utf-8/);
    const named = await make({ charset: "iso-8859-1" });
    for (const [type, body] of [
      ["text/plain", latin],
      ["application/x-www-form-urlencoded", "name=M%FCller"],
    ] as const)
      expect((await send(named.token, body, { "content-type": type })).status).toBe(202);
    expect((await triggers.deliveries(named.id)).map(({ payload }) => payload)).toMatchObject([
      { body: "Müller" },
      { body: { name: "Müller" } },
    ]);
    const wrong = {
      type: "webhook",
      name: "x",
      target: { kind: "workflow", workflowId },
      config: { charset: "klingon" },
    };
    expect((await triggers.oven.call("POST", "triggers", wrong)).status).toBe(400);
  });

  it("take the fields of a multipart form, and keep its files", async () => {
    const { id, token } = await make();
    const form = new FormData();
    form.append("subject", "Grüße");
    form.append("to", "a");
    form.append("to", "b");
    form.append("__proto__", "x");
    form.append("file", new File([new Uint8Array([0x89, 0x50, 0, 0xff])], "bild ü.png", { type: "image/png" }));
    form.append("list", new File([new Uint8Array([0x4d, 0xfc])], "a.csv", { type: "text/csv; charset=latin1" }));
    const request = new Request(`http://localhost:3000/api/hooks/${token}`, { method: "POST", body: form });
    expect((await triggers.oven.handle(request)).status).toBe(202);
    const [delivery] = await triggers.deliveries(id);
    const payload = delivery?.payload ?? {};
    const { body } = payload as { body: JsonObject }; // cast: a form is an object of its fields
    const blob = {
      $blob: expect.any(Number),
      bytes: 4,
      mediaType: "image/png",
      sha256: expect.any(String),
      summary: "bild ü.png",
    };
    expect(body).toMatchObject({
      subject: "Grüße",
      to: ["a", "b"],
      file: { filename: "bild ü.png", contentType: "image/png", sizeBytes: 4, blob },
      list: { filename: "a.csv", sizeBytes: 2, blob: { mediaType: "text/csv; charset=windows-1252" } },
    });
    expect(Object.hasOwn(body, "__proto__")).toBe(true);
    const stored = (field: string) =>
      triggers.oven.fetch(`blobs/${(body as Record<string, { blob: BlobReference }>)[field]?.blob.$blob}`);
    expect([...new Uint8Array(await (await stored("file")).arrayBuffer())]).toEqual([0x89, 0x50, 0, 0xff]);
    expect((await stored("list")).headers.get("content-type")).toBe("text/csv; charset=windows-1252");
  });

  it("check the signature of a form over its bytes, and take the same form once", async () => {
    const { id, token } = await make({ signature: { style: "github", secret: "hook" } });
    const part = 'Content-Disposition: form-data; name="f"; filename="a.bin"\r\n\r\nabc';
    const body = `--b\r\n${part}\r\n--b--\r\n`;
    const headers = { "content-type": "multipart/form-data; boundary=b", "x-github-delivery": "1" };
    expect((await send(token, body, { ...headers, "x-hub-signature-256": `sha256=${sign("other")}` })).status).toBe(
      401,
    );
    const signed = { ...headers, "x-hub-signature-256": `sha256=${sign(body)}` };
    const [first, again] = [await send(token, body, signed), await send(token, body, signed)];
    expect([first.status, again.status, again.body.deliveryId]).toEqual([202, 200, first.body.deliveryId]);
    expect(await log(id)).toHaveLength(2);
  });

  it("refuse forms that cannot be read, and more files than they take", async () => {
    const { id, token } = await make({ maxFiles: 1 });
    const file = (name: string) =>
      `--b\r\nContent-Disposition: form-data; name="${name}"; filename="${name}"\r\n\r\nx\r\n`;
    for (const [type, body, reason] of [
      ["multipart/form-data", "--b--\r\n", /boundary/],
      ["multipart/form-data; boundary=b", `${file("a")}`, /cannot be read/],
      ["multipart/form-data; boundary=b", `${file("a")}${file("b")}--b--\r\n`, /2 files, and 1/],
      ["multipart/form-data; boundary=b", "--b\r\nContent-Type: text/plain\r\n\r\nx\r\n--b--\r\n", /no name/],
    ] as const) {
      const refused = await send(token, body, { "content-type": type });
      expect([refused.status, refused.body.error.code, refused.body.error.message]).toEqual([
        400,
        "UPLOAD_INVALID",
        expect.stringMatching(reason),
      ]);
    }
    // A file input that nobody filled in.
    const empty =
      '--b\r\nContent-Disposition: form-data; name="f"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n--b--\r\n';
    expect((await send(token, empty, { "content-type": "multipart/form-data; boundary=b" })).status).toBe(202);
    expect((await triggers.deliveries(id)).at(-1)?.payload).toMatchObject({ body: {} });
  });

  it("ask their filter and compute their input as every trigger does", async () => {
    const { id, token } = await make(
      {},
      {
        filter: { type: "condition", params: { key: "$.body.action", operator: "==", value: "opened" } },
        input: { title: "$.trigger.body.title" },
      },
    );
    expect((await send(token, '{"action":"closed"}')).body).toMatchObject({ decision: "filtered", executionId: null });
    const { body } = await send(token, '{"action":"opened","title":"Hello"}');
    expect((await runOf(body.executionId)).input).toEqual({ title: "Hello" });
    expect(await log(id)).toEqual(["filtered The filter said no", "started"]);
  });

  it("refuse a wrong signature, and keep nothing of what came with it", async () => {
    const { id, token } = await make({ signature: { style: "github", secret: "hook" } });
    const body = '{"x":1}';
    const wrong = await send(token, '{"hidden":"p4yload"}', { "x-hub-signature-256": `sha256=${sign(body)}` });
    expect([wrong.status, wrong.body.error.code]).toEqual([401, "SIGNATURE_INVALID"]);
    expect(await log(id)).toEqual(["refused SIGNATURE_INVALID: The signature does not fit the body"]);
    expect(JSON.stringify(await triggers.deliveries(id))).not.toContain("p4yload");
    const right = await send(token, body, { "x-hub-signature-256": `sha256=${sign(body)}` });
    expect(right.status).toBe(202);
    expect((await triggers.deliveries(id))[1]?.payload).toMatchObject({
      headers: { "content-type": "application/json" },
    });
  });

  it("refuse what was signed too long ago", async () => {
    const { id, token } = await make({
      signature: { style: "hmac", secret: "hook", header: "X-Sum", timestampHeader: "X-Time" },
      windowSeconds: 60,
    });
    const at = (secondsAgo: number) => {
      const time = String(clock.now.getTime() / 1_000 - secondsAgo);
      return send(token, "{}", { "x-time": time, "x-sum": sign(`${time}.{}`) });
    };
    expect((await at(60)).status).toBe(202);
    const late = await at(61);
    expect([late.status, late.body.error.code]).toEqual([401, "TIMESTAMP_REFUSED"]);
    expect((await log(id)).map((line) => line.split(":")[0])).toEqual(["started", "refused TIMESTAMP_REFUSED"]);
  });

  it("say the word that Slack asks for when an address is entered, to Slack only", async () => {
    const { id, token } = await make({ signature: { style: "slack", secret: "hook" } });
    const time = String(clock.now.getTime() / 1_000);
    const body = JSON.stringify({ type: "url_verification", challenge: "word" });
    const signed = { "x-slack-request-timestamp": time, "x-slack-signature": `v0=${sign(`v0:${time}:${body}`)}` };
    expect((await send(token, body, signed)).body).toEqual({ challenge: "word" });
    expect(await log(id)).toEqual([]);
    expect((await send(token, body, { "x-slack-request-timestamp": time })).status).toBe(401);
  });

  it("use secrets that are sent nowhere, and do not tell a stranger which ones there are", async () => {
    await triggers.oven.call("POST", "secrets", { name: "shipped", value: KEY, hosts: ["api.example.com"] });
    for (const secret of ["shipped", "missing"]) {
      const { id, token } = await make({ signature: { style: "github", secret } });
      const refused = await send(token, "{}", { "x-hub-signature-256": `sha256=${sign("{}")}` });
      expect([refused.status, refused.body.error.code]).toEqual([422, "DELIVERY_REFUSED"]);
      expect(refused.text).not.toContain(secret);
      expect((await log(id))[0]).toContain(secret);
    }
  });

  it("start one run for one id: again with the same body is answered the same, with another one refused", async () => {
    const { id, token } = await make({ deliveryId: "X-Delivery" });
    const first = await send(token, '{"n":1}', { "x-delivery": "a" });
    const again = await send(token, '{"n":1}', { "x-delivery": "a" });
    expect([first.status, again.status]).toEqual([202, 200]);
    expect(again.body).toEqual(first.body);
    const other = await send(token, '{"n":2}', { "x-delivery": "a" });
    expect([other.status, other.body.error.code]).toEqual([409, "DELIVERY_ID_REUSED"]);
    // Without an id each is one of its own.
    expect((await send(token, '{"n":1}')).body.executionId).not.toBe(first.body.executionId);
    expect((await log(id)).map((line) => line.split(" ")[0])).toEqual(["started", "refused", "started"]);
    const byPath = await make({ deliveryId: "$.body.id" });
    const ids = await Promise.all(["x", "x", "y"].map((value) => send(byPath.token, JSON.stringify({ id: value }))));
    expect(new Set(ids.map(({ body }) => body.executionId)).size).toBe(2);
    expect(await triggers.deliveries(byPath.id)).toHaveLength(2);
  });

  it.each([
    ["10 MB", { maxBytes: 5 * 1_048_576 }, "x".repeat(10 * 1_048_576), 413, "BODY_TOO_LARGE"],
    ["more than a trigger takes", { maxBytes: 10 }, "12345678901", 413, "BODY_TOO_LARGE"],
    ["broken JSON", {}, "{", 400, "INVALID_JSON"],
    ["JSON that is nested too deeply", {}, "[".repeat(2_000) + "]".repeat(2_000), 400, "INVALID_JSON"],
    ["another method", { methods: ["PUT"] }, "{}", 405, "METHOD_NOT_ALLOWED"],
    ["an address that is not allowed", { allowedAddresses: ["192.0.2.0/24"] }, "{}", 403, "ADDRESS_REFUSED"],
  ])("refuse %s with a clear answer, and one row", async (_what, config, body, status, code) => {
    const { id, token } = await make(config);
    const refused = await send(token, body, { "x-forwarded-for": "198.51.100.7" });
    expect([refused.status, refused.body.error.code]).toEqual([status, code]);
    expect((await log(id)).map((line) => line.split(":")[0])).toEqual([`refused ${code}`]);
  });

  it("take what comes from an allowed address", async () => {
    const { token } = await make({ allowedAddresses: ["192.0.2.0/24", "2001:db8::/32"] });
    expect((await send(token, "{}", { "x-forwarded-for": "::ffff:192.0.2.9" })).status).toBe(202);
    expect((await send(token, "{}", { "x-forwarded-for": "2001:db8::9" })).status).toBe(202);
    expect((await send(token, "{}", { "x-forwarded-for": "2001:db9::9" })).status).toBe(403);
  });

  it("switched off, or of a workflow that is, answer 409 and leave a row; unknown ones are 404", async () => {
    const { id, token } = await make({}, { enabled: false });
    const off = await send(token, "{}");
    expect([off.status, off.body.error.code]).toEqual([409, "TRIGGER_DISABLED"]);
    expect((await log(id))[0]).toMatch(/^skipped TRIGGER_DISABLED/);
    const disabled = await triggers.workflow("Disabled hook");
    const of = await make({}, { target: { kind: "workflow", workflowId: disabled } });
    await triggers.oven.call("PUT", `workflows/${disabled}`, { enabled: false });
    expect((await send(of.token, "{}")).status).toBe(409);
    expect((await log(of.id))[0]).toMatch(/^skipped WORKFLOW_DISABLED/);
    expect((await send("unknown", "{}")).status).toBe(404);
    expect((await send(`${token}x`, "{}")).status).toBe(404);
  });

  it("get a new address when asked, and show it to those who may change triggers only", async () => {
    const { id, token } = await make();
    const renewed = (await triggers.oven.call("POST", `triggers/${id}/token`)).body;
    expect(renewed.token).not.toBe(token);
    expect((await send(token, "{}")).status).toBe(404);
    expect((await send(renewed.token, "{}")).status).toBe(202);
    const { key } = (await triggers.oven.call("POST", "api-keys", { name: "reader", permissions: ["triggers.read"] }))
      .body;
    expect((await triggers.oven.call("GET", `triggers/${id}`, undefined, { key })).body.token).toBeNull();
    const manual = await triggers.make({ type: "manual", name: "m", target: { kind: "workflow", workflowId } });
    expect(manual.token).toBeNull();
    expect((await triggers.oven.call("POST", `triggers/${manual.id}/token`)).status).toBe(400);
  });

  it("answer with the run's output, or with what the author makes of it", async () => {
    const waiting = await make({ response: { mode: "wait", seconds: 20 } }, { input: { n: "$.body.n" } });
    const waited = await send(waiting.token, '{"n":3}');
    expect(waited.status).toBe(200);
    expect(waited.body).toMatchObject({ decision: "started", status: "completed", output: { n: 3 } });
    const custom = await make(
      {
        response: {
          mode: "custom",
          status: "$.output.code",
          headers: { "X-Said": "{{ $.output.text }}", "content-type": "text/html" },
          body: "<h1>{{ $.output.text }}</h1>",
        },
      },
      { input: { code: 201, text: "$.body.text" } },
    );
    const made = await send(custom.token, '{"text":"Hi\\r\\nSet-Cookie: a=b"}');
    expect([made.status, made.text]).toEqual([201, "<h1>Hi\r\nSet-Cookie: a=b</h1>"]);
    expect(made.headers.get("x-said")).toBe("Hi  Set-Cookie: a=b");
    expect(made.headers.get("set-cookie")).toBeNull();
    expect(made.headers.get("content-security-policy")).toBe("default-src 'none'; sandbox");
    const slow = await triggers.workflow("Slow hook", true);
    const late = await make(
      { response: { mode: "wait", seconds: 1 }, deliveryId: "X-Id" },
      { target: { kind: "workflow", workflowId: slow } },
    );
    expect((await send(late.token, "{}", { "x-id": "1" })).body).toMatchObject({
      decision: "started",
      status: "paused",
    });
  });

  it.each([
    ["a header that says something about this server", { mode: "custom", headers: { "Set-Cookie": "a=b" } }],
    ["an expression that cannot be read", { mode: "custom", body: "{{ $.x" }],
  ])("refuse %s in an answer when they are saved", async (_what, response) => {
    const refused = await triggers.oven.call("POST", "triggers", {
      type: "webhook",
      name: "bad",
      target: { kind: "workflow", workflowId },
      config: { response },
    });
    expect([refused.status, refused.body.error.code]).toEqual([400, "INVALID_TRIGGER"]);
  });

  it("take one after the other where runs must not overlap", async () => {
    const slow = await triggers.workflow("Ordered hook", true);
    const { id, token } = await make({}, { target: { kind: "workflow", workflowId: slow }, overlap: "skip" });
    const sent = await Promise.all(Array.from({ length: 5 }, () => send(token, "{}")));
    expect(sent.map(({ status }) => status)).toEqual([202, 202, 202, 202, 202]);
    clock.now = new Date(clock.now.getTime() + 60_000);
    await triggers.tick();
    expect((await log(id)).map((line) => line.split(" ")[0]).sort()).toEqual([...Array(4).fill("skipped"), "started"]);
  });
});
