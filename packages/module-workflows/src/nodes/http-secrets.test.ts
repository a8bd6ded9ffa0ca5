import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

const VALUE = "sk-live-0123456789+/abc";
const SECRET = { $secret: "shop", prefix: "Bearer " };

describe("core.http with a secret", () => {
  const seen: IncomingHttpHeaders[] = [];
  let status = 200;
  let type = "application/json";
  /** Answers with what it was told, as careless services do. */
  const server = createServer((request, response) => {
    seen.push(request.headers);
    if (request.url === "/moved") response.writeHead(302, { location: `${other}/end` }).end();
    else
      response
        .writeHead(status, { "content-type": type, "x-told": String(request.headers.authorization) })
        .end(`{"told": ${JSON.stringify(request.headers)}}`);
  });
  const elsewhere = createServer((request, response) => {
    seen.push(request.headers);
    response.end("{}");
  });
  let [origin, other] = ["", ""];
  let oven: TestOven;
  let count = 0;

  beforeAll(async () => {
    const originOf = async (listening: typeof server) => {
      listening.listen(0, "127.0.0.1");
      await once(listening, "listening");
      return `http://127.0.0.1:${(listening.address() as AddressInfo).port}`; // cast: it listens on TCP
    };
    [origin, other] = [await originOf(server), await originOf(elsewhere)];
    oven = await startTestOven({
      createRuntime,
      modules: [createSystemModule(), createRolesModule(), createWorkflowsModule()],
      environment: { outboundAllow: [origin, other] },
    });
    const made = await oven.call("POST", "secrets", { name: "shop", value: VALUE, hosts: [new URL(origin).host] });
    expect(made.status).toBe(201);
  });
  beforeEach(() => {
    seen.length = 0;
    [status, type] = [200, "application/json"];
  });
  afterAll(async () => {
    await oven.stop();
    for (const one of [server, elsewhere]) {
      one.closeAllConnections();
      one.close();
    }
  });

  /** The run, and all that is kept of it as text. */
  async function run(input: object) {
    count++;
    const states = {
      one: { invoke: { src: "core.http", input, retry: { initialMs: 1, maxAttempts: 2 }, onDone: "done" } },
      done: { type: "final", output: "$.one_output" },
    };
    const { body } = await oven.call("POST", "workflows", {
      name: `Call ${count}`,
      definition: { initial: "one", states },
    });
    const started = await oven.call("POST", `workflows/${body.id}/execute?wait=30`, { input: {} });
    const { body: record } = await oven.call("GET", `workflow-executions/${started.body.id}`);
    const stream = await (await oven.fetch(`workflow-executions/${started.body.id}/events`)).text();
    return { record, kept: JSON.stringify(record) + stream };
  }

  it("sends it, and keeps neither the value nor the answer's copy of it", async () => {
    const { record, kept } = await run({ url: origin, headers: { Authorization: SECRET, "x-plain": "yes" } });
    expect(seen).toMatchObject([{ authorization: `Bearer ${VALUE}`, "x-plain": "yes" }]);
    expect(record.nodes[0].input.headers).toEqual({ Authorization: SECRET, "x-plain": "yes" });
    expect(record.output.body.told.authorization).toBe("Bearer [secret:shop]");
    expect(record.output.headers["x-told"]).toBe("Bearer [secret:shop]");
    expect(kept).not.toContain(VALUE);
  });

  it("takes it out of errors, and out of what is kept as base64", async () => {
    status = 500;
    const failed = await run({ url: origin, headers: { authorization: SECRET } });
    expect(failed.record).toMatchObject({ status: "failed", errorInfo: { code: "HTTP_STATUS" } });
    expect(JSON.stringify(failed.record.errorInfo)).toContain("[secret:shop]");
    expect(failed.kept).not.toContain(VALUE);
    [status, type] = [200, "application/octet-stream"];
    const { record } = await run({ url: origin, headers: { authorization: SECRET } });
    const decoded = Buffer.from(record.output.body, "base64").toString();
    expect(decoded).toContain("Bearer [secret:shop]");
    expect(decoded).not.toContain(VALUE);
  });

  it("sends nothing at all to another host, or for a name that nobody knows", async () => {
    const refused = await run({ url: other, headers: { authorization: SECRET } });
    expect(refused.record.errorInfo).toMatchObject({ code: "SECRET_HOST_REFUSED" });
    const unknown = await run({ url: origin, headers: { authorization: { $secret: "shopp" } } });
    expect(unknown.record.errorInfo).toMatchObject({ code: "SECRET_UNKNOWN" });
    expect(seen).toEqual([]);
  });

  it("leaves it behind when the answer leads to another host", async () => {
    await run({ url: `${origin}/moved`, headers: { authorization: SECRET, "x-key": SECRET } });
    expect(seen).toHaveLength(2);
    expect(JSON.stringify(seen[1])).not.toContain(VALUE);
  });

  it("fills it in nowhere but in headers", async () => {
    const { record, kept } = await run({ method: "POST", url: origin, body: { key: SECRET } });
    expect(record.nodes[0].input.body).toEqual({ key: SECRET });
    expect(kept + JSON.stringify(seen)).not.toContain(VALUE);
  });
});
