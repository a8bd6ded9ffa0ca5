import { type Database, migrate } from "@oven/db";
import { eq } from "@oven/db/drizzle";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import type { NewExecution } from "@oven/engine";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { regularTables } from "../tables/workflows.table.ts";
import { REGULAR } from "../workflow-kind.ts";
import { runInsertStatement, toLeasedRun } from "./insert-execution.ts";
import { RunKinds } from "./run-kinds.ts";
import { SqlStore } from "./sql-store.ts";

const folder = (name: string) => ({ name, folder: new URL(`../../../${name}/migrations`, import.meta.url) });
const KIND = { kind: REGULAR, tables: regularTables };
const OBSERVER = { onWritten: () => undefined, hasListeners: () => false, hasMatchingListener: () => false };

describe.each(testDatabases(inject("postgresUrl")))("the columns of a run, on $name", ({ open }) => {
  let test: TestDatabase;
  let db: Database;
  let store: SqlStore;
  beforeAll(async () => {
    test = await open();
    db = test.db;
    await migrate(db, [folder("module-registry"), folder("module-workflows")]);
    await db.query(
      "insert into workflows (tenant_id, name, slug, definition, version) values (1, 'Test', 'test', '{}', 1)",
    );
    const kinds = new RunKinds();
    kinds.add(KIND);
    store = new SqlStore(db, kinds, OBSERVER);
  });
  afterAll(() => test.close());

  const run: NewExecution = {
    kind: "workflow",
    workflowId: 1,
    workflowVersion: 1,
    tenantId: 1,
    input: { text: "a\u0000b", list: [1, null] },
    principal: { kind: "user", userId: 1, tenantId: 1, permissions: ["*"] },
    triggerEvent: "webhook",
    options: { dryRun: true },
    agent: { id: 3, version: 2, sessionId: 9 },
    priority: 4,
    retryOf: 5,
  };

  async function insert(id: number) {
    const lease = { id, worker: "here", milliseconds: 60_000, workflow: { name: "Test", slug: "test" } };
    const leased = toLeasedRun(KIND, run, lease);
    const { sql, params } = runInsertStatement(leased.runInsert);
    await db.query(sql, params);
    return leased.row;
  }

  it("are as the database returns them where a run is inserted with its first lease", async () => {
    const { workflowName, takenOver, signalled, leaseUntil, ...made } = await insert(1);
    const { executions } = regularTables;
    const [stored] = await db.orm.select().from(executions).where(eq(executions.id, 1));
    expect({ ...stored, leaseUntil: undefined }).toEqual({ ...made, leaseUntil: undefined });
    expect(stored?.leaseUntil).toBeInstanceOf(Date);
    expect({ workflowName, takenOver, signalled, leaseUntil }).toEqual({
      workflowName: "Test",
      takenOver: false,
      signalled: false,
      leaseUntil: null,
    });
  });

  it("are read by a claim as they were inserted", async () => {
    await insert(2);
    await db.query("update workflow_executions set lease_owner = null, lease_until = null where id = 2");
    const claimed = await store.claim(2, "other", 60_000);
    expect(claimed).toMatchObject({
      id: 2,
      input: run.input,
      options: run.options,
      agent: run.agent,
      tenantId: 1,
      epoch: 2,
      status: "pending",
      takenOver: false,
      seed: null,
    });
  });
});
