import { RunExportSchema } from "@oven/contract/run";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

const done = (output: unknown) => ({ type: "final", output });
const transform = (mapping: object, onDone: unknown) => ({
  invoke: { src: "core.transform", input: { mapping }, onDone },
});
/** Divides a hundred; fails where it cannot. */
const fragile = {
  initial: "first",
  context: { total: 1 },
  states: {
    first: transform(
      { half: { $cel: "trigger.n / 2.0" } },
      { target: "second", actions: [{ type: "assign", params: { path: "$.total", add: 1 } }] },
    ),
    second: {
      invoke: { src: "core.transform", input: { mapping: { share: "$.first_output.missing" } }, onDone: "done" },
    },
    done: done({ share: "$.second_output.share", total: "$.total" }),
  },
};

describe.each(testDatabases(inject("postgresUrl")))("the past of runs on $name", ({ open }) => {
  let test: TestDatabase;
  let oven: TestOven;
  beforeAll(async () => {
    test = await open();
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, db: test.db, modules });
  });
  afterAll(async () => {
    await oven.stop();
    await test.close();
  });

  let count = 0;
  async function publish(definition: object): Promise<number> {
    count += 1;
    const { status, body } = await oven.call("POST", "workflows", { name: `Past ${count}`, definition });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id;
  }
  const shown = async (id: number) => (await oven.call("GET", `workflow-executions/${id}`)).body;
  async function run(workflow: number, body: object = {}) {
    const { status, body: row } = await oven.call("POST", `workflows/${workflow}/execute?wait=20`, body);
    expect(status, JSON.stringify(row)).toBeLessThan(300);
    return shown(row.id);
  }
  const act = (id: number, verb: string, body: object = {}) =>
    oven.call("POST", `workflow-executions/${id}/${verb}`, body);
  async function ended(id: number) {
    await expect.poll(async () => (await shown(id)).completedAt, { interval: 20 }).not.toBeNull();
    return shown(id);
  }

  it("says what an expression or a condition would come to, there and now, and what is wrong with it", async () => {
    const { id } = await run(await publish(fragile), { input: { n: 100 } });
    const ask = async (body: object) => (await act(id, "evaluate", body)).body;
    expect(await ask({ value: "{{ $.first_output.half }} of {{ $.trigger.n }}" })).toMatchObject({
      value: "50 of 100",
      problem: null,
    });
    expect(await ask({ value: { sum: { $cel: "ctx.total + 1" } } })).toMatchObject({ value: { sum: 3 } });
    const [first] = (await oven.call("GET", `workflow-executions/${id}/checkpoints`)).body;
    expect(await ask({ value: "$.total", checkpoint: first.seq })).toMatchObject({ seq: first.seq, value: 1 });
    const guard = (value: number) => ({
      guard: { type: "condition", params: { key: "$.first_output.half", operator: ">", value } },
    });
    expect([await ask(guard(49)), await ask(guard(50))]).toMatchObject([{ value: true }, { value: false }]);
    expect(await ask({ value: "$.nobody.wrote" })).toMatchObject({
      problem: { message: expect.stringContaining("$.nobody.wrote") },
    });
    expect(await ask({ value: { $cel: "1 +" } })).toMatchObject({ problem: { message: expect.any(String) } });
    expect((await act(id, "evaluate", {})).status).toBe(400);
    // What would run for ever is bounded as in a run.
    const endless =
      "[1,2,3,4,5,6,7,8,9].map(a, [1,2,3,4,5,6,7,8,9].map(b, [1,2,3,4,5,6,7,8,9].map(c, [1,2,3,4,5,6,7,8,9].map(d, [1,2,3,4,5,6,7,8,9].map(e, [1,2,3,4,5,6,7,8,9].map(f, a + f))))))";
    expect((await ask({ value: { $cel: endless } })).problem).not.toBeNull();
  });

  it("says which branches would be taken, with the result just produced and what a loop around gives", async () => {
    const cel = (expression: string) => ({ type: "cel", params: { expression } });
    const { id } = await run(
      await publish({
        initial: "each",
        states: {
          each: {
            loop: {
              type: "forEach",
              collection: [{ qty: 1 }, { qty: 5 }],
              itemVariable: "line",
              bodyInitial: "sum",
              bodyStates: {
                sum: transform({ half: { $cel: "item.qty / 2.0" } }, "ended"),
                ended: { type: "final" },
              },
              onDone: "done",
            },
          },
          done: done("$.each_output.count"),
        },
      }),
    );
    const ask = async (body: object) => (await act(id, "evaluate", body)).body;
    const checkpoints = (await oven.call("GET", `workflow-executions/${id}/checkpoints`)).body;
    const inside = checkpoints.find(
      ({ cause, nodeId }: { cause: string; nodeId: string }) => cause === "start" || nodeId === "each",
    );
    expect(await ask({ value: ["$.line.qty", "$.index"], state: "sum", checkpoint: inside.seq })).toMatchObject({
      value: [1, 0],
    });
    expect((await ask({ value: "$.line.qty", checkpoint: inside.seq })).problem).not.toBeNull();
    const guards = [cel("output.half > 3.0"), cel("output.half > 2.0"), cel("output.half +"), cel("output.half")];
    expect(await ask({ guards, state: "sum", after: "done" })).toMatchObject({
      problem: null,
      results: [
        { value: false },
        { value: true },
        { problem: { message: expect.stringContaining("Unexpected token") } },
        { problem: { message: expect.stringContaining("not true or false") } },
      ],
    });
    expect(await ask({ guards: guards.slice(0, 2), state: "sum" })).toMatchObject({
      results: [{ problem: { message: expect.stringContaining("output") } }, {}],
    });
    expect((await act(id, "evaluate", { guards, guard: guards[0] })).status).toBe(400);
  });

  const repair = (definition: typeof fragile) => {
    const changed = structuredClone(definition);
    changed.states.second.invoke.input.mapping.share = "$.first_output.half";
    return changed;
  };

  it("[004-012] goes on from what failed, with a repaired version, and repeats nothing", async () => {
    const workflow = await publish(fragile);
    const failed = await run(workflow, { input: { n: 8 } });
    expect(failed).toMatchObject({ status: "failed", errorInfo: { code: "MISSING_VALUE", nodeId: "second" } });
    expect((await act(failed.id, "retry")).body.id).toBeGreaterThan(failed.id);
    await oven.call("PUT", `workflows/${workflow}`, { definition: repair(fragile) });
    expect((await oven.call("GET", `workflow-executions/${failed.id}/compatibility`)).body).toMatchObject({
      version: 2,
      compatible: true,
      problems: [],
      changed: [],
    });
    const { status, body } = await act(failed.id, "retry", { version: "current" });
    expect(status).toBe(202);
    const again = await ended(body.id);
    expect(again).toMatchObject({
      status: "completed",
      output: { share: 4, total: 2 },
      retryOf: failed.id,
      workflowVersion: 2,
      steps: 1,
    });
    expect(
      again.nodes.map(({ nodeId, executionId }: { nodeId: string; executionId: number }) => [nodeId, executionId]),
    ).toEqual([
      ["first", again.id],
      ["second", again.id],
    ]);
    expect((await shown(failed.id)).status).toBe("failed");
  });

  it("shows a run at each of its checkpoints, and forks one with another context", async () => {
    const workflow = await publish(repair(fragile));
    const original = await run(workflow, { input: { n: 8 } });
    const { body: list } = await oven.call("GET", `workflow-executions/${original.id}/checkpoints`);
    expect(
      list.map(({ cause, nodeId, activeStates, end }: Record<string, unknown>) => [cause, nodeId, activeStates, end]),
    ).toEqual([
      ["start", null, ["first"], null],
      ["done", "first", ["second"], null],
      ["done", "second", ["done"], "completed"],
    ]);
    const { body: middle } = await oven.call("GET", `workflow-executions/${original.id}/checkpoints/${list[1].seq}`);
    expect(middle).toMatchObject({
      context: { total: 2, first_output: { half: 4 }, trigger: { n: 8 } },
      stateValue: "second",
    });
    expect(middle.patch).toEqual([
      { op: "add", path: "/first_output", value: { half: 4 } },
      { op: "add", path: "/total", value: 2 },
    ]);
    const forked = await act(original.id, "fork", {
      checkpoint: list[1].seq,
      patch: [{ op: "replace", path: "/first_output/half", value: 70 }],
    });
    expect(forked.status).toBe(202);
    expect(await ended(forked.body.id)).toMatchObject({
      status: "completed",
      output: { share: 70, total: 2 },
      forkOf: original.id,
      originSeq: list[1].seq,
    });
    expect((await act(original.id, "fork", { checkpoint: 100_000 })).status).toBe(202);
    expect(
      (await act(original.id, "fork", { checkpoint: list[0].seq, patch: [{ op: "add", path: "", value: {} }] })).body
        .error.code,
    ).toBe("PATCH_INVALID");
  });

  it("goes through a recorded run again and finds it the same", async () => {
    const original = await run(await publish(repair(fragile)), { input: { n: 8 } });
    expect((await act(original.id, "replay")).body).toEqual({
      moves: 3,
      lastSeq: expect.any(Number),
      same: true,
      divergence: null,
    });
    await test.db.query(`update run_events set patch = '[]' where execution_id = $1 and patch is not null`, [
      original.id,
    ]);
    const tampered = (await act(original.id, "replay")).body;
    expect(tampered).toMatchObject({ same: false, divergence: { seq: expect.any(Number) } });
  });

  it("says what cannot be retried, and why", async () => {
    const workflow = await publish(repair(fragile));
    const completed = await run(workflow, { input: { n: 8 } });
    expect((await act(completed.id, "retry")).body.error.code).toBe("NOT_RETRYABLE");
    expect((await act(completed.id, "retry", { nodeId: "nowhere" })).body.error.code).toBe("NODE_NOT_RUN");
    const waiting = await run(await publish({ initial: "w", states: { w: { on: { go: "done" } }, done: done(1) } }));
    expect((await act(waiting.id, "retry")).body.error.code).toBe("STILL_RUNNING");
    const broken = {
      first: fragile.states.first,
      second: { invoke: { src: "core.fail", input: { code: "NO", message: "no" } } },
    };
    const failing = await publish({ ...fragile, states: broken });
    const failed = await run(failing, { input: { n: 1 } });
    const without = { initial: "first", states: { first: transform({ half: 1 }, "done"), done: done(null) } };
    expect((await oven.call("PUT", `workflows/${failing}`, { definition: without })).body.version).toBe(2);
    const refused = await act(failed.id, "retry", { version: "current" });
    expect([refused.status, refused.body.error.code]).toEqual([409, "VERSION_INCOMPATIBLE"]);
    expect(refused.body.error.details.problems).toEqual([
      { stateId: "second", message: expect.stringContaining("no such state") },
    ]);
    await oven.call("PUT", `workflows/${failing}`, { enabled: false });
    expect((await act(failed.id, "retry")).body.error.code).toBe("WORKFLOW_DISABLED");
  });

  it("tries all dead letters of a workflow again, once", async () => {
    const workflow = await publish(fragile);
    const failed = [await run(workflow, { input: { n: 2 } }), await run(workflow, { input: { n: 4 } })];
    await oven.call("PUT", `workflows/${workflow}`, { definition: repair(fragile) });
    const redrive = (body: object) => oven.call("POST", "workflow-executions/redrive", body);
    const { body } = await redrive({ workflow, version: "current" });
    expect(body.retried.map(({ id }: { id: number }) => id)).toEqual(failed.map(({ id }) => id));
    for (const { as } of body.retried) expect((await ended(as)).status).toBe("completed");
    expect((await redrive({ workflow })).body).toEqual({ retried: [], refused: [] });
    expect((await redrive({ ids: [999_999] })).body.refused).toMatchObject([{ id: 999_999, code: "NOT_FOUND" }]);
  });

  it("runs a part of a graph, with pins, or dry", async () => {
    const workflow = await publish(repair(fragile));
    const part = await run(workflow, { input: { n: 8 }, options: { until: "first" } });
    expect(part).toMatchObject({
      status: "completed",
      outcome: "partial",
      output: { half: 4 },
      options: { until: "first" },
    });
    const pinned = await run(workflow, { input: { n: 8 }, options: { from: "second", pins: { first: { half: 9 } } } });
    expect(pinned).toMatchObject({ status: "failed", errorInfo: { code: "MISSING_VALUE" } });
    expect((await run(workflow, { input: { n: 8 }, options: { pins: { first: { half: 9 } } } })).output).toEqual({
      share: 9,
      total: 2,
    });
    const unknown = await oven.call("POST", `workflows/${workflow}/execute`, {
      input: { n: 1 },
      options: { until: "nowhere" },
    });
    expect([unknown.status, unknown.body.error.code]).toEqual([422, "STATE_UNKNOWN"]);
    const http = await publish({
      initial: "call",
      states: {
        call: { invoke: { src: "core.http", input: { url: "http://127.0.0.1:9/never" }, onDone: "done" } },
        done: done("$.call_output.status"),
      },
    });
    expect(await run(http, { options: { dryRun: true } })).toMatchObject({
      status: "completed",
      options: { dryRun: true },
    });
    expect(
      (await oven.call("POST", `workflows/${http}/execute`, { options: { dryRun: true, recordingOf: 999_999 } }))
        .status,
    ).toBe(404);
  });

  it("exports a run with its children as one file that can be gone through again", async () => {
    const body = { work: transform({ n: "$.item" }, "out"), out: done("$.work_output.n") };
    const loop = {
      type: "forEach",
      collection: [1, 2],
      concurrency: 2,
      bodyInitial: "work",
      bodyStates: body,
      onDone: "done",
    };
    const { id } = await run(
      await publish({ initial: "each", states: { each: { loop }, done: done("$.each_output.count") } }),
    );
    const response = await oven.fetch(`workflow-executions/${id}/export`);
    expect(response.headers.get("content-disposition")).toBe(`attachment; filename="run-${id}.json"`);
    const { runs } = RunExportSchema.parse(await response.json());
    expect(runs.map(({ execution }) => [execution.part, execution.status, execution.output])).toEqual([
      [null, "completed", 2],
      ["each", "completed", 1],
      ["each", "completed", 2],
    ]);
    const [root] = runs;
    expect(root?.log.map(({ seq }) => seq)).toEqual(root?.log.map((_, index) => index + 1));
    expect(root?.signals).toHaveLength(2);
    expect(root?.workflow.definition).toMatchObject({ initial: "each" });
  });

  it("does not retry a child by itself", async () => {
    const body = { work: { invoke: { src: "core.fail", input: { code: "NO", message: "no" } } } };
    const loop = {
      type: "forEach",
      collection: [1, 2],
      concurrency: 2,
      bodyInitial: "work",
      bodyStates: body,
      onDone: "done",
    };
    const parent = await run(await publish({ initial: "each", states: { each: { loop }, done: done(null) } }));
    expect(parent).toMatchObject({ status: "failed", errorInfo: { code: "NO" } });
    const { body: children } = await oven.call("GET", `workflow-executions?filter={"parentId":${parent.id}}`);
    expect((await act(children[0].id, "retry")).body.error).toMatchObject({
      code: "CHILD_RUN",
      details: { parentId: parent.id },
    });
  });

  it("[004-258] keeps no checkpoints where CHECKPOINT_ENABLED is off, and caps what a run may cost", async () => {
    const workflow = await publish(repair(fragile));
    const set = (key: string, value: unknown) =>
      oven.call("POST", "module-configs", { moduleName: "module-workflows", key, scopeId: String(workflow), value });
    expect((await set("CHECKPOINT_ENABLED", false)).status).toBe(201);
    const original = await run(workflow, { input: { n: 8 } });
    expect(original.status).toBe("completed");
    const { body } = await oven.call("GET", `workflow-executions/${original.id}/checkpoints`);
    expect(body.error.code).toBe("CHECKPOINTS_MISSING");
  });
});
