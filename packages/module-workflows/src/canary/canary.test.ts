import type { CanaryReport } from "@oven/contract/workflow";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule, defineModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { invite, startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { ask } from "../reviews/testing/reviewed-oven.ts";
import { createWorkflowsModule } from "../workflows.module.ts";
import { takesCandidate } from "./choose-version.ts";

const POLL = { interval: 20, timeout: 20_000 };
const canaryOf = (share: number, callers: string[] = []) => ({
  ...{ version: 2, share, callers, rollback: null, startedBy: null, startedAt: "" },
});

describe("the choice of a version", () => {
  const taken = (share: number, workflow = 7) =>
    Array.from({ length: 1_000 }, (_, key) => takesCandidate(canaryOf(share), workflow, { userId: 1 }, String(key)));

  it.each([
    [0, 0],
    [10, 102],
    [50, 515],
    [100, 1_000],
  ])(
    "gives a share of %s percent of a thousand runs to the candidate: exactly %s, and the same ones each time",
    (share, count) => {
      expect(taken(share).filter(Boolean)).toHaveLength(count);
      expect(taken(share)).toEqual(taken(share));
    },
  );

  it("keeps who has the candidate on it when the share grows, and mixes workflows differently", () => {
    const [ten, half] = [taken(10), taken(50)];
    expect(ten.every((is, key) => !is || half[key])).toBe(true);
    expect(taken(50)).not.toEqual(taken(50, 8));
  });

  it("goes by the callers where they are named, and by nothing else", () => {
    const canary = canaryOf(100, ["user:3", "key:7"]);
    const of = (userId: number | null, keyId?: number) =>
      takesCandidate(canary, 1, { userId, ...(keyId === undefined ? {} : { keyId }) }, "k");
    expect([of(3), of(4), of(4, 7), of(null)]).toEqual([true, false, true, false]);
  });
});

describe.each(testDatabases(inject("postgresUrl")))("a canary, on $name", ({ open }) => {
  let database: TestDatabase;
  let oven: TestOven;
  const final = (output: string, more: object = {}) => ({
    initial: "done",
    states: { done: { type: "final", output, ...more } },
  });
  const request = { title: "Go on?", proposal: null, actions: ["approve"] };
  const asks = (output: string) => ({
    initial: "look",
    states: {
      look: { invoke: { src: "test.ask", input: { request }, onDone: "done" } },
      done: { type: "final", output },
    },
  });
  const failing = { initial: "no", states: { no: { type: "final", outcome: "failed" } } };
  const make = async (name: string, definition: object): Promise<string> => {
    const { status, body } = await oven.call("POST", "workflows", { name, definition });
    expect(status, JSON.stringify(body)).toBe(201);
    return `workflows/${body.id}`;
  };
  /** Publishes a draft as the candidate. */
  const begin = async (path: string, definition: object, body: object): Promise<CanaryReport> => {
    const { version } = (await oven.call("GET", path)).body;
    const saved = await oven.call("PUT", `${path}/draft`, { definition, baseVersion: version, revision: 0 });
    expect(saved.status, JSON.stringify(saved.body)).toBe(200);
    const set = await oven.call("PUT", `${path}/canary`, { draftRevision: saved.body.revision, ...body });
    expect(set.status, JSON.stringify(set.body)).toBe(200);
    return set.body;
  };
  const start = async (path: string, headers: Record<string, string> = {}) =>
    (await oven.call("POST", `${path}/execute?wait=30`, {}, { headers })).body;

  beforeAll(async () => {
    database = await open();
    const tests = defineModule({
      ...{ name: "module-test", namespace: "test", description: "A node that asks.", dependencies: [] },
      nodes: [ask],
    });
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule(), tests];
    oven = await startTestOven({ createRuntime, modules, db: database.db });
  });
  afterAll(async () => {
    await oven.stop();
    await database.close();
  });

  it("gives runs to the draft that was published as a candidate, by their keys, and shows both sides", async () => {
    const path = await make("Shares", final("old"));
    const { canary } = await begin(path, final("new"), { share: 50 });
    expect(canary).toMatchObject({ version: 2, share: 50, callers: [] });
    expect((await oven.call("GET", path)).body).toMatchObject({ version: 1, canary: { version: 2 } });
    const id = Number(path.split("/")[1]);
    let news = 0;
    for (let index = 0; index < 12; index += 1) {
      const key = `key-${index}`;
      const isNew = canary !== null && takesCandidate(canary, id, { userId: null }, key);
      news += isNew ? 1 : 0;
      const run = await start(path, { "idempotency-key": key });
      expect([run.workflowVersion, run.output]).toEqual(isNew ? [2, "new"] : [1, "old"]);
    }
    expect(news).toBeGreaterThan(0);
    expect((await oven.call("GET", `${path}/canary`)).body).toMatchObject({
      live: { version: 1, starts: 12 - news, completed: 12 - news, failed: 0 },
      candidate: { version: 2, starts: news, completed: news, failed: 0 },
    });
    const promoted = await oven.call("POST", `${path}/canary/promote`, {});
    expect(promoted.body).toMatchObject({ version: 3, canary: null });
    expect(await start(path)).toMatchObject({ workflowVersion: 3, output: "new" });
  });

  it("leaves runs that have begun on their version when it is stopped, and ends when another version is published", async () => {
    const path = await make("Stopped", asks("old"));
    await begin(path, asks("new"), { share: 100 });
    const run = await start(path);
    expect(run).toMatchObject({ workflowVersion: 2, status: "paused" });
    expect((await oven.call("DELETE", `${path}/canary`)).body).toEqual({ canary: null, live: null, candidate: null });
    expect((await start(path)).workflowVersion).toBe(1);
    const [review] = await oven.db.query<{ id: number }>("select id from reviews where execution_id = $1", [run.id]);
    await oven.call("POST", `reviews/${review?.id}/decide`, { action: "approve" });
    const ended = async () => (await oven.call("GET", `workflow-executions/${run.id}`)).body;
    await expect.poll(async () => (await ended()).status, POLL).toBe("completed");
    expect(await ended()).toMatchObject({ workflowVersion: 2, output: "new" });
    expect((await oven.call("DELETE", `${path}/canary`)).body.error.code).toBe("NO_CANARY");

    expect((await oven.call("PUT", `${path}/canary`, { version: 2, share: 100 })).body.canary).toMatchObject({
      version: 2,
    });
    const published = await oven.call("PUT", path, { definition: asks("newest"), version: 1 });
    expect(published.body).toMatchObject({ version: 3, canary: null });
    expect((await start(path)).workflowVersion).toBe(3);
    const live = await oven.call("PUT", `${path}/canary`, { version: 3 });
    expect([live.status, live.body.error.code]).toEqual([409, "CANARY_IS_LIVE"]);
  });

  it("is ended by its rule, once, when more runs of the candidate fail than it allows", async () => {
    const path = await make("Fails", final("old"));
    const rollback = { failurePercent: 20, minRuns: 3 };
    await begin(path, failing, { share: 100, rollback });
    const running = async () => (await oven.call("GET", `${path}/canary`)).body.canary.stopped === undefined;
    expect([await start(path), await start(path)]).toMatchObject([{ status: "failed" }, { status: "failed" }]);
    expect(await running()).toBe(true);
    const last = await Promise.all([start(path), start(path), start(path)]);
    expect(last.some(({ status }) => status === "failed")).toBe(true);
    await expect.poll(running, POLL).toBe(false);
    expect(await start(path)).toMatchObject({ workflowVersion: 1, status: "completed" });
    const fired = await oven.db.query("select 1 from outbox_events where name = 'workflows.workflow.canary-stopped'");
    const noted = await oven.db.query("select 1 from audit_log where action like 'canary stopped%'");
    expect([fired.length, noted.length]).toEqual([1, 1]);
  });

  it("shows scores beside each other, and ends when those of the candidate drop, days after its runs", async () => {
    const path = await make("Scored", final("old"));
    const score = { name: "outcome", below: 0.5, samples: 2 };
    await begin(path, final("new"), { share: 100, rollback: { failurePercent: 100, minRuns: 1, score } });
    const runs = [await start(path), await start(path), await start(path)];
    const give = (run: number, value: number) =>
      oven.call("POST", `workflow-executions/${runs[run].id}/scores`, { name: "outcome", value });
    await give(0, 0.8);
    await give(1, 0.4);
    const { canary, live, candidate } = (await oven.call("GET", `${path}/canary`)).body;
    expect(canary).not.toBeNull();
    expect([live.scores, candidate.scores]).toEqual([[], [{ name: "outcome", count: 2, mean: 0.6 }]]);
    expect((await give(2, 0)).status).toBe(200);
    // What was compared can still be looked at, until the candidate is put away or begins anew.
    const after = (await oven.call("GET", `${path}/canary`)).body;
    expect(after).toMatchObject({
      canary: { version: 2, stopped: { why: "the score outcome of 3 runs is 0.4" } },
      candidate: { version: 2, starts: 3, scores: [{ count: 3, mean: 0.4 }] },
    });
    expect(await start(path)).toMatchObject({ workflowVersion: 1 });
    const again = await oven.call("PUT", `${path}/canary`, { version: 2, share: 100 });
    expect(again.body.canary.stopped).toBeUndefined();
    expect(again.body.candidate).toMatchObject({ starts: 0, scores: [] });
    expect((await oven.call("DELETE", `${path}/canary`)).body.canary).toBeNull();
    const [noted] = await oven.db.query("select action from audit_log where action like 'canary stopped: the score%'");
    expect(noted).toEqual({ action: "canary stopped: the score outcome of 3 runs is 0.4" });
  });

  it("is set by those who may publish, and by nobody else", async () => {
    const path = await make("Guarded", final("old"));
    const operator = await invite(oven, "operator@example.com", ["operator"]);
    for (const [method, rest] of [
      ["PUT", ""],
      ["DELETE", ""],
      ["POST", "/promote"],
    ] as const) {
      const { status } = await oven.call(method, `${path}/canary${rest}`, { version: 1 }, operator);
      expect(status).toBe(403);
    }
    expect((await oven.call("GET", `${path}/canary`, undefined, operator)).status).toBe(200);
  });
});
