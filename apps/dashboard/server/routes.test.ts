import { installedModules } from "@oven/installation";
import { createRuntime, type Route } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { errorCodeOf } from "./testing/error-code-of.ts";
import { Garbage } from "./testing/garbage.ts";
import { insertKey } from "./testing/strangers.ts";

const routes = installedModules({ demo: true }).flatMap((module) => module.routes);
const nameOf = ({ method, path }: Route) => `${method} ${path}`;
const named = routes.map((route) => [nameOf(route), route] as const);
const permissionOf = ({ access }: Route) => (typeof access === "object" ? access.permission : undefined);
/** Words that only a database, a stack or a driver says. */
const LEAKS =
  /syntax error|drizzle|failed query|pg_|constraint|relation "|column "|select .* from|\n\s+at |node_modules/i;

/** A path with `value` for its parameters. */
function pathFor(route: Route, value: string): string {
  return route.path
    .replace("auth/[...path]", "auth/get-session")
    .replace("[...path]", "api/mcp/oven")
    .replace("mcp/[slug]", `mcp/${value}`)
    .replace(/\[\w+\]/g, value);
}

const FULL = { "*": ["*"] };
/** What a route needs to get as far as looking for the row. */
const OTHER_BODIES: Record<string, object> = {
  "PUT agent-workflows/[id]/canary": { version: 1 },
  "PUT workflows/[id]/canary": { version: 1 },
  "POST tenants/[id]/erase": { confirm: "First tenant" },
  "POST agent-workflow-executions/[id]/events": { event: "orders.order.arrived" },
  "POST workflow-executions/[id]/events": { event: "orders.order.arrived" },
  "POST agent-workflow-executions/[id]/resume": { action: "approve" },
  "POST workflow-executions/[id]/resume": { action: "approve" },
  "POST agents/[slug]/invoke": { message: "Hello" },
  "POST chat-sessions/[id]/messages": { message: "Hello" },
  "PUT chat-sessions/[id]": { title: "Theirs" },
  "PUT chat-sessions/[id]/messages/[messageId]/thumb": { value: 1 },
  "POST chat-sessions/[id]/messages/[messageId]/retry": { executionId: 1 },
  "POST workflows/[id]/rehearse/[executionId]/seen": { draftRevision: 1, digest: "0".repeat(64) },
  "POST agent-workflows/[id]/rehearse/[executionId]/seen": { draftRevision: 1, digest: "0".repeat(64) },
  "POST reviews/[id]/decide": { action: "approve" },
  "POST vector-stores/[id]/documents": { title: "Order", text: "8841" },
  "POST vector-stores/[id]/documents/page": { url: "https://example.com/order" },
  "POST vector-stores/[id]/query": { query: "order" },
  "POST vector-stores/[id]/upsert": { items: [{ text: "order" }] },
  "POST reviews/[id]/delegate": { to: "user:1" },
  "POST reviews/[id]/consequences": { action: "approve" },
  "POST reviews/[id]/comments": { text: "What is it for?" },
  "POST agent-workflow-executions/[id]/scores": { name: "thumbs", value: 1 },
  "POST workflow-executions/[id]/scores": { name: "thumbs", value: 1 },
  "POST agent-workflows/[id]/scores": { name: "outcome", value: 0, correlation: { field: "orderId", value: 8841 } },
  "POST workflows/[id]/scores": { name: "outcome", value: 0, correlation: { field: "orderId", value: 8841 } },
  "PUT agent-workflows/[id]/draft": { definition: {}, baseVersion: 1, revision: 0 },
  "PUT workflows/[id]/draft": { definition: {}, baseVersion: 1, revision: 0 },
  "PUT agent-workflows/[id]/notify": { onComplete: true, onFailure: true },
  "PUT workflows/[id]/notify": { onComplete: true, onFailure: true },
  "PUT account/passkeys/[id]": { name: "Theirs" },
  "PUT roles/[id]/second-factor": { required: true },
  "PUT roles/[id]": { title: "Theirs", permissions: [] },
  "POST tables/[id]/plan": { name: "x", slug: "x", description: null, columns: [], unique: [], version: 1 },
  "PUT tables/[id]": { name: "x", slug: "x", description: null, columns: [], unique: [], version: 1 },
  "POST tables/[id]/rows": { rows: [{}] },
  "PATCH tables/[id]/rows": { changes: [{ id: 1, version: 1, values: {} }] },
  "POST tables/[id]/rows/delete": { rows: [{ id: 1, version: 1 }] },
  "PATCH tables/[id]/rows/[row]": { version: 1, values: {} },
  "POST tables/[id]/import": { data: "bgox" },
  "POST eval-datasets/[id]/cases": { name: "One", input: {} },
  "POST eval-datasets/[id]/cases/from-execution": { executionId: 1 },
  "POST eval-datasets/[id]/cases/import": { lines: "" },
  "POST a2a-connections/[id]/approve": { hash: "x" },
  "PUT embeds/[id]": { name: "Theirs", origins: ["https://example.com"], target: { kind: "agent", id: 1 } },
  "POST embed/[publicId]/messages/[id]/decisions": { question: 1, action: "approve", digest: "x".repeat(64) },
  "POST bots/[id]/test": { conversation: "19:c@thread.tacv2" },
  "POST mcp-connections/[id]/tools/approve": { tools: [{ id: 1, hash: "x" }] },
  "POST mcp-connections/[id]/tools/[toolId]/approve": { hash: "x" },
  "POST mcp-connections/[id]/tools/[toolId]/try": { arguments: {} },
  "PUT api-connections/[id]/account": { value: "a-key-of-theirs" },
  "POST api-connections/[id]/operations/approve": { operations: [{ id: 1, hash: "x" }] },
  "POST api-connections/[id]/operations/[operationId]/try": { arguments: {} },
  "POST agent-workflow-executions/[id]/fork": { checkpoint: 1 },
  "POST workflow-executions/[id]/fork": { checkpoint: 1 },
  "POST agent-workflow-executions/[id]/evaluate": { value: "$" },
  "POST workflow-executions/[id]/evaluate": { value: "$" },
};

