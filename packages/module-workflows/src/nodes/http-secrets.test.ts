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
  const paths: string[] = [];
  let status = 200;
  let type = "application/json";
  /** Answers with what it was told, as careless services do. */
  const server = createServer((request, response) => {
    seen.push(request.headers);
    paths.push(request.url ?? "");
    const { pathname, searchParams } = new URL(request.url ?? "", origin);
    if (pathname.endsWith("/moved"))
      response.writeHead(302, { location: (searchParams.get("to") ?? `${other}/end`).replace("PATH", pathname) }).end();
    else if (pathname.endsWith("/here")) response.writeHead(302, { location: "end" }).end();
    else if (pathname.endsWith("/nowhere")) response.writeHead(302, { location: `http://[${pathname}` }).end();
    else
      response
        .writeHead(status, { "content-type": type, "x-told": String(request.headers.authorization) })
        .end(`{"told": ${JSON.stringify(request.headers)}, "path": ${JSON.stringify(request.url)}}`);
  });
  const elsewhere = createServer((request, response) => {
    seen.push(request.headers);
    paths.push(request.url ?? "");
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
    paths.length = 0;
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

  describe("in its URL", () => {
    const urlSecrets = { token: { $secret: "shop" } };
    const ENCODED = "sk-live-0123456789%2B%2Fabc";

    it("sends it in the path and the query, and keeps neither the value nor the answer's copy of it", async () => {
      const url = `${origin}/bot{token}/send?a=1&b={token}`;
      const query = { key: { $secret: "shop" }, none: null, n: 2 };
      const { record, kept } = await run({ url, urlSecrets, query });
      expect(paths).toEqual([`/bot${ENCODED}/send?a=1&b=${ENCODED}&n=2&key=${ENCODED}`]);
      expect(record.status).toBe("completed");
      expect(record.nodes[0].input).toMatchObject({ url, urlSecrets, query });
      expect(record.output.body.path).toBe("/bot[secret:shop]/send?a=1&b=[secret:shop]&n=2&key=[secret:shop]");
      for (const form of [VALUE, ENCODED]) expect(kept).not.toContain(form);
    });

    it("names the place and not the value in what a failure says", async () => {
      status = 404;
      const { record, kept } = await run({ url: `${origin}/bot{token}/send?b={token}`, urlSecrets });
      expect(record.errorInfo).toMatchObject({
        code: "HTTP_STATUS",
        message: expect.stringContaining(`GET ${origin}/bot{token}/send answered 404`),
      });
      for (const form of [VALUE, ENCODED]) expect(kept).not.toContain(form);
      const gone = await run({ url: `${origin}/bot{token}/nowhere`, urlSecrets });
      expect(gone.record.errorInfo).toMatchObject({ code: "OUTBOUND_REFUSED" });
      for (const form of [VALUE, ENCODED]) expect(gone.kept).not.toContain(form);
    });

    it("stays with the origin: redirects within it go on, and to another one they carry nothing", async () => {
      const within = await run({ url: `${origin}/bot{token}/here`, urlSecrets });
      expect([within.record.status, paths]).toEqual(["completed", [`/bot${ENCODED}/here`, `/bot${ENCODED}/end`]]);
      paths.length = 0;
      const { record } = await run({ url: `${origin}/bot{token}/moved`, urlSecrets, query: { k: urlSecrets.token } });
      expect([record.status, paths.at(-1)]).toEqual(["completed", "/end"]);
      expect(JSON.stringify(seen.at(-1))).not.toMatch(/referer|sk-live/i);
      for (const to of [`${other}PATH`, `http://${VALUE.slice(0, 18)}${VALUE.slice(18)}.example/`]) {
        paths.length = 0;
        const echoed = await run({ url: `${origin}/bot{token}/moved`, urlSecrets, query: { to } });
        expect(echoed.record.errorInfo).toMatchObject({ code: "OUTBOUND_REFUSED" });
        expect(paths).toHaveLength(1);
        expect(echoed.kept).not.toContain(ENCODED);
      }
    });

    it("sends nothing at all to another host", async () => {
      const { record } = await run({ url: `${other}/bot{token}`, urlSecrets });
      expect(record.errorInfo).toMatchObject({ code: "SECRET_HOST_REFUSED" });
      const asked = await run({ url: other, query: { key: { $secret: "shop" } } });
      expect(asked.record.errorInfo).toMatchObject({ code: "SECRET_HOST_REFUSED" });
      expect(paths).toEqual([]);
    });

    it("is refused where it cannot stand: when the workflow is saved, else when it runs", async () => {
      const definition = (url: unknown) => ({
        initial: "one",
        states: {
          one: {
            invoke: { src: "core.http", input: { url, urlSecrets, query: { q: "$.trigger.q" } }, onDone: "done" },
          },
          done: { type: "final" },
        },
      });
      const check = async (url: unknown) =>
        (await oven.call("POST", "workflows/validate", { definition: definition(url) })).body.problems;
      const problem = { severity: "error", path: "$.states.one.invoke.input.urlSecrets.token" };
      expect(await check("https://{token}.example.com/")).toMatchObject([
        {
          ...problem,
          message: expect.stringContaining("may stand in the path"),
          fix: expect.stringContaining("Write"),
        },
      ]);
      expect(await check("https://api.example.com/")).toMatchObject([
        { ...problem, message: expect.stringContaining("has no {token}") },
      ]);
      expect(await check("https://api.example.com/{token}")).toEqual([]);
      expect(await check("$.trigger.url")).toEqual([]);
      const { record } = await run({ url: { $cel: "'https://{token}.example.com/'" }, urlSecrets });
      expect(record.errorInfo).toMatchObject({
        code: "INPUT_INVALID",
        message: expect.stringContaining("urlSecrets.token: {token} may stand in the path and in the query"),
      });
      expect(paths).toEqual([]);
    });

    it("leaves a name in braces without a secret as it is", async () => {
      await run({ url: `${origin}/{token}?a={token}` });
      expect(paths).toEqual(["/%7Btoken%7D?a={token}"]);
    });
  });

  it("fills it in nowhere but in URL, query and headers", async () => {
    const { record, kept } = await run({ method: "POST", url: origin, body: { key: SECRET } });
    expect(record.nodes[0].input.body).toEqual({ key: SECRET });
    expect(kept + JSON.stringify(seen)).not.toContain(VALUE);
  });
});
