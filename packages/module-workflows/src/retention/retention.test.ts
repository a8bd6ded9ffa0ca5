import type { Json } from "@oven/contract";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { SimulatedClock } from "@oven/engine/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { RunKinds } from "../runtime/run-kinds.ts";
import { regularTables } from "../tables/workflows.table.ts";
import { REGULAR } from "../workflow-kind.ts";
import { createWorkflowsModule } from "../workflows.module.ts";
import { requireDetails } from "./removed-details.ts";
import { RetentionService } from "./retention-service.ts";

const DAY = 86_400_000;

describe.each(testDatabases(inject("postgresUrl")))("retention on $name", ({ open }) => {
  let database: TestDatabase;
  let oven: TestOven;
  const settings: Record<string, Json> = {};
  /** Far behind the real one: only what a test has aged is due. */
  let clock: SimulatedClock;
  let retention: RetentionService;
  const kinds = new RunKinds();
  kinds.add({ kind: REGULAR, tables: regularTables });

  beforeAll(async () => {
    database = await open();
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, modules, db: database.db });
    const state = (src: string, input: object) => ({ invoke: { src, input, onDone: "done" } });
    for (const [name, one] of [
      ["Log", state("core.log", { message: "hello" })],
      ["Wait", state("core.requestInput", { title: "?" })],
    ] as const) {
      const definition = { initial: "one", states: { one, done: { type: "final", output: "kept" } } };
      expect((await oven.call("POST", "workflows", { name, definition })).status).toBe(201);
    }
  });
  beforeEach(async () => {
    for (const table of [
      "run_events",
      "run_signals",
      "run_blobs",
      "reviews",
      "idempotency_keys",
      "workflow_executions",
    ])
      await database.db.query(`delete from ${table}`);
    for (const key of Object.keys(settings)) delete settings[key];
    clock = new SimulatedClock();
    retention = create(clock);
  });
  afterAll(async () => {
    await oven.stop();
    await database.close();
  });

  function create(at: SimulatedClock): RetentionService {
    const config = {
      resolve: async ({ key }: { key: string }) => ({
        value: settings[key] ?? (key === "RETENTION_RUNS_DAYS" ? 180 : 30),
        source: "default" as const,
      }),
    };
    return new RetentionService({ db: database.db, kinds, config, clock: at });
  }

  /** A run that ended so many days before the simulated now. */
  async function run(daysAgo: number, columns: Record<string, unknown> = {}, workflow = "log"): Promise<number> {
    const { body } = await oven.call("POST", `workflows/${workflow}/execute?wait=20`, {});
    const set = { ...(daysAgo < 0 ? {} : { completed_at: new Date(clock.now() - daysAgo * DAY) }), ...columns };
    const names = Object.keys(set);
    if (names.length > 0) {
      await database.db.query(
        `update workflow_executions set ${names.map((name, index) => `${name} = $${index + 2}`).join(", ")} where id = $1`,
        [body.id, ...Object.values(set)],
      );
    }
    await database.db.query(
      "insert into run_blobs (tenant_id, execution_id, node_id, visit, media_type, size, sha256, data) values (1, $1, 'one', 1, 'x', 0, '', '')",
      [body.id],
    );
    return body.id;
  }
  const count = async (table: string, id: number): Promise<number> =>
    Number((await database.db.query(`select count(*) as n from ${table} where execution_id = $1`, [id]))[0]?.n);
  const markOf = async (id: number): Promise<unknown> =>
    (await database.db.query("select context_seq from workflow_executions where id = $1", [id]))[0]?.context_seq;
  const isWhole = async (id: number) => Number(await markOf(id)) >= 0 && (await count("run_events", id)) > 0;

  it("removes what test runs were pinned to with the last of them", async () => {
    const { body: draft } = await oven.call("PUT", "workflows/log/draft", {
      definition: { initial: "done", states: { done: { type: "final" } } },
      baseVersion: 1,
      revision: 0,
    });
    const tested = await oven.call("POST", "workflows/log/draft/execute?wait=20", {});
    expect(tested.body).toMatchObject({ status: "completed", workflowVersion: -draft.revision });
    const kept = () => database.db.query("select 1 from workflow_versions where version < 0");
    const aged = (days: number) => new Date(clock.now() - days * DAY);
    await database.db.query("update workflow_versions set created_at = $1 where version < 0", [aged(2)]);
    await retention.sweep(1);
    expect(await kept()).toHaveLength(1);
    await database.db.query("delete from workflow_executions");
    await database.db.query("update workflow_versions set created_at = $1 where version < 0", [aged(0.5)]);
    await retention.sweep(1);
    expect(await kept()).toHaveLength(1);
    await database.db.query("update workflow_versions set created_at = $1", [aged(2)]);
    await retention.sweep(1);
    expect(await kept()).toHaveLength(0);
    expect(await database.db.query("select 1 from workflow_versions")).toHaveLength(2);
  });

  it("removes content of no run after as many days as details", async () => {
    const keep = async (daysAgo: number, tenant = 1): Promise<number> => {
      const [row] = await database.db.query<{ id: number }>(
        `insert into run_blobs (tenant_id, execution_id, node_id, visit, media_type, size, sha256, data, created_at)
         values ($1, 0, '', 1, 'x', 0, '', '', $2) returning id`,
        [tenant, new Date(clock.now() - daysAgo * DAY)],
      );
      return row?.id ?? 0;
    };
    const [, young, theirs] = [await keep(30.1), await keep(29.9), await keep(90, 2)];
    expect(await retention.sweep(1)).toMatchObject({ blobs: 1 });
    const left = await database.db.query<{ id: number }>("select id from run_blobs order by id");
    expect(left.map(({ id }) => id)).toEqual([young, theirs]);
  });

  it("removes the details after 30 days, and keeps the row, which says so", async () => {
    const [old, young] = [await run(30.1), await run(29.9)];
    const report = await retention.sweep(1);
    expect(report).toMatchObject({ details: 1, runs: 0, nodeRuns: 1, blobs: 1 });
    expect(report.events).toBeGreaterThan(2);
    for (const table of ["run_events", "run_signals", "run_blobs", "node_executions"])
      expect(await count(table, old)).toBe(0);
    const { status, body } = await oven.call("GET", `workflow-executions/${old}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: "completed",
      output: "kept",
      nodes: [],
      context: { detailsRemoved: { afterDays: 30, at: "2026-01-01T00:00:00.000Z" } },
    });
    expect(() => requireDetails({ id: old, contextSeq: -2, context: body.context })).toThrow("removed after 30 days");
    expect(await isWhole(young)).toBe(true);
    expect(await retention.sweep(1)).toMatchObject({ details: 0, events: 0 });
  });

  it("removes the row and its reviews after 180 days", async () => {
    const [old, young] = [await run(180.1), await run(179.9)];
    await database.db.query(
      `insert into reviews (tenant_id, execution_id, execution_kind, workflow_id, workflow_name, node_id, visit, title, proposal, context, digest, assignees, actions)
       select 1, id, 'workflow', 1, '', 'one', 1, '', 'null', 'null', '', '[]', '[]' from workflow_executions`,
    );
    expect(await retention.sweep(1)).toMatchObject({ details: 2, runs: 1, reviews: 1 });
    expect((await oven.call("GET", `workflow-executions/${old}`)).status).toBe(404);
    expect((await oven.call("GET", `workflow-executions/${young}`)).status).toBe(200);
    expect([await count("reviews", old), await count("reviews", young)]).toEqual([0, 1]);
  });

  it("keeps live and paused runs and their whole family, whoever of it is old", async () => {
    const paused = await run(-1, {}, "wait");
    await database.db.query("update workflow_executions set created_at = now() - interval '400 days' where id = $1", [
      paused,
    ]);
    const child = await run(300, { parent_id: paused, root_id: paused });
    const root = await run(300);
    const live = await run(300, { root_id: root, status: "running", completed_at: null });
    const fresh = await run(300);
    const youngChild = await run(1, { root_id: fresh });
    expect(await retention.sweep(1)).toMatchObject({ details: 0, runs: 0, events: 0 });
    for (const id of [paused, child, root, live, fresh, youngChild]) expect(await isWhole(id)).toBe(true);
    await database.db.query("update workflow_executions set status = 'failed', completed_at = $2 where id = $1", [
      live,
      new Date(clock.now() - 40 * DAY),
    ]);
    expect(await retention.sweep(1)).toMatchObject({ details: 2, runs: 0 });
    expect(await retention.sweep(1)).toMatchObject({ details: 0, runs: 0 });
  });

  it("keeps what a run was forked or retried from, and recordings, as long as they are read", async () => {
    const origin = await run(300);
    const retried = await run(300, { retry_of: origin });
    const fork = await run(-1, { fork_of: retried }, "wait");
    const recording = await run(300);
    const replay = await run(-1, { options: JSON.stringify({ dryRun: true, recordingOf: recording }) }, "wait");
    expect(await retention.sweep(1)).toMatchObject({ details: 0, runs: 0 });
    for (const id of [fork, replay]) {
      await oven.call("POST", `workflow-executions/${id}/cancel`, {});
      await database.db.query("update workflow_executions set completed_at = $2 where id = $1", [
        id,
        new Date(clock.now() - 40 * DAY),
      ]);
    }
    // One generation a pass: what was read in this pass may go in the next.
    expect((await retention.sweep(1)).details).toBe(3);
    expect((await retention.sweep(1)).details).toBe(1);
    expect((await retention.sweep(1)).details).toBe(1);
    expect(await isWhole(origin)).toBe(false);
  });

  it("keeps what is forked while it is about to go", async () => {
    const origin = await run(300);
    const { db } = database;
    // The fork is there when the batch is marked, and was not when the pass began.
    const late = Object.create(db, {
      transaction: {
        value: async (work: Parameters<typeof db.transaction>[0]) => {
          await run(-1, { fork_of: origin }, "wait");
          return db.transaction(work);
        },
      },
    }) as typeof db; // cast: the database with one method of its own
    const racing = new RetentionService({
      db: late,
      kinds,
      config: { resolve: async () => ({ value: 30, source: "default" }) },
      clock,
    });
    expect(await racing.sweep(1)).toMatchObject({ details: 0, events: 0 });
    expect(await isWhole(origin)).toBe(true);
  });

  it("goes on where a pass was stopped", async () => {
    const [half, whole] = [await run(40), await run(40)];
    await database.db.query("update workflow_executions set context_seq = -1, context = $2 where id = $1", [
      half,
      JSON.stringify({ detailsRemoved: { at: "2025-12-31T00:00:00.000Z", afterDays: 30 } }),
    ]);
    expect(await retention.sweep(1)).toMatchObject({ details: 1, blobs: 2 });
    expect([await markOf(half), await markOf(whole)]).toEqual([-2, -2]);
    expect(await count("run_events", half)).toBe(0);
  });

  it("follows each tenant's settings, and touches no other tenant", async () => {
    const [mine, theirs] = [await run(10), await run(10, { tenant_id: 2 })];
    settings.RETENTION_RUN_DETAIL_DAYS = 7;
    expect(await retention.sweep(1)).toMatchObject({ details: 1 });
    expect([await isWhole(mine), await isWhole(theirs)]).toEqual([false, true]);
    settings.RETENTION_RUNS_DAYS = 5;
    expect(await retention.sweep(2)).toMatchObject({ details: 1, runs: 1 });
  });

  it("works through many runs in batches", async () => {
    const first = await run(100);
    await database.db.query(
      `insert into workflow_executions (tenant_id, workflow_id, workflow_version, triggered_by, principal, input, status, completed_at)
       select 1, workflow_id, 1, '{}', '{}', '{}', 'completed', completed_at from workflow_executions, generate_series(1, 450)
       where id = $1`,
      [first],
    );
    let batches = 0;
    const report = await retention.sweep(1, async () => void batches++);
    expect(report.details).toBe(451);
    expect(batches).toBe(3);
  });

  it("removes idempotency keys after a day", async () => {
    await database.db.query(
      `insert into idempotency_keys (tenant_id, scope, key, body_hash, execution_id, created_at)
       values (1, 's', 'old', '', 1, $1), (1, 's', 'young', '', 1, $2)`,
      [new Date(clock.now() - 1.1 * DAY), new Date(clock.now() - 0.9 * DAY)],
    );
    expect(await retention.sweep(1)).toMatchObject({ keys: 1 });
    expect(await database.db.query("select key from idempotency_keys")).toEqual([{ key: "young" }]);
  });

  it("is done once a day, by one of many, and by another when that one is gone", async () => {
    await run(40);
    const many = [retention, create(clock), create(clock), create(clock)];
    expect((await Promise.all(many.map((one) => one.sweepDay()))).filter(Boolean)).toHaveLength(1);
    await clock.advance(DAY - 1);
    expect(await retention.sweepDay()).toBe(false);
    await clock.advance(1);
    expect(await retention.sweepDay()).toBe(true);
    await database.db.query("update idempotency_keys set body_hash = 'running'");
    expect(await retention.sweepDay()).toBe(false);
    await clock.advance(11 * 60_000);
    expect(await retention.sweepDay()).toBe(true);
  });

  it("starts by itself and stops", async () => {
    const old = await run(40);
    retention.start();
    await clock.advance(30_000);
    expect(await isWhole(old)).toBe(true);
    await clock.advance(40_000);
    await expect.poll(() => markOf(old)).toBe(-2);
    await retention.stop();
    const later = await run(60);
    await clock.advance(2 * DAY);
    expect(await isWhole(later)).toBe(true);
  });

  it("can be asked for over REST, with counts", async () => {
    await database.db.query("update workflow_executions set completed_at = now()");
    const old = await run(-1);
    await database.db.query("update workflow_executions set completed_at = now() - interval '31 days' where id = $1", [
      old,
    ]);
    const { status, body } = await oven.call("POST", "retention/run", {});
    expect(status).toBe(200);
    expect(body).toMatchObject({ details: 1, runs: 0, blobs: 1 });
  });
});
