import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRuntime } from "@oven/module-registry";
import { type ModelServer, startModelServer, startTestOven, TEST_KEY, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { installedModules } from "./modules.ts";
import { startTelemetry } from "./telemetry.ts";

const value = (name: string) => `canary-${name}-${"0123456789abcdef".repeat(2)}`;

/** A value for every field that takes a credential. */
const canaries: Record<string, string> = {
  secret: value("secret"),
  "changed secret": value("changed"),
  "secret with signs": `${value("signs")}+/"&=%`,
  "root secret": value("root"),
  "earlier root secret": value("earlier"),
  "model key": value("model"),
  "bootstrap key": TEST_KEY,
  password: value("password"),
};

/** As it may stand in a text, a URL, JSON, bytes, or base64 at any of its three offsets. */
function formsOf(text: string): string[] {
  const inBase64 = [0, 1, 2].map((offset) =>
    Buffer.from(" ".repeat(offset) + text)
      .toString("base64")
      .slice(offset === 0 ? 0 : 4, -4),
  );
  const inJson = JSON.stringify(text).slice(1, -1);
  return [...new Set([text, inJson, encodeURIComponent(text), Buffer.from(text).toString("hex"), ...inBase64])];
}

function hitsIn(text: string): string[] {
  return Object.entries(canaries).flatMap(([name, canary]) =>
    formsOf(canary).flatMap((form) => {
      const at = text.indexOf(form);
      return at < 0 ? [] : [`${name} in …${text.slice(Math.max(0, at - 80), at)}`];
    }),
  );
}

describe("a secret in every credential field", () => {
  const logged: string[] = [];
  const traced: string[] = [];
  const replies: string[] = [];
  const sent: string[] = [];
  let status = 200;
  let models: ModelServer;
  let oven: TestOven;
  let origin = "";
  let telemetry: ReturnType<typeof startTelemetry>;

  /** Answers with the credentials it was called with: in a header, in JSON, in URLs and in base64. */
  const service = createServer((request, response) => {
    const told = `${request.headers.authorization} ${request.headers["x-key"]}`;
    sent.push(told);
    response
      .writeHead(status, {
        "content-type": request.url === "/bytes" ? "image/png" : "application/json",
        "x-told": told,
      })
      .end(JSON.stringify({ told, url: encodeURIComponent(told), [told]: Buffer.from(told).toString("base64") }));
  });
  const collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    traced.push(Buffer.concat(chunks).toString());
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const listen = async (server: typeof service) => {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // cast: it listens on TCP
  };

  async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}) {
    const answer = await oven.call(method, path, body, { headers });
    replies.push(`${method} ${path} ${JSON.stringify(answer.body)}`);
    expect(answer.status, `${method} ${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  }

  async function mcp(slug: string, name: string): Promise<void> {
    const headers = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: {} } };
    const response = await oven.fetch(`mcp/${slug}`, { method: "POST", headers, body: JSON.stringify(message) });
    const text = await response.text();
    expect(text).toContain("[secret:");
    replies.push(`MCP ${text}`);
  }

  beforeAll(async () => {
    const write = (chunk: unknown) => {
      logged.push(String(chunk));
      return true;
    };
    vi.spyOn(process.stdout, "write").mockImplementation(write);
    vi.spyOn(process.stderr, "write").mockImplementation(write);
    for (const method of ["log", "info", "warn", "error"] as const)
      vi.spyOn(console, method).mockImplementation((...parts) => void logged.push(parts.map(String).join(" ")));
    origin = await listen(service);
    vi.stubEnv("OVEN_LOG_FORMAT", "json");
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", await listen(collector));
    telemetry = startTelemetry(process.env, "0.1.0");
    models = await startModelServer(() => ({ text: "Seen." }), { models: ["house"] });
    const environment = {
      secret: canaries["root secret"] ?? "",
      previousSecrets: [canaries["earlier root secret"] ?? ""],
      openaiApiKey: canaries["model key"],
      openaiBaseUrl: models.url,
      outboundAllow: [origin],
    };
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }), environment });

    const hosts = [new URL(origin).host];
    const shop = await call("POST", "secrets", { name: "shop", value: canaries.secret, hosts });
    await call("POST", "secrets", { name: "signs", value: canaries["secret with signs"], hosts });
    const key = await oven.call("POST", "api-keys", { name: "Canary", permissions: ["workflows.read"] });
    expect(key.status).toBe(201);
    canaries["API key"] = key.body.key;
    await oven.call("GET", "workflows", undefined, { key: key.body.key });
    const invited = await oven.call("POST", "invitations", { email: "canary@example.com", roles: ["viewer"] });
    const token = new URL(invited.body.link).searchParams.get("token") ?? "";
    canaries["invitation link"] = token;
    const joined = await oven.call(
      "POST",
      "invitations/accept",
      { token, name: "Canary", password: canaries.password },
      { key: null },
    );
    expect(joined.status).toBe(201);

    const authorization = { $secret: "shop", prefix: "Bearer " };
    const http = (path: string, onDone: string) => ({
      invoke: {
        src: "core.http",
        input: { url: origin + path, headers: { authorization, "x-key": { $secret: "signs" } } },
        retry: { initialMs: 1, maxAttempts: 2 },
        onDone,
        onError: onDone,
      },
    });
    const say = (onDone: string) => ({
      invoke: { src: "core.log", input: { message: "{{ $ | json }}", data: "$" }, onDone },
    });
    const ask = {
      invoke: { src: "agent.llm", input: { model: "openai:house", prompt: "{{ $ | json }}" }, onDone: "done" },
    };
    const definition = {
      initial: "json",
      mcpExport: true,
      states: {
        json: http("/json", "bytes"),
        bytes: http("/bytes", "say"),
        say: say("ask"),
        ask,
        done: { type: "final", output: { all: "$" } },
      },
    };
    const made = await call("POST", "agent-workflows", { name: "Canary", definition });
    const run = async () => {
      const { id } = await call("POST", "agent-workflows/canary/execute?wait=30", { input: {} });
      for (const path of ["", "/export", "/nodes", "/checkpoints"])
        await call("GET", `agent-workflow-executions/${id}${path}`);
      const stream = await (await oven.fetch(`agent-workflow-executions/${id}/events`)).text();
      replies.push(`SSE ${stream}`);
      return stream;
    };
    expect(await run()).toContain("[secret:shop]");
    await call("PUT", `secrets/${shop.id}`, { value: canaries["changed secret"] });
    await run();
    status = 500;
    await run();
    status = 200;
    await mcp(made.slug, "canary");
    for (const path of ["secrets", "api-keys", "audit-log", "ai-usage-logs", "ai-providers", "users"]) {
      const { body } = await oven.call("GET", path);
      replies.push(`${path} ${JSON.stringify(body)}`);
    }
    await (await oven.fetch("metrics")).text();
  });

  afterAll(async () => {
    collector.close();
    service.close();
    await models.close();
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  it("reached those whom it is for, so that there was something to leak", () => {
    for (const name of ["secret", "changed secret", "secret with signs"])
      expect(sent.some((told) => told.includes(canaries[name] ?? "?"))).toBe(true);
    expect(models.requests.map(({ headers }) => headers.authorization)).toContain(`Bearer ${canaries["model key"]}`);
  });

  it("is in no row of the database", async () => {
    const tables = await oven.db.query<{ schema: string; name: string }>(
      `select table_schema as schema, table_name as name from information_schema.tables
       where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')`,
    );
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(["secrets", "run_events", "agent_workflow_node_executions", "api_keys", "audit_log"]),
    );
    let rows = 0;
    for (const { schema, name } of tables) {
      for (const row of await oven.db.query<{ row: string }>(`select t::text as row from "${schema}"."${name}" t`)) {
        rows++;
        // In a row's text quotes are doubled.
        expect(hitsIn(row.row.replaceAll('""', '"')), name).toEqual([]);
      }
    }
    expect(rows).toBeGreaterThan(100);
  });

  it("is in no answer: of the API, of exports, of streams, of MCP", () => {
    expect(replies.length).toBeGreaterThan(20);
    expect(replies.some((reply) => reply.startsWith("MCP"))).toBe(true);
    for (const reply of replies) expect(hitsIn(reply)).toEqual([]);
  });

  it("is in no request to a model, beside the key that it is called with", () => {
    const bodies = models.requests.map(({ body }) => JSON.stringify(body));
    expect(bodies.some((body) => body.includes("[secret:shop]"))).toBe(true);
    for (const body of bodies) expect(hitsIn(body)).toEqual([]);
  });

  it("is in no line that was logged, and in no span that was sent", async () => {
    await oven.stop();
    await telemetry?.stop();
    expect(logged.some((line) => line.includes("[secret:shop]"))).toBe(true);
    expect(traced.join("")).toContain("node core.http");
    for (const text of [...logged, ...traced]) expect(hitsIn(text)).toEqual([]);
  });
});
