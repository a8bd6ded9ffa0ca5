import { connectDatabase, type Database } from "@oven/db";
import { createTestPostgres } from "@oven/db/testing";
import { installedModules } from "@oven/installation";
import { createRuntime } from "@oven/module-registry";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";

/** Tables that grow with every run. */
const GROWING = ["workflow_executions", "node_executions", "run_events"];

describe("while the database's disk is full", () => {
  let database: { url: string; drop: () => Promise<void> };
  let db: Database;
  let oven: TestOven;
  beforeAll(async () => {
    database = await createTestPostgres(inject("postgresUrl"));
    db = await connectDatabase({ url: database.url, dataDir: "unused" });
    oven = await startTestOven({ createRuntime, modules: installedModules({ demo: true }), db });
    const raise = "raise exception 'could not extend file: No space left on device' using errcode = '53100'";
    await db.query(`create function full_disk() returns trigger language plpgsql as $$ begin ${raise}; end $$`);
    await db.query(
      `create function full_disk_ddl() returns event_trigger language plpgsql as $$ begin ${raise}; end $$`,
    );
  });
  afterAll(async () => {
    await oven.stop();
    await db.close();
    await database.drop();
  });

  /** What would make a file longer fails as the server says it, in whatever connection. */
  const fill = async () => {
    for (const table of GROWING)
      await db.query(`create trigger full_disk before insert on ${table} for each row execute function full_disk()`);
    await db.query(
      "create event trigger full_disk on ddl_command_start when tag in ('CREATE TABLE AS') execute function full_disk_ddl()",
    );
  };
  const makeRoom = async () => {
    for (const table of GROWING) await db.query(`drop trigger full_disk on ${table}`);
    await db.query("drop event trigger full_disk");
  };
  const health = async () => (await oven.call("GET", "health")).status;

  it("writes and the health probe say so, reads go on, and no accepted run is lost", async () => {
    const definition = {
      initial: "pause",
      states: {
        pause: { invoke: { src: "core.delay", input: { ms: 1_000 }, onDone: "after" } },
        after: { invoke: { src: "core.transform", input: { mapping: { a: 1 } }, onDone: "done" } },
        done: { type: "final" },
      },
    };
    expect((await oven.call("POST", "workflows", { name: "Slow", definition })).status).toBe(201);
    const accepted: number[] = [];
    for (let count = 0; count < 5; count++) {
      const { status, body } = await oven.call("POST", "workflows/slow/execute", {});
      expect(status).toBe(202);
      accepted.push(body.id);
    }
    expect(await health()).toBe(200);
    await fill();
    const refused = await oven.call("POST", "workflows/slow/execute", {});
    expect(refused).toMatchObject({ status: 503, body: { error: { code: "STORAGE_FULL" } } });
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(JSON.stringify(refused.body)).not.toMatch(/extend file|insert into/);
    await expect.poll(health).toBe(503);
    expect((await oven.call("GET", "health")).body.error.code).toBe("STORAGE_FULL");
    expect((await oven.call("GET", `workflow-executions/${accepted[0]}`)).status).toBe(200);
    await makeRoom();
    await expect.poll(health).toBe(200);
    expect((await oven.call("POST", "workflows/slow/execute?wait=30", {})).body.status).toBe("completed");
    const list = async () =>
      (await oven.call("GET", `workflow-executions?filter=${JSON.stringify({ id: accepted })}`)).body.map(
        ({ status }: { status: string }) => status,
      );
    await expect.poll(list, { interval: 200 }).toEqual(accepted.map(() => "completed"));
  });
});
