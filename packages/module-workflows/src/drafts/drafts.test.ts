import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestAnswer, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

const says = (message: string) => ({
  initial: "say",
  states: {
    say: { invoke: { src: "core.transform", input: { mapping: { message } }, onDone: "done" } },
    done: { type: "final", output: "$.say_output.message" },
  },
});

describe.each(testDatabases(inject("postgresUrl")))("drafts on $name", ({ open }) => {
  let database: TestDatabase;
  let oven: TestOven;
  let path: string;
  let count = 0;

  beforeAll(async () => {
    database = await open();
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, modules, db: database.db });
  });
  afterAll(async () => {
    await oven.stop();
    await database.close();
  });
  beforeEach(async () => {
    const { body } = await oven.call("POST", "workflows", { name: `Drawn ${++count}`, definition: says("published") });
    path = `workflows/${body.id}`;
  });

  const save = (definition: unknown, revision: number, baseVersion = 1): Promise<TestAnswer> =>
    oven.call("PUT", `${path}/draft`, { definition, baseVersion, revision });
  const test = (body: object = {}, headers = {}): Promise<TestAnswer> =>
    oven.call("POST", `${path}/draft/execute?wait=30`, body, { headers });

  it("are none at first, then what was saved last, exactly, valid or not", async () => {
    expect((await oven.call("GET", `${path}/draft`)).status).toBe(404);
    const odd = { states: { b: { z: "\u0000", a: "\ud800" }, a: [] }, initial: 5 };
    const first = await save(odd, 0);
    expect(first).toMatchObject({ status: 200, body: { revision: 1, baseVersion: 1, definition: odd } });
    expect((await save({}, 1)).body).toMatchObject({ revision: 2, definition: {} });
    const read = await oven.call("GET", `${path}/draft`);
    expect(read.body).toEqual({
      revision: 2,
      baseVersion: 1,
      definition: {},
      updatedAt: expect.any(String),
      updatedBy: first.body.updatedBy,
    });
    expect((await oven.call("GET", path)).body).toMatchObject({ version: 1, definition: says("published") });
  });

  it("of two editors who save at once one is told, with the other's draft to merge with", async () => {
    await save(says("both see this"), 0);
    for (const revision of [1, 2, 3]) {
      const answers = await Promise.all(["one", "two", "three"].map((who) => save(says(who), revision)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409]);
      const won = answers.find(({ status }) => status === 200)?.body;
      for (const { body } of answers.filter(({ status }) => status === 409))
        expect(body.error).toMatchObject({ code: "STALE_DRAFT", details: { current: won } });
      expect((await oven.call("GET", `${path}/draft`)).body).toEqual(won);
    }
  });

  it("of two who begin at once one is told", async () => {
    const answers = await Promise.all(["one", "two"].map((who) => save(says(who), 0)));
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409]);
  });

  it("are no base for a revision that was never given, nor for a version that is not published", async () => {
    const never = await save(says("x"), 7);
    expect(never).toMatchObject({ status: 409, body: { error: { details: { current: null } } } });
    expect(await save(says("x"), 0, 2)).toMatchObject({ status: 400, body: { error: { path: "$.baseVersion" } } });
    expect((await oven.call("GET", `${path}/draft`)).status).toBe(404);
  });

  it("take JSON objects only, as deep and as large as definitions may be", async () => {
    for (const definition of [[], "x", null, 5]) expect((await save(definition, 0)).status).toBe(400);
    let deep = {};
    for (let level = 0; level < 600; level++) deep = { deep };
    expect((await save(deep, 0)).body.error.code).toBe("INVALID_JSON");
    expect((await save({ text: "x".repeat(8 * 1_048_576) }, 0)).body.error.code).toBe("BODY_TOO_LARGE");
    expect((await save({ text: "x".repeat(7 * 1_048_576) }, 0)).status).toBe(200);
  });

  it("go when they are published, unless a newer one was saved meanwhile", async () => {
    await save(says("first"), 0);
    const published = { definition: says("first"), draftRevision: 1 };
    expect((await oven.call("PUT", path, published)).body.version).toBe(2);
    expect((await oven.call("GET", `${path}/draft`)).status).toBe(404);
    // A revision is never given twice: whoever still holds the published one must not overwrite what came after it.
    expect((await save(says("late"), 1)).body.error).toMatchObject({ code: "STALE_DRAFT", details: { current: null } });
    expect((await save(says("second"), 0, 2)).body.revision).toBe(2);
    await save(says("third"), 2, 2);
    expect((await oven.call("PUT", path, { definition: says("second"), draftRevision: 2 })).status).toBe(200);
    expect((await oven.call("GET", `${path}/draft`)).body).toMatchObject({ revision: 3, definition: says("third") });
    expect((await oven.call("PUT", path, { definition: says("other") })).status).toBe(200);
    expect((await oven.call("GET", `${path}/draft`)).status).toBe(200);
  });

  it("stay when publishing them is refused", async () => {
    await save({ initial: "nowhere", states: {} }, 0);
    const broken = { definition: { initial: "nowhere", states: {} }, draftRevision: 1 };
    expect((await oven.call("PUT", path, broken)).status).toBe(400);
    expect((await oven.call("PUT", path, { ...broken, definition: says("x"), version: 9 })).status).toBe(409);
    expect((await oven.call("GET", `${path}/draft`)).status).toBe(200);
  });

  it("are discarded, of the revision that is named only", async () => {
    await save(says("first"), 0);
    await save(says("second"), 1);
    expect((await oven.call("DELETE", `${path}/draft?revision=1`)).body.error.code).toBe("STALE_DRAFT");
    expect((await oven.call("DELETE", `${path}/draft?revision=2`)).status).toBe(204);
    expect((await oven.call("DELETE", `${path}/draft`)).status).toBe(404);
    await save(says("third"), 0);
    expect((await oven.call("DELETE", `${path}/draft`)).status).toBe(204);
  });

  it("are deleted with their workflow", async () => {
    await save(says("x"), 0);
    const count = () => database.db.query("select 1 from workflow_drafts where workflow_id = $1", [path.split("/")[1]]);
    expect(await count()).toHaveLength(1);
    expect((await oven.call("DELETE", path)).status).toBe(204);
    expect(await count()).toHaveLength(0);
  });

  it("are run as a test only: with an input, up to a step, with pinned outputs; what is published stays what runs", async () => {
    await save(says("drafted"), 0);
    const tested = await test({});
    expect(tested).toMatchObject({
      status: 200,
      body: { status: "completed", output: "drafted", triggerEvent: "test", workflowVersion: -1 },
    });
    const pinned = await test({ pins: { say: { message: "pinned" } }, revision: 1 });
    expect(pinned.body).toMatchObject({ output: "pinned", options: { pins: { say: { message: "pinned" } } } });
    expect((await test({ until: "say" })).body.outcome).toBe("partial");
    const plain = await oven.call("POST", `${path}/execute?wait=30`, {});
    expect(plain.body).toMatchObject({ output: "published", workflowVersion: 1, triggerEvent: null });
    const versions = await oven.call("GET", `${path}/versions`);
    expect(versions.body.map(({ version }: { version: number }) => version)).toEqual([1]);
    const [kept] = await database.db.query<{ id: number }>(
      "select id from workflow_versions where workflow_id = $1 and version = -1",
      [tested.body.workflowId],
    );
    expect((await oven.call("GET", `${path}/versions/${kept?.id}`)).status).toBe(404);
    expect((await oven.call("POST", `${path}/versions/${kept?.id}/restore`)).status).toBe(404);
    const only = await oven.call(
      "GET",
      `workflow-executions?filter={"workflowId":${tested.body.workflowId},"workflowVersion":1}`,
    );
    expect(only.body).toHaveLength(1);
  });

  it("keep for each test run what it began with", async () => {
    const waits = {
      initial: "wait",
      states: {
        wait: { invoke: { src: "core.requestInput", input: { title: "?" }, onDone: "say" } },
        ...says("one").states,
      },
    };
    await save(waits, 0);
    const waiting = await test();
    expect(waiting.body.status).toBe("paused");
    await save(says("two"), 1);
    expect((await test()).body).toMatchObject({ output: "two", workflowVersion: -2 });
    await oven.call("DELETE", `${path}/draft`);
    const answered = { action: "submit", data: {} };
    const resumed = await oven.call("POST", `workflow-executions/${waiting.body.id}/resume`, answered);
    expect(resumed.status, JSON.stringify(resumed.body)).toBe(200);
    const run = `workflow-executions/${waiting.body.id}`;
    expect((await oven.call("GET", `${run}/definition`)).body).toMatchObject({ version: -1, definition: waits });
    const [first] = (await oven.call("GET", `${run}/checkpoints`)).body;
    const again = await oven.call("POST", `${run}/fork`, { checkpoint: first.seq });
    expect(again.body).toMatchObject({ workflowVersion: -1, triggerEvent: "test" });
  });

  it("mend a run that failed: it goes on with the draft, as a test of it", async () => {
    const breaks = (second: object) => ({
      initial: "first",
      states: {
        first: { invoke: { src: "core.transform", input: { mapping: { one: 1 } }, onDone: "second" } },
        second,
        done: { type: "final", output: "$.second_output" },
      },
    });
    const transform = (value: string) => ({
      invoke: { src: "core.transform", input: { mapping: { value } }, onDone: "done" },
    });
    const made = await oven.call("POST", "workflows", {
      name: `Broken ${++count}`,
      definition: breaks(transform("$.nowhere")),
    });
    path = `workflows/${made.body.id}`;
    const failed = (await oven.call("POST", `${path}/execute?wait=30`, {})).body;
    expect(failed.status).toBe("failed");
    const run = `workflow-executions/${failed.id}`;
    const report = (nodeId = "") => oven.call("GET", `${run}/compatibility?version=draft${nodeId}`);
    const retry = (body: object = {}, more: object = {}) =>
      oven.call("POST", `${run}/retry`, { version: "draft", ...body }, more);
    expect((await report()).body.error.code).toBe("STALE_DRAFT");
    await save(breaks(transform("$.first_output.one")), 0);
    expect((await report()).body).toMatchObject({ version: -1, compatible: true, problems: [], changed: [] });
    // Looking at it keeps nothing; what goes on is kept by its content.
    const kept = () =>
      database.db.query<{ content_hash: string }>(
        "select content_hash from workflow_versions where workflow_id = $1 and version < 0",
        [failed.workflowId],
      );
    expect(await kept()).toEqual([]);
    expect((await retry({ revision: 7 })).body.error.code).toBe("STALE_DRAFT");
    const going = await retry({ revision: 1 });
    expect(going.body, JSON.stringify(going.body)).toMatchObject({
      retryOf: failed.id,
      workflowVersion: -1,
      triggerEvent: "test",
      options: { test: true },
    });
    const end = async () => (await oven.call("GET", `workflow-executions/${going.body.id}`)).body;
    await expect.poll(async () => (await end()).status).toBe("completed");
    expect((await end()).output).toEqual({ value: 1 });
    const pinned = (await oven.call("GET", `workflow-executions/${going.body.id}/definition`)).body;
    expect(await kept()).toEqual([{ content_hash: pinned.contentHash }]);
    // What ran already is not run again, and told; what the run stands at must be there.
    const changed = breaks(transform("$.first_output.one"));
    changed.states.first.invoke.input.mapping.one = 2;
    await save(changed, 1);
    expect((await report()).body).toMatchObject({ compatible: true, changed: ["first"] });
    expect((await report("&nodeId=first")).body).toMatchObject({ compatible: true, changed: [] });
    const { first, ...others } = breaks(transform("$.begin_output.one")).states;
    await save({ initial: "begin", states: { begin: first, ...others } }, 2);
    const problems = [{ stateId: "first", message: expect.stringContaining("no such state") }];
    expect((await report()).body).toMatchObject({ compatible: false, problems });
    expect((await retry()).body.error).toMatchObject({
      code: "VERSION_INCOMPATIBLE",
      message: expect.stringContaining("the draft"),
      details: { problems },
    });
    await save({ initial: "nowhere", states: {} }, 3);
    expect((await report()).body.error.code).toBe("INVALID_DEFINITION");
    expect((await retry()).body.error.code).toBe("INVALID_DEFINITION");
    const runner = await oven.call("POST", "api-keys", { name: "k", permissions: ["workflows.execute"] });
    expect((await retry({}, { key: runner.body.key })).body.error).toMatchObject({
      code: "FORBIDDEN",
      details: { permission: "workflows.update" },
    });
    expect(await kept()).toHaveLength(1);
  });

  it("need not be there for a run that is meant as a test, and says so", async () => {
    const tested = await oven.call("POST", `${path}/execute?wait=30`, { options: { test: true } });
    expect(tested.body).toMatchObject({ output: "published", workflowVersion: 1, triggerEvent: "test" });
    const filter = encodeURIComponent(JSON.stringify({ workflowId: tested.body.workflowId, triggerEvent: "test" }));
    expect((await oven.call("GET", `workflow-executions?filter=${filter}`)).body).toHaveLength(1);
  });

  it("are tested while the workflow is disabled, and not when they are invalid or of another revision", async () => {
    expect((await test()).status).toBe(404);
    await save({ initial: "nowhere", states: {} }, 0);
    expect((await test()).body.error.code).toBe("INVALID_DEFINITION");
    await save(says("fine"), 1);
    expect((await test({ revision: 1 })).body.error.code).toBe("STALE_DRAFT");
    await oven.call("PUT", path, { enabled: false });
    expect((await test({ revision: 2 })).body.output).toBe("fine");
    expect((await oven.call("POST", `${path}/execute`, {})).body.error.code).toBe("WORKFLOW_DISABLED");
  });

  it("start one test run for each key, apart from the keys of plain runs", async () => {
    await save(says("x"), 0);
    const key = { "idempotency-key": "one" };
    const plain = await oven.call("POST", `${path}/execute`, {}, { headers: key });
    const first = await test({}, key);
    expect(first.body.id).not.toBe(plain.body.id);
    const second = await test({}, key);
    expect(second.body.id).toBe(first.body.id);
    expect(second.headers.get("idempotency-replayed")).toBe("true");
  });

  it("need the permission to change the workflow, and a test run the one to run it as well", async () => {
    await save(says("x"), 0);
    const key = async (actions: string[]) =>
      (await oven.call("POST", "api-keys", { name: "k", permissions: actions.map((one) => `workflows.${one}`) })).body
        .key;
    const [reader, editor, tester] = [
      await key(["read", "execute"]),
      await key(["update"]),
      await key(["update", "execute"]),
    ];
    const testData = path.concat("/test-data");
    for (const method of ["GET", "PATCH"] as const) {
      const body = method === "GET" ? undefined : {};
      expect((await oven.call(method, testData, body, { key: reader })).status, method).toBe(403);
      expect((await oven.call(method, testData, body, { key: editor })).status, method).toBe(200);
    }
    for (const [method, more, body] of [
      ["GET", "", undefined],
      ["PUT", "", { definition: {}, baseVersion: 1, revision: 1 }],
      ["DELETE", "", undefined],
      ["POST", "/execute", {}],
    ] as const)
      expect((await oven.call(method, `${path}/draft${more}`, body, { key: reader })).status, method).toBe(403);
    expect((await oven.call("POST", `${path}/draft/execute`, {}, { key: editor })).body.error).toMatchObject({
      code: "FORBIDDEN",
      details: { permission: "workflows.execute" },
    });
    expect((await oven.call("GET", `${path}/draft`, undefined, { key: editor })).status).toBe(200);
    expect((await oven.call("POST", `${path}/draft/execute`, {}, { key: tester })).status).toBe(202);
  });

  it("are not written down save by save, unlike their test runs", async () => {
    await save(says("x"), 0);
    await test();
    const { body } = await oven.call("GET", "audit-log");
    const actions = body.map(({ action }: { action: string }) => action);
    expect(actions).toContain("POST workflows/[id]/draft/execute");
    expect(actions).not.toContain("PUT workflows/[id]/draft");
  });
});
