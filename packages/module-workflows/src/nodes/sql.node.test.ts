import { connectDatabase, type Database } from "@oven/db";
import { createTestPostgres } from "@oven/db/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it, vi } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

const ROLE = `node_reader_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;

describe("core.sql", () => {
  let server: { url: string; drop: () => Promise<void> };
  let admin: Database;
  let oven: TestOven;
  let count = 0;

  beforeAll(async () => {
    server = await createTestPostgres(inject("postgresUrl"), { migrated: false });
    admin = await connectDatabase({ url: server.url, dataDir: "" });
    await admin.query("create table orders (id int primary key, customer text, total float8)");
    await admin.query("insert into orders select n, 'acme', n * 10 from generate_series(1, 5) n");
    await admin.query(`create role ${ROLE} login password 'only-for-this-test'`);
    await admin.query(`grant select on orders to ${ROLE}`);
    const url = new URL(server.url);
    url.username = ROLE;
    url.password = "only-for-this-test";
    vi.stubEnv("OVEN_SQL_URL", url.toString());
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, modules });
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await oven.stop();
    await admin.query(`drop owned by ${ROLE}`);
    await admin.query(`drop role ${ROLE}`);
    await admin.close();
    await server.drop();
  });

  const publish = (input: object) =>
    oven.call("POST", "workflows", {
      name: `Query ${++count}`,
      definition: {
        initial: "one",
        states: {
          one: { invoke: { src: "core.sql", input, retry: { maxAttempts: 1 }, onDone: "done" } },
          done: { type: "final", output: "$.one_output" },
        },
      },
    });
  async function run(input: object, trigger: object = {}) {
    const created = await publish(input);
    expect(created.status, JSON.stringify(created.body)).toBe(201);
    return (await oven.call("POST", `workflows/${created.body.id}/execute?wait=20`, { input: trigger })).body;
  }

  it("answers rows of the tenant's database with values of the run bound as parameters", async () => {
    const query = "select id, total from orders where customer = $1 and total > $2 order by id";
    const body = await run({ query, params: ["$.trigger.customer", 20], maxRows: 2 }, { customer: "acme" });
    expect(body).toMatchObject({
      status: "completed",
      output: {
        rows: [
          { id: 3, total: 30 },
          { id: 4, total: 40 },
        ],
        rowCount: 2,
        truncated: true,
      },
    });
    const hostile = await run({ query, params: ["$.trigger.customer", 0] }, { customer: "x' or '1'='1" });
    expect(hostile.output).toEqual({ rows: [], rowCount: 0, truncated: false });
  });

  it("fails with what the server says, and never shows the password", async () => {
    const body = await run({ query: "select * from nothing" });
    expect(body).toMatchObject({ status: "failed", errorInfo: { code: "SQL_REFUSED" } });
    expect(JSON.stringify(body)).not.toContain("only-for-this-test");
  });

  it("takes no path, template or computed value as its query", async () => {
    for (const query of [
      "$.trigger.query",
      "select * from orders where id = {{ $.trigger.id }}",
      { $cel: "'select 1'" },
    ]) {
      const refused = await publish({ query });
      expect(refused.status).toBe(400);
      expect(refused.body.error.details.problems).toMatchObject([
        { path: "$.states.one.invoke.input.query", rule: "literal" },
      ]);
    }
    expect((await publish({ query: { $literal: "select '{{ x }}' as text" } })).status).toBe(201);
  });
});
