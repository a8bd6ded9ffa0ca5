import { type TenantExport, TenantExportSchema } from "@oven/contract/access";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime } from "@oven/module-registry";
import { type Credentials, startTestOven, type TestAnswer, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { installedModules } from "./modules.ts";

const ORIGIN = "http://localhost:3000";
const PASSWORD = "a long password";
const ends = { initial: "done", states: { done: { type: "final" } } };
const waits = {
  initial: "wait",
  states: { wait: { invoke: { src: "core.delay", input: { ms: "PT1H" }, onDone: "done" } }, done: { type: "final" } },
};
const asks = {
  initial: "ask",
  states: { ask: { invoke: { src: "core.requestInput", input: {}, onDone: "done" } }, done: { type: "final" } },
};
/** What stays of a tenant, and where its own row is. */
const NOT_ERASED = ["audit_log", "tenants"];

describe.each(testDatabases(inject("postgresUrl")))("a tenant that is erased, on $name", ({ open }) => {
  let database: TestDatabase;
  let oven: TestOven;
  const tenants: { id: number; name: string; owner: Credentials }[] = [];
  beforeAll(async () => {
    database = await open();
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: false }), db: database.db });
    for (const name of ["Acme", "Bolt"]) tenants.push(await found(name));
    for (const { owner, name } of tenants) await fill(owner, name);
    // As a module of tomorrow may bring one.
    await database.db.query("create table of_tomorrow (tenant_id integer not null, said text)");
    for (const { id } of tenants) await database.db.query("insert into of_tomorrow values ($1, 'x')", [id]);
  });
  afterAll(async () => {
    await oven.stop();
    await database.close();
  });

  async function must(method: string, path: string, body: unknown, as: Credentials): Promise<TestAnswer["body"]> {
    const answer = await oven.call(method, path, body, as);
    expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body;
  }

  /** A tenant with an owner who is signed in. */
  async function found(name: string) {
    const made = await oven.call("POST", "tenants", { name, ownerEmail: `${name.toLowerCase()}@example.com` });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const token = new URL(made.body.link).searchParams.get("token");
    const joined = await oven.call("POST", "invitations/accept", { token, name, password: PASSWORD });
    const cookie = joined.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    return { id: made.body.id as number, name, owner: { key: null, headers: { cookie, origin: ORIGIN } } };
  }

  /** Runs that ended, that wait and that ask, a trigger, knowledge, a secret, a key, a budget and a test set. */
  async function fill(owner: Credentials, name: string): Promise<void> {
    for (const [title, definition] of [
      ["Ends", ends],
      ["Waits", waits],
      ["Asks", asks],
    ] as const) {
      await must("POST", "workflows", { name: title, definition }, owner);
      await must("POST", "agent-workflows", { name: title, definition }, owner);
      for (const path of ["workflows", "agent-workflows"])
        await must("POST", `${path}/${title.toLowerCase()}/execute`, { input: { by: name } }, owner);
    }
    const [workflow] = await must("GET", "workflows", undefined, owner);
    await must(
      "POST",
      "triggers",
      {
        name: "Nightly",
        type: "schedule",
        target: { kind: "workflow", workflowId: workflow.id },
        config: { cron: "0 3 * * *", timezone: "UTC" },
      },
      owner,
    );
    const store = await must("POST", "vector-stores", { slug: "papers", name: "Papers" }, owner);
    const document = { key: "a", title: "A", mediaType: "text/plain", text: `Of ${name}` };
    await must("POST", `vector-stores/${store.id}/documents`, document, owner);
    await must("POST", "secrets", { name: "token", value: "s3cret-of-a-tenant", hosts: ["example.com"] }, owner);
    await must("POST", "api-keys", { name: "k", permissions: ["workflows.read"] }, owner);
    await vi.waitFor(async () => {
      const runs = await must("GET", "workflow-executions", undefined, owner);
      expect(runs.map(({ status }: { status: string }) => status).sort()).toEqual(["completed", "paused", "running"]);
      expect((await must("GET", "reviews", undefined, owner)).length).toBe(2);
    }, 60_000);
  }

  /** How many rows of a tenant each table has, asked of the database's catalogue and not of the code. */
  async function countRows(tenantId: number): Promise<Record<string, number>> {
    const tables = await database.db.query<{ name: string }>(
      "select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'tenant_id'",
    );
    const counts: Record<string, number> = {};
    for (const { name } of tables) {
      const [row] = await database.db.query<{ n: number }>(
        `select count(*)::integer as n from ${name} where tenant_id = $1`,
        [tenantId],
      );
      if ((row?.n ?? 0) > 0) counts[name] = row?.n ?? 0;
    }
    return counts;
  }
  const one = (index: number) => {
    const tenant = tenants[index];
    if (tenant === undefined) throw new Error("the tenants were not made");
    return tenant;
  };

  it("is exported first, every table with its rows and no secret", async () => {
    const { id, name } = one(0);
    const response = await oven.fetch(`tenants/${id}/export`);
    expect(response.headers.get("content-disposition")).toContain(`tenant-${id}.json`);
    const text = await response.text();
    const exported: TenantExport = TenantExportSchema.parse(JSON.parse(text));
    expect(exported.tenant).toEqual({ id, name });
    const counted = Object.fromEntries(
      exported.tables.flatMap(({ table, rows }) => (rows.length === 0 ? [] : [[table, rows.length]])),
    );
    const { outbox_events: _events, ...counts } = await countRows(id);
    expect(counted).toMatchObject(counts);
    expect(text).toContain("Of Acme");
    expect(text).not.toContain("Of Bolt");
    const shown = new Set(exported.tables.flatMap(({ rows }) => rows.flatMap((row) => Object.keys(row))));
    for (const column of ["password", "token", "sealed"]) expect(shown).not.toContain(column);
    const [key] = exported.tables.find(({ table }) => table === "api_keys")?.rows ?? [];
    expect(Object.keys(key ?? {})).not.toContain("key");
  });

  it("leaves out every column whose name says secret, but those that are looked through here", async () => {
    const { id } = one(0);
    const exported = TenantExportSchema.parse(await (await oven.fetch(`tenants/${id}/export`)).json());
    const columns = exported.tables.flatMap((table) => table.columns.map((column) => `${table.table}.${column}`));
    const [secret] = exported.tables.filter(({ table }) => table === "secrets");
    expect(secret?.columns).toContain("name");
    const suspicious = columns.filter((name) => /\..*(secret|password|sealed|token|_hash$|proof|codes)/.test(name));
    // Digests of what is exported beside them, times and counts.
    const harmless =
      /\.(content_hash|body_hash|listed_hash|approved_hash|token_usage|.*tokens|tokens_per_minute|.*_expires_at|.*_ttl|token_endpoint_auth_method|dpop_bound_access_tokens_required)$/;
    expect(suspicious.filter((name) => !harmless.test(name))).toEqual([]);
  });

  it("takes an owner of the first tenant, and the name typed again; the first one is not erased", async () => {
    const { id, owner } = one(0);
    const { audit_log: _before, ...before } = await countRows(id);
    expect((await oven.call("POST", `tenants/${id}/erase`, { confirm: "acme" })).body.error.code).toBe(
      "CONFIRMATION_WRONG",
    );
    expect((await oven.call("POST", `tenants/${id}/erase`, { confirm: "Acme" }, owner)).status).toBe(404);
    expect((await oven.call("GET", `tenants/${one(1).id}/export`, undefined, owner)).status).toBe(404);
    const first = await oven.call("POST", "tenants/1/erase", { confirm: "First tenant" });
    expect(first).toMatchObject({ status: 422, body: { error: { code: "TENANT_IS_FIRST" } } });
    const { audit_log: _audited, ...after } = await countRows(id);
    expect(after).toEqual(before);
  });

  it("goes with its runs and triggers from every table; another one's rows are untouched", async () => {
    const { id, name, owner } = one(0);
    const [acme, bolt, shared] = [await countRows(id), await countRows(one(1).id), await countRows(0)];
    expect(Object.keys(acme).length).toBeGreaterThan(20);
    expect(acme).toMatchObject({ workflow_executions: 3, agent_workflow_executions: 3, triggers: 1, of_tomorrow: 1 });
    const erased = await oven.call("POST", `tenants/${id}/erase`, { confirm: name });
    expect(erased.status, JSON.stringify(erased.body)).toBe(200);
    expect(erased.body.tables).toContainEqual({ table: "of_tomorrow", rows: 1 });
    expect(Object.keys(await countRows(id)).filter((table) => !NOT_ERASED.includes(table))).toEqual([]);
    expect((await countRows(id)).audit_log).toBe(acme.audit_log);
    expect(await database.db.query("select 1 from tenants where id = $1", [id])).toEqual([]);
    expect(await countRows(one(1).id)).toEqual(bolt);
    expect(await countRows(0)).toEqual(shared);
    expect((await oven.call("GET", "session", undefined, owner)).status).toBe(401);
    const runs = await oven.call("GET", "workflow-executions", undefined, one(1).owner);
    expect(runs.body.map(({ status }: { status: string }) => status).sort()).toEqual([
      "completed",
      "paused",
      "running",
    ]);
    // Its run still ends.
    const waiting = runs.body.find(({ status }: { status: string }) => status === "running");
    expect((await oven.call("POST", `workflow-executions/${waiting.id}/cancel`, {}, one(1).owner)).body.status).toBe(
      "cancelled",
    );
    expect((await oven.call("POST", `tenants/${id}/erase`, { confirm: name })).status).toBe(404);
  });
});
