import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createRuntime } from "@oven/module-registry";
import { type ModelServer, startModelServer, startTestOven, TEST_KEY, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { installedModules } from "./modules.ts";
import { startTelemetry } from "./telemetry.ts";
import { type LeakyServer, startLeakyImap, startLeakyService, startLeakySmtp } from "./testing/leaky-servers.ts";

const value = (name: string) => `canary-${name}-${"0123456789abcdef".repeat(2)}`;

/** A value for every field that takes a credential. */
const canaries: Record<string, string> = {
  secret: value("secret"),
  "changed secret": value("changed"),
  "secret with signs": `${value("signs")}+/"&=%`,
  "secret in a path": `${value("path")}:/?#`,
  "secret in a query": `${value("query")}&=+ `.trim(),
  "root secret": value("root"),
  "earlier root secret": value("earlier"),
  "model key": value("model"),
  "Anthropic key": value("anthropic"),
  "Google key": value("google"),
  "key of a tenant's provider": value("provider"),
  "header of a tenant's provider": value("provider-header"),
  "password of the mail server": value("smtp"),
  "password of a mailbox": value("mailbox"),
  "OIDC client secret": value("oidc"),
  "key of a webhook's signature": value("hook-key"),
  "key of event posts": value("event-key"),
  "header of event posts": value("event-header"),
  "key of notification posts": value("notification-key"),
  "path of a Slack webhook": value("slack"),
  "bootstrap key": TEST_KEY,
  password: value("password"),
};

function canary(name: string): string {
  const text = canaries[name];
  if (text === undefined) throw new Error(`no canary ${name}`);
  return text;
}

/** As it may stand in a text, a URL, JSON, bytes, or base64 at any of its three offsets. */
function formsOf(text: string): string[] {
  const inBase64 = [0, 1, 2].map((offset) =>
    Buffer.from(" ".repeat(offset) + text)
      .toString("base64")
      .slice(offset === 0 ? 0 : 4, -4),
  );
  const inJson = JSON.stringify(text).slice(1, -1);
  const inUrl = encodeURIComponent(text);
  return [
    ...new Set([text, inJson, inUrl, inUrl.replaceAll("%3A", ":"), Buffer.from(text).toString("hex"), ...inBase64]),
  ];
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
  let service: Awaited<ReturnType<typeof startLeakyService>>;
  let imap: LeakyServer;
  let smtp: LeakyServer;
  let models: ModelServer;
  let oven: TestOven;
  let origin = "";
  let telemetry: Awaited<ReturnType<typeof startTelemetry>>;

  const collector = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    traced.push(Buffer.concat(chunks).toString());
    response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  const listen = async (server: typeof collector) => {
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

  /** A secret of the tenant's, with a canary as its value. */
  async function keep(name: string, of: string, hosts: string[] = []): Promise<{ $secret: string }> {
    await call("POST", "secrets", { name, value: canary(of), hosts });
    return { $secret: name };
  }

  /** Models of providers that a tenant named itself: one that works, and one that tells what it was called with. */
  async function useProviders(): Promise<void> {
    const hosts = [new URL(origin).host, new URL(models.url).host];
    await keep("provider", "key of a tenant's provider", hosts);
    const header = await keep("provider-header", "header of a tenant's provider", hosts);
    const settings = { secret: "provider", headers: { "x-key": header } };
    await call("POST", "ai-providers", { id: "own", kind: "openai-compatible", baseUrl: models.url, ...settings });
    await call("POST", "ai-providers/own/test", {});
    for (const kind of ["anthropic", "google", "openai-compatible"]) {
      await call("POST", "ai-providers", { id: `leaky-${kind}`, kind, baseUrl: origin, ...settings });
      await call("POST", `ai-providers/leaky-${kind}/test`, {});
    }
    service.status = 401;
    const ask = (model: string, next: string) => ({
      invoke: {
        src: "agent.llm",
        input: { model, prompt: "Hello" },
        retry: { maxAttempts: 1 },
        onDone: next,
        onError: next,
      },
    });
    const definition = {
      initial: "own",
      states: {
        own: ask("own:house", "anthropic"),
        anthropic: ask("leaky-anthropic:any", "google"),
        google: ask("leaky-google:any", "compatible"),
        compatible: ask("leaky-openai-compatible:any", "done"),
        done: { type: "final", output: { all: "$" } },
      },
    };
    await call("POST", "agent-workflows", { name: "Providers", definition });
    await runAndExport("providers");
    service.status = 200;
  }

  /** What starts runs: addresses, keys of signatures, passwords of mailboxes. */
  async function useTriggers(): Promise<void> {
    const definition = { initial: "done", states: { done: { type: "final", output: { all: "$" } } } };
    const { id: workflowId } = await call("POST", "workflows", { name: "Triggered", definition });
    const target = { kind: "workflow", workflowId };
    const { $secret: secret } = await keep("hook", "key of a webhook's signature");
    const address = async (name: string, body: object) => {
      const made = await oven.call("POST", "triggers", { name, target, ...body });
      expect(made.status, JSON.stringify(made.body)).toBe(201);
      canaries[`address of ${name}`] = made.body.token;
      return made.body;
    };
    const post = async (token: string, headers: Record<string, string> = {}) => {
      const init = { method: "POST", body: '{"n":1}', headers: { "content-type": "application/json", ...headers } };
      const answer = await oven.handle(new Request(`http://localhost:3000/api/hooks/${token}`, init));
      replies.push(`hook ${await answer.text()}`);
      return answer.status;
    };
    const plain = await address("a webhook", { type: "webhook" });
    expect(await post(plain.token)).toBe(202);
    const signed = await address("a signed webhook", {
      type: "webhook",
      config: { signature: { style: "hmac", secret, header: "x-signature" } },
    });
    const signature = createHmac("sha256", canary("key of a webhook's signature")).update('{"n":1}').digest("hex");
    expect(await post(signed.token, { "x-signature": signature })).toBe(202);
    expect(await post(signed.token, { "x-signature": "0".repeat(64) })).toBe(401);
    await address("a form", { type: "form" });
    const { $secret: password } = await keep("mailbox", "password of a mailbox", [`127.0.0.1:${imap.port}`]);
    const mailbox = await call("POST", "triggers", {
      type: "email",
      name: "Mailbox",
      target,
      config: { host: "127.0.0.1", port: imap.port, encryption: "none", user: "support", password },
    });
    await until("the mailbox", async () =>
      String((await oven.call("GET", `triggers/${mailbox.id}`)).body.lastError).includes("refuses"),
    );
    // As a node, a tool's way too: the answer is kept.
    const reads = {
      initial: "read",
      states: {
        read: { invoke: { src: "triggers.triggers.get", input: { id: plain.id }, onDone: "list" } },
        list: { invoke: { src: "triggers.triggers.list", onDone: "done" } },
        done: { type: "final", output: { all: "$" } },
      },
    };
    await call("POST", "agent-workflows", { name: "Reads triggers", definition: reads });
    expect(await runAndExport("reads-triggers")).toContain("a signed webhook");
  }

  /** What goes out: posts of events, notifications by every way. */
  async function useMessages(): Promise<void> {
    const host = new URL(origin).host;
    service.status = 500;
    const header = await keep("event-header", "header of event posts", [host]);
    const { $secret: secret } = await keep("event-key", "key of event posts");
    const posts = await call("POST", "event-subscriptions", {
      name: "Posts",
      url: `${origin}/events`,
      events: ["workflows.*", "agents-workflow.*"],
      secret,
      headers: { "x-key": header },
    });
    const key = await keep("notification-key", "key of notification posts", [host]);
    canaries["address of a Slack webhook"] = `${origin}/${canary("path of a Slack webhook")}`;
    await keep("slack", "address of a Slack webhook", [host]);
    const channels = [
      { type: "in-app" },
      { type: "email" },
      { type: "webhook", url: `${origin}/notifications`, secret: key },
      { type: "slack", url: { $secret: "slack" }, host },
    ];
    for (const channel of channels)
      await call("POST", "notification-rules", {
        name: channel.type,
        events: ["run.failed"],
        channel,
        recipients: channel.type === "in-app" || channel.type === "email" ? [{ kind: "role", role: "viewer" }] : [],
      });
    const definition = {
      initial: "fails",
      states: { fails: { invoke: { src: "core.fail", input: { message: "no" } } } },
    };
    await call("POST", "agent-workflows", { name: "Fails", definition });
    await oven.call("POST", "agent-workflows/fails/execute?wait=30", { input: {} });
    const reached = (text: string) => () => [...service.told, ...smtp.told].some((told) => told.includes(text));
    await until("header of event posts", reached(canary("header of event posts")));
    await until("password of the mail server", reached(canary("password of the mail server")));
    await until("posts", reached("/notifications"));
    await until("path of a Slack webhook", reached(canary("path of a Slack webhook")));
    const failed = "select count(*)::int as n from notification_deliveries where reason is not null";
    await until("failures", async () => (await oven.db.query<{ n: number }>(failed))[0]?.n === 3);
    for (const path of [
      "event-subscriptions",
      `event-subscriptions/${posts.id}/deliveries`,
      "notification-rules",
      "notification-deliveries",
    ])
      await call("GET", path);
    service.status = 200;
  }

  /** To the provider and back with a code that it refuses. */
  async function signInAtProvider(): Promise<void> {
    const init = { method: "POST", headers: { "content-type": "application/json", origin: "http://localhost:3000" } };
    const body = JSON.stringify({ provider: "oidc", callbackURL: "/" });
    const begun = await oven.handle(new Request("http://localhost:3000/api/auth/sign-in/social", { ...init, body }));
    const { url } = (await begun.json()) as { url: string }; // cast: what better-auth answers
    const state = new URL(url).searchParams.get("state") ?? "";
    const cookie = begun.headers
      .getSetCookie()
      .map((entry) => entry.split(";")[0])
      .join("; ");
    const back = `http://localhost:3000/api/auth/callback/oidc?code=c&state=${encodeURIComponent(state)}`;
    const answer = await oven.handle(new Request(back, { headers: { cookie } }));
    replies.push(`OIDC ${url} ${answer.headers.get("location")} ${await answer.text()}`);
  }

  const until = (what: string, holds: () => boolean | Promise<boolean>) =>
    vi.waitFor(async () => expect(await holds(), what).toBe(true), { timeout: 120_000, interval: 50 });

  /** A run, in every shape that it is shown in. */
  async function runAndExport(slug: string): Promise<string> {
    const { id } = await call("POST", `agent-workflows/${slug}/execute?wait=30`, { input: {} });
    const shown: string[] = [];
    for (const path of ["", "/export", "/nodes", "/checkpoints"])
      shown.push(JSON.stringify(await call("GET", `agent-workflow-executions/${id}${path}`)));
    const stream = await (await oven.fetch(`agent-workflow-executions/${id}/events`)).text();
    replies.push(`SSE ${stream}`);
    return [...shown, stream].join("\n");
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
    [service, imap, smtp] = [await startLeakyService(), await startLeakyImap(), await startLeakySmtp()];
    origin = service.origin;
    vi.stubEnv("OVEN_LOG_FORMAT", "json");
    vi.stubEnv("OTEL_EXPORTER_OTLP_ENDPOINT", await listen(collector));
    telemetry = await startTelemetry(process.env, "0.1.0");
    models = await startModelServer(() => ({ text: "Seen." }), { models: ["house"] });
    const environment = {
      secret: canaries["root secret"] ?? "",
      previousSecrets: [canaries["earlier root secret"] ?? ""],
      variables: {
        OPENAI_API_KEY: canaries["model key"],
        OPENAI_BASE_URL: models.url,
        ANTHROPIC_API_KEY: canary("Anthropic key"),
        GOOGLE_GENERATIVE_AI_API_KEY: canary("Google key"),
      },
      outboundAllow: [origin, models.url, `http://127.0.0.1:${imap.port}`].map((url) => new URL(url).origin),
    };
    const modules = installedModules({
      demo: true,
      oidc: { issuer: origin, clientId: "oven", clientSecret: canary("OIDC client secret") },
      mail: {
        url: `smtp://oven:${encodeURIComponent(canary("password of the mail server"))}@127.0.0.1:${smtp.port}`,
        from: "OVEN <oven@example.com>",
      },
    });
    oven = await startTestOven({ createRuntime, modules, environment });

    const hosts = [new URL(origin).host];
    const shop = await call("POST", "secrets", { name: "shop", value: canaries.secret, hosts });
    await keep("in-path", "secret in a path", hosts);
    await keep("in-query", "secret in a query", hosts);
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
        input: {
          url: `${origin}${path}/{key}`,
          urlSecrets: { key: { $secret: "in-path" } },
          query: { key: { $secret: "in-query" } },
          headers: { authorization, "x-key": { $secret: "signs" } },
        },
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
    const run = () => runAndExport("canary");
    expect(await run()).toContain("[secret:shop]");
    await call("PUT", `secrets/${shop.id}`, { value: canaries["changed secret"] });
    await run();
    service.status = 500;
    await run();
    service.status = 200;
    await mcp(made.slug, "canary");
    await useProviders();
    await useTriggers();
    await useMessages();
    await signInAtProvider();
    for (const path of [
      "triggers",
      "trigger-deliveries",
      "notifications",
      "events",
      "secrets",
      "api-keys",
      "audit-log",
      "ai-usage-logs",
      "ai-providers",
      "users",
    ]) {
      const { body } = await oven.call("GET", path);
      // Whoever may change triggers sees their addresses.
      const kept = path === "triggers" ? body.map(({ token, ...rest }: { token: unknown }) => rest) : body;
      replies.push(`${path} ${JSON.stringify(kept)}`);
    }
    await (await oven.fetch("metrics")).text();
  });

  afterAll(async () => {
    collector.close();
    await Promise.all([service, imap, smtp].map((server) => server.close()));
    await models.close();
    vi.restoreAllMocks();
    vi.unstubAllEnvs();
  });

  it("reached those whom it is for, so that there was something to leak", () => {
    const told = [...service.told, ...imap.told, ...smtp.told].join("\n");
    for (const name of [
      "secret",
      "changed secret",
      "secret with signs",
      "secret in a path",
      "secret in a query",
      "key of a tenant's provider",
      "header of a tenant's provider",
      "header of event posts",
      "password of the mail server",
      "password of a mailbox",
      "OIDC client secret",
    ])
      expect(told.includes(canary(name)), name).toBe(true);
    for (const signed of ["events", "notifications"]) expect(told).toMatch(new RegExp(`/${signed} .*v1,`));
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
