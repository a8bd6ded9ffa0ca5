import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { installedModules } from "@oven/installation";
import { createRuntime, defineModule, defineNode, defineRoute, done, ok } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { insertKey } from "./testing/strangers.ts";

const names = (rows: { name: string }[]) => rows.map(({ name }) => name).sort();
const ALL = "select name from workflows order by name";

/** A module whose author forgot the tenant, in a route and in a node. */
function forgetful() {
  let rows: () => Promise<{ name: string }[]>;
  return defineModule({
    name: "module-forgetful",
    namespace: "forgetful",
    description: "For tests.",
    dependencies: [],
    permissions: [{ id: "forgetful.read", title: "Read" }],
    routes: [
      defineRoute({
        method: "GET",
        path: "forgetful",
        operation: "list",
        summary: "Everything",
        access: { permission: "forgetful.read" },
        effect: "pure",
        handler: async () => ok(names(await rows())),
      }),
    ],
    nodes: [
      defineNode({
        id: "forgetful.look",
        version: 1,
        title: "Look",
        docs: "Reads everything.",
        category: "core",
        kind: "data",
        effect: "pure",
        input: z.strictObject({}),
        output: z.strictObject({ names: z.array(z.string()) }),
        run: async () => done({ names: names(await rows()) }),
      }),
    ],
    services: async ({ db }) => {
      rows = () => db.query<{ name: string }>(ALL);
      return {};
    },
  });
}

const server = testDatabases(inject("postgresUrl")).filter(({ name }) => name === "PostgreSQL");

describe.each(server)("two tenants on $name", ({ open }) => {
  let database: TestDatabase;
  let oven: TestOven;
  let key: string;
  beforeAll(async () => {
    database = await open();
    const modules = [...installedModules({ demo: true }), forgetful()];
    oven = await startTestOven({ createRuntime, modules, db: database.db });
    key = (await insertKey(oven.db, { tenantId: 2, permissions: { "*": ["*"] }, role: "owner" })).key;
  });
  afterAll(async () => {
    await oven.stop();
    await database.close();
  });

  const asSecond = (method: string, path: string, body?: unknown) => oven.call(method, path, body, { key });
  const look = {
    initial: "look",
    states: {
      look: { invoke: { src: "forgetful.look", onDone: "end" } },
      end: { type: "final", output: "$.look_output.names" },
    },
  };

  it("each table with rows of tenants has the wall", async () => {
    const open = await oven.db.query(
      `select table_name from information_schema.columns c where table_schema = 'public' and column_name = 'tenant_id'
       and not exists (select from pg_policies p where p.tablename = c.table_name and p.policyname = 'oven_tenant')`,
    );
    expect(open).toEqual([]);
  });

  it("see their own where a route or a node forgot the tenant, also after a run was woken by the other", async () => {
    await oven.call("POST", "workflows", { name: "first", definition: look });
    await asSecond("POST", "workflows", { name: "second", definition: look });
    expect((await oven.call("GET", "forgetful")).body).toEqual(["first"]);
    expect((await asSecond("GET", "forgetful")).body).toEqual(["second"]);
    const runs = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0
          ? oven.call("POST", "workflows/first/execute?wait=20", {})
          : asSecond("POST", "workflows/second/execute?wait=20", {}),
      ),
    );
    for (const [index, { body }] of runs.entries())
      expect(body).toMatchObject({ status: "completed", output: [index % 2 === 0 ? "first" : "second"] });
  });

  it("can both do everything", async () => {
    const asking = {
      initial: "ask",
      states: {
        ask: { invoke: { src: "agent.humanReview", input: { title: "Well?", show: "this" }, onDone: "end" } },
        end: { type: "final" },
      },
    };
    const made: [string, object][] = [
      ["agent-workflows", { name: "Asking", slug: "asking", mcpExport: true, definition: asking }],
      ["api-keys", { name: "another", permissions: ["workflows.read"] }],
      ["roles", { name: "helper", title: "Helper", permissions: ["workflows.read"] }],
      ["invitations", { email: "new@example.com", roles: ["viewer"] }],
      ["secrets", { name: "token", value: "12345678", hosts: ["api.example.com"] }],
      ["graph-policies", { name: "Bounded", rule: { kind: "bounded-loops" } }],
    ];
    for (const [path, body] of made) {
      const answer = await asSecond("POST", path, body);
      expect([path, answer.status], JSON.stringify(answer.body)).toEqual([path, 201]);
      const mine: { id: number }[] = (await asSecond("GET", path)).body;
      expect(
        mine.map(({ id }) => id),
        path,
      ).toContain(answer.body.id ?? answer.body.invitation?.id);
    }
    const run = await asSecond("POST", "agent-workflows/asking/execute?wait=20", {});
    expect(run.body.status).toBe("paused");
    const [review] = (await asSecond("GET", "reviews")).body;
    expect((await asSecond("POST", `reviews/${review.id}/comments`, { text: "hm" })).status).toBe(201);
    expect(
      (await asSecond("POST", `reviews/${review.id}/decide`, { action: "approve", digest: review.digest })).status,
    ).toBe(200);
    const execution = `agent-workflow-executions/${run.body.id}`;
    const stream = await oven.fetch(`${execution}/events`, { headers: { authorization: `Bearer ${key}` } });
    expect(await stream.text()).toContain("event: execution.completed");
    expect((await asSecond("GET", execution)).body.status).toBe("completed");
    const checkpoints = (await asSecond("GET", `${execution}/checkpoints`)).body;
    const fork = { checkpoint: checkpoints.at(-1).seq };
    const forked = await asSecond("POST", `${execution}/fork`, fork);
    expect(forked.status, JSON.stringify(forked.body)).toBe(202);
    const config = { moduleName: "module-workflow-agents", key: "MCP_AUTO_REGENERATE", value: false };
    expect((await asSecond("POST", "module-configs", config)).status).toBe(201);
    for (const path of [
      "users",
      "audit-log",
      "mcp-servers",
      "ai-aliases",
      "ai-usage-logs",
      "session",
      "account/sessions",
      "account/connected-apps",
      "connected-apps",
    ])
      expect([path, (await asSecond("GET", path)).status]).toEqual([path, 200]);
    for (const [path] of made)
      expect(JSON.stringify((await oven.call("GET", path)).body), path).not.toMatch(/Asking|another|Helper|token/);
  });
});