const OTHER_QUERIES: Record<string, string> = {
  "GET agent-workflows/[id]/export": "?format=mermaid",
  "GET audit-log/export": "?format=json",
  "GET workflows/[id]/export": "?format=mermaid",
  "GET agent-workflows/[id]/versions/compare": "?from=1&to=1",
  "GET workflows/[id]/versions/compare": "?from=1&to=1",
};

describe("every route", () => {
  let oven: TestOven;
  let powerless: string;
  let stranger: string;
  /** Rows of tenant 1, by the first part of the path. */
  const rows: Record<string, number> = {};

  beforeAll(async () => {
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }) });
    powerless = (await insertKey(oven.db, { tenantId: 1, permissions: {} })).key;
    stranger = (await insertKey(oven.db, { tenantId: 2, permissions: FULL, role: "owner" })).key;
    const definition = { initial: "done", states: { done: { type: "final" } } };
    rows["agent-workflows"] = (await oven.call("GET", "agent-workflows/support-reply")).body.id;
    rows.workflows = (await oven.call("POST", "workflows", { name: "Mine", definition })).body.id;
    const paused = await oven.call("POST", "agent-workflows/support-reply/execute?wait=30", {
      input: { message: "Where is my order 8841?", orderId: 8841 },
    });
    rows["agent-workflow-executions"] = paused.body.id;
    rows.executions = paused.body.id;
    rows["workflow-executions"] = (await oven.call("POST", "workflows/mine/execute?wait=10", {})).body.id;
    const held = (await oven.call("POST", "workflows", { name: "Held", definition })).body.id;
    rows.holds = (await oven.call("POST", "holds", { workflow: { kind: "workflow", id: held } })).body.id;
    rows.reviews = (await oven.call("GET", `reviews?filter={"executionId":${paused.body.id}}`)).body[0].id;
    rows["mcp-servers"] = (await oven.call("GET", "mcp-servers")).body[0].id;
    rows.agents = (await oven.call("POST", "agents", { name: "Mine" })).body.id;
    rows["agent-sessions"] = (await oven.call("POST", "agent-sessions", { agent: rows.agents })).body.id;
    const chat = { target: { kind: "agent", id: rows.agents } };
    rows["chat-sessions"] = (await oven.call("POST", "chat-sessions", chat)).body.id;
    rows["agents/[slug]/runs"] = paused.body.id;
    const hosts = ["api.example.com"];
    rows.secrets = (await oven.call("POST", "secrets", { name: "shop", value: "sk-0123456789", hosts })).body.id;
    const policy = { name: "Bounded", severity: "warning", rule: { kind: "bounded-loops" } };
    rows["graph-policies"] = (await oven.call("POST", "graph-policies", policy)).body.id;
    const prices = { providerId: "mine", modelId: "*" };
    rows["ai-prices"] = (await oven.call("POST", "ai-prices", prices)).body.id;
    const budget = { name: "Mine", scope: "tenant", period: "day", limitTokens: 1_000_000 };
    rows["ai-budgets"] = (await oven.call("POST", "ai-budgets", budget)).body.id;
    const words = { kind: "keyword", words: ["xyzzy"] };
    const guardrail = { name: "Mine", direction: "both", action: "warn", rule: words };
    rows["ai-guardrails"] = (await oven.call("POST", "ai-guardrails", guardrail)).body.id;
    rows["ai-rate-limits"] = (await oven.call("POST", "ai-rate-limits", { providerId: "mine" })).body.id;
    rows["api-keys"] = (await oven.call("GET", "api-keys")).body[0].id;
    rows.users = (await oven.call("GET", "users")).body[0].id;
    const store = { name: "Mine", embeddingModel: "local:use-lite" };
    rows["vector-stores"] = (await oven.call("POST", "vector-stores", store)).body.id;
    const memory = { agentId: 1, key: "order", content: "8841" };
    rows["agent-memory"] = (await oven.call("POST", "agent-memory", memory)).body.id;
    rows.tenants = 1;
    const tool = { type: "mcp", name: "Mine", target: { kind: "workflow", workflowId: rows.workflows } };
    rows["mcp/triggers"] = (await oven.call("POST", "triggers", tool)).body.id;
    const trigger = { type: "manual", name: "Mine", target: { kind: "workflow", workflowId: rows.workflows } };
    rows.triggers = (await oven.call("POST", "triggers", trigger)).body.id;
    rows["trigger-deliveries"] = (await oven.call("POST", `triggers/${rows.triggers}/fire`, {})).body.id;
    await oven.call("POST", "secrets", { name: "signing", value: "a-key-for-signatures", hosts: [] });
    const posted = { name: "Mine", url: "https://example.com/", events: ["orders.*"], secret: "signing" };
    const wired = { name: "Wired", event: "orders.*", action: "core.log", input: { message: "seen" } };
    rows["event-wirings"] = (await oven.call("POST", "event-wirings", wired)).body.id;
    rows["event-subscriptions"] = (await oven.call("POST", "event-subscriptions", posted)).body.id;
    const rule = {
      name: "Mine",
      events: ["run.failed"],
      channel: { type: "email" },
      recipients: [{ kind: "starter" }],
    };
    rows["notification-rules"] = (await oven.call("POST", "notification-rules", rule)).body.id;
    const connection = { name: "mine", url: "https://mcp.example.com/mcp", enabled: false };
    rows["mcp-connections"] = (await oven.call("POST", "mcp-connections", connection)).body.id;
    const agent = { name: "mine", url: "https://agent.example.com", enabled: false };
    rows["a2a-connections"] = (await oven.call("POST", "a2a-connections", agent)).body.id;
    const directory = "aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee";
    const teams = { type: "teams", appId: directory, directory, password: { $secret: "teams-bot" } };
    const target = { kind: "agent", id: rows.agents };
    rows.bots = (await oven.call("POST", "bots", { name: "Mine", connection: teams, target })).body.id;
    rows.embeds = (
      await oven.call("POST", "embeds", { name: "Mine", origins: ["https://example.com"], target })
    ).body.id;
    // Of an embed that the stranger cannot name: its public id stands before it in the path.
    rows["embed/[publicId]/messages"] = rows.embeds ?? 0;
    const command = { name: "mine", source: { type: "text", text: "curl https://api.example.com/orders" } };
    rows["api-connections"] = (await oven.call("POST", "api-connections", command)).body.id;
    const failing = { initial: "fail", states: { fail: { invoke: { src: "core.fail", input: { message: "no" } } } } };
    const failed = await oven.call("POST", "workflows", { name: "Fails", definition: failing });
    await oven.call("POST", `workflows/${failed.body.id}/execute?wait=10`, {});
    const first = async (resource: string): Promise<number> => {
      const found = () => oven.call("GET", resource).then(({ body }) => body[0]?.id as number | undefined); // cast: a list of rows
      return (await vi.waitUntil(found, { timeout: 120_000 })) ?? 0;
    };
    rows.notifications = await first("notifications");
    rows["notification-deliveries"] = await first("notification-deliveries");
    rows.events = await first("events");
    const dataset = { name: "Mine", target: { kind: "workflow", id: rows.workflows } };
    rows["eval-datasets"] = (await oven.call("POST", "eval-datasets", dataset)).body.id;
    const evalCase = { name: "Mine", input: {} };
    rows["eval-cases"] = (await oven.call("POST", "eval-datasets/mine/cases", evalCase)).body.id;
    rows["eval-runs"] = (await oven.call("POST", "eval-datasets/mine/run", {})).body.id;
    const judge = { target: { kind: "workflow", id: rows.workflows }, name: "tone", rubric: "Is it polite?" };
    const table = { name: "Mine", slug: "mine", columns: [{ name: "n", type: "number" }] };
    rows.tables = (await oven.call("POST", "tables", table)).body.id;
    const tableTool = { name: "mine", table: "mine", description: "Mine", actions: ["find"] };
    rows["table-tools"] = (await oven.call("POST", "table-tools", tableTool)).body.id;
    rows["score-judges"] = (await oven.call("POST", "score-judges", judge)).body.id;
    const role = { name: "mine", title: "Mine", permissions: ["reviews.read"] };
    rows.roles = (await oven.call("POST", "roles", role)).body.id;
    const invited = await oven.call("POST", "invitations", { email: "new@example.com", roles: ["mine"] });
    rows.invitations = invited.body.id;
    const [session] = await oven.db.query<{ id: number }>(
      "insert into sessions (user_id, token, expires_at) values ($1, 'x', now() + interval '1 day') returning id",
      [rows.users],
    );
    rows["account/sessions"] = session?.id ?? 0;
    await oven.db.query("insert into oauth_clients (client_id, redirect_uris) values ('mine', '{}')");
    const [consent] = await oven.db.query<{ id: number }>(
      "insert into oauth_consents (client_id, user_id, scopes) values ('mine', $1, '{}') returning id",
      [rows.users],
    );
    const [passkey] = await oven.db.query<{ id: number }>(
      `insert into passkeys (user_id, name, public_key, credential_id, counter, device_type, backed_up)
       values ($1, 'Phone', 'key', 'id', 0, 'singleDevice', false) returning id`,
      [rows.users],
    );
    rows["account/passkeys"] = passkey?.id ?? 0;
    const [linked] = await oven.db.query<{ id: number }>(
      `insert into notification_linked_accounts (tenant_id, user_id, provider, workspace, account, name, proof)
       values (1, $1, 'slack', 'T1', 'U1', 'mine', 'x') returning id`,
      [rows.users],
    );
    rows["account/linked-accounts"] = linked?.id ?? 0;
    rows["account/connected-apps"] = consent?.id ?? 0;
    rows["connected-apps"] = consent?.id ?? 0;
  });
  afterAll(() => oven.stop());

  async function send(route: Route, key: string | null, options: { value?: string; body?: string } = {}) {
    const response = await oven.handle(
      new Request(
        `http://localhost:3000/api/${pathFor(route, options.value ?? "999999")}${OTHER_QUERIES[nameOf(route)] ?? ""}`,
        {
          method: route.method,
          headers: {
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            ...(key === null ? {} : { authorization: `Bearer ${key}` }),
          },
          ...(route.method === "GET" ? {} : { body: options.body ?? "{}" }),
        },
      ),
    );
    const text = await response.text();
    return { status: response.status, text };
  }

  it("needs a permission that some module declares, and few are open", () => {
    const declared = new Set(
      installedModules({ demo: true }).flatMap(({ permissions }) => permissions.map(({ id }) => id)),
    );
    const wanted = routes.flatMap((route) => permissionOf(route) ?? []);
    expect(wanted.filter((permission) => !declared.has(permission))).toEqual([]);
    expect(routes.filter(({ access }) => access === "public").map(nameOf)).toEqual([
      "GET health",
      "GET auth/[...path]",
      "POST auth/[...path]",
      "GET sign-in-methods",
      "GET .well-known/oauth-authorization-server",
      "GET .well-known/oauth-authorization-server/[...path]",
      "GET .well-known/oauth-protected-resource",
      "GET .well-known/oauth-protected-resource/[...path]",
      "GET setup",
      "POST setup",
      "POST invitations/inspect",
      "POST invitations/accept",
      "GET hooks/[token]",
      "POST hooks/[token]",
      "PUT hooks/[token]",
      "PATCH hooks/[token]",
      "DELETE hooks/[token]",
      "GET forms/[token]",
      "POST forms/[token]",
      "POST decisions/slack/[key]",
      "POST decisions/teams/[key]",
      "GET mcp-connections/client-metadata",
      // Takes a token that the installation's secret signs.
      "POST installation/backups",
      "GET .well-known/oven-receipts.json",
      "POST bots/slack/[key]/events",
      "POST bots/slack/[key]/actions",
      "POST bots/teams/[key]",
      // Take an origin that the embed allows and, but for the first two, a token of a visitor.
      "GET embed/[publicId]",
      "POST embed/[publicId]/sessions",
      "GET embed/[publicId]/messages",
      "POST embed/[publicId]/messages",
      "GET embed/[publicId]/messages/[id]/stream",
      "POST embed/[publicId]/messages/[id]/decisions",
      "POST embed/[publicId]/conversations",
    ]);
  });

  it.each(named)("%s lets in who may, and nobody else", async (_name, route) => {
    if (route.access === "public") {
      expect((await send(route, null)).status).not.toBe(401);
      return;
    }
    for (const key of [null, "oven_wrong", ""]) {
      const refused = await send(route, key);
      expect(refused.status).toBe(401);
      expect(JSON.parse(refused.text).error.code).toBe(errorCodeOf(route, "UNAUTHENTICATED"));
    }
    const without = await send(route, powerless);
    if (permissionOf(route) === undefined) expect([401, 403]).not.toContain(without.status);
    else {
      expect(without.status).toBe(403);
      expect(JSON.parse(without.text).error).toMatchObject({
        code: "FORBIDDEN",
        details: { permission: permissionOf(route) },
      });
    }
    const { key } = await insertKey(oven.db, { tenantId: 1, permissions: narrow(permissionOf(route)), role: "owner" });
    const may = await send(route, key);
    expect([401, 403]).not.toContain(may.status);
    expect(may.status, may.text).toBeLessThan(500);
  });

  const withRow = named.filter(
    ([, { path }]) => /\[id\]/.test(path) && !/^(ai-aliases|ai-providers|module-configs|blobs|tools)/.test(path),
  );
  it.each(withRow)("%s does not know another tenant's row", async (name, route) => {
    const id = rows[route.path.split("/[id]")[0] ?? ""];
    expect(id, `name a row of tenant 1 for ${name}`).toBeGreaterThan(0);
    const body = JSON.stringify(OTHER_BODIES[name] ?? {});
    const refused = await send(route, stranger, { value: String(id), body });
    expect(refused.status, refused.text).toBe(404);
    expect(refused.text).not.toContain("8841");
  });

  it("shows a stranger no row of another tenant in any list", async () => {
    const lists = Object.entries(rows).filter(
      ([resource]) => !resource.includes("[") && !["mcp/triggers", "executions"].includes(resource),
    );
    for (const [resource, id] of lists) {
      const { body } = await oven.call("GET", resource, undefined, { key: stranger });
      const list = body as { id: number; tenantId?: number | null }[];
      expect(
        list.map((row) => row.id),
        resource,
      ).not.toContain(id);
    }
    expect((await oven.call("GET", `agent-workflows/support-reply`, undefined, { key: stranger })).status).toBe(404);
  });

  it("is as it was after the stranger tried", async () => {
    const run = await oven.call("GET", `agent-workflow-executions/${rows["agent-workflow-executions"]}`);
    expect(run.body.status).toBe("paused");
    for (const [resource, id] of Object.entries(rows)) {
      if (["api-keys", "invitations", "mcp/triggers", "executions"].includes(resource)) continue;
      if (resource.startsWith("account/") || resource === "connected-apps" || resource.includes("[")) continue;
      expect((await oven.call("GET", `${resource}/${id}`)).status, resource).toBe(200);
    }
  });

  it.each(named)("%s survives garbage: no 5xx, no hang, nothing of the database shown", async (name, route) => {
    const garbage = new Garbage([...name].reduce((sum, letter) => sum * 31 + letter.charCodeAt(0), 7) | 0);
    const keys = keysOf(route.body);
    const queries = keysOf(route.query).filter((key) => key !== "wait");
    for (let round = 0; round < 20; round++) {
      const query = new URLSearchParams();
      const filter = { [garbage.pick(["id", "q", "createdAt", "status", "enabled"])]: garbage.json() };
      // Alone every other time: the first part that is wrong hides the rest.
      if (round % 2 === 0 && queries.includes("filter")) query.set("filter", JSON.stringify(filter));
      else for (const key of queries) query.set(key, garbage.pick([garbage.text(), JSON.stringify(garbage.json())]));
      const path = pathFor(route, encodeURIComponent(garbage.text().toWellFormed()) || "x");
      const body = garbage.body(keys);
      const response = await oven.fetch(`${path}?${query}`, {
        method: route.method,
        headers: {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "last-event-id": garbage.pick(["x", "-1", "9".repeat(15)]),
        },
        ...(route.method === "GET" ? {} : { body }),
        signal: AbortSignal.timeout(5_000),
      });
      const text = await response.text();
      const seen = `${route.method} ${path}?${query} ${body.slice(0, 300)} → ${response.status} ${text.slice(0, 300)}`;
      expect(response.status, seen).toBeLessThan(500);
      if (response.status >= 400) expect(LEAKS.test(text), seen).toBe(false);
    }
  });

  it("is in OpenAPI with its own operationId, its parameters and its required fields, and every reference leads somewhere", async () => {
    const { body: document } = await oven.call("GET", "openapi.json", undefined, { key: powerless });
    expect(document).toMatchObject({
      openapi: expect.stringMatching(/^3\.1\.\d$/),
      info: { title: "OVEN", version: expect.any(String) },
    });
    const ids: string[] = [];
    for (const route of routes) {
      const path = `/api/${route.path.replace(/\[(?:\.\.\.)?(\w+)\]/g, "{$1}")}`;
      const operation = document.paths[path]?.[route.method.toLowerCase()];
      expect(operation, nameOf(route)).toBeDefined();
      ids.push(operation.operationId);
      const inPath = (operation.parameters ?? []).filter((parameter: { in: string }) => parameter.in === "path");
      expect(inPath.map(({ name }: { name: string }) => `{${name}}`).sort(), nameOf(route)).toEqual(
        [...path.matchAll(/\{\w+\}/g)].map(([name]) => name).sort(),
      );
      expect(inPath.every(({ required }: { required: boolean }) => required)).toBe(true);
      expect(Object.keys(operation.responses).length).toBeGreaterThan(0);
      for (const answer of Object.values(operation.responses)) expect(answer).toHaveProperty("description");
      const schema = resolve(document, operation.requestBody?.content?.["application/json"]?.schema);
      expect([...(schema?.required ?? [])].sort(), nameOf(route)).toEqual(requiredOf(route.body));
    }
    expect(
      ids.every((id) => /^[A-Za-z][\w.-]*$/.test(id)),
      ids.join(" "),
    ).toBe(true);
    expect(new Set(ids).size).toBe(ids.length);
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref]) => ref ?? "");
    for (const reference of references) expect(resolve(document, { $ref: reference }), reference).toBeDefined();
  });
});

function narrow(permission: string | undefined): Record<string, string[]> {
  const [resource = "", action = ""] = (permission ?? "nothing.read").split(".");
  return { [resource]: [action] };
}

function keysOf(schema: z.ZodType | undefined): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  return schema instanceof z.ZodUnion ? ["action", "data", "reason", "reviewId", "digest", "input"] : [];
}

/** What zod itself refuses to go without. */
function requiredOf(schema: z.ZodType | undefined): string[] {
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape)
    .filter(([, field]) => !(field as z.ZodType).safeParse(undefined).success) // cast: a shape holds schemas
    .map(([key]) => key)
    .sort();
}

interface SchemaNode {
  $ref?: string;
  required?: string[];
}

function resolve(document: unknown, schema: SchemaNode | undefined): SchemaNode | undefined {
  if (schema?.$ref === undefined) return schema;
  let node: unknown = document;
  for (const part of schema.$ref.replace(/^#\//, "").split("/"))
    node = typeof node === "object" && node !== null ? Reflect.get(node, part) : undefined;
  return node as SchemaNode | undefined; // cast: a part of the document
}
