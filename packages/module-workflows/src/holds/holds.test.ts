import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule, defineModule, defineNode, done } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { ask } from "../reviews/testing/reviewed-oven.ts";
import { createWorkflowsModule } from "../workflows.module.ts";

const POLL = { interval: 10, timeout: 20_000 };
/** Long enough that a step which wrongly began would be seen. */
const QUIET_MS = 300;

describe.each(testDatabases(inject("postgresUrl")))("a hold, on $name", ({ open }) => {
  let database: TestDatabase;
  let oven: TestOven;
  /** Names of the steps that were called, in order. */
  const called: string[] = [];
  /** Ends the call that is under way. */
  let letThrough: (() => void) | undefined;
  let isSlow = false;
  let slow: number;
  let other: number;

  const call = defineNode({
    id: "test.call",
    version: 1,
    title: "Call",
    docs: "Calls.",
    category: "core",
    kind: "flow",
    effect: "at-most-once",
    input: z.strictObject({}),
    output: z.strictObject({ at: z.int() }),
    run: async ({ node }) => {
      called.push(`${node.executionId} ${node.nodeId}`);
      if (isSlow) await new Promise<void>((resolve) => (letThrough = resolve));
      return done({ at: called.length });
    },
  });
  const chain = {
    initial: "one",
    states: {
      one: { invoke: { src: "test.call", onDone: "two" } },
      two: { invoke: { src: "test.call", onDone: "done" } },
      done: { type: "final" },
    },
  };
  const make = async (name: string, definition: object): Promise<number> => {
    const { status, body } = await oven.call("POST", "workflows", { name, definition });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id;
  };
  const start = async (workflow: number, query = ""): Promise<number> =>
    (await oven.call("POST", `workflows/${workflow}/execute${query}`, {})).body.id;
  const statusOf = async (run: number) => (await oven.call("GET", `workflow-executions/${run}`)).body.status;
  const hold = (body: object) => oven.call("POST", "holds", body);
  const letGoOn = async (id: number) => expect((await oven.call("DELETE", `holds/${id}`)).status).toBe(200);
  const quiet = () => new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  const stepsOf = (run: number) =>
    called.filter((entry) => entry.startsWith(`${run} `)).map((entry) => entry.split(" ")[1]);

  beforeAll(async () => {
    database = await open();
    const tests = defineModule({
      ...{ name: "module-test", namespace: "test", description: "Nodes of the test.", dependencies: [] },
      nodes: [call, ask],
    });
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule(), tests];
    oven = await startTestOven({ createRuntime, modules, db: database.db });
    slow = await make("Slow", chain);
    other = await make("Other", chain);
  });
  afterAll(async () => {
    await oven.stop();
    await database.close();
  });

  it("of a run records the call that is under way, begins no other, and loses nothing", async () => {
    isSlow = true;
    const run = await start(slow);
    await expect.poll(() => stepsOf(run), POLL).toEqual(["one"]);
    const { status, body } = await hold({ executionId: run, reason: "Wrong customer" });
    expect(status).toBe(201);
    expect(body).toMatchObject({ executionId: run, workflow: null, reason: "Wrong customer" });
    isSlow = false;
    letThrough?.();
    await quiet();
    expect(stepsOf(run)).toEqual(["one"]);
    const { body: held } = await oven.call("GET", `workflow-executions/${run}`);
    expect(held.status).toBe("running");
    expect(held.nodes.filter(({ status: its }: { status: string }) => its === "completed")).toHaveLength(1);
    expect((await hold({ executionId: run })).body.error).toMatchObject({ code: "HELD_ALREADY" });
    await letGoOn(body.id);
    await expect.poll(() => statusOf(run), POLL).toBe("completed");
    expect(stepsOf(run)).toEqual(["one", "two"]);
  });

  it("of a workflow accepts starts that wait, leaves other workflows alone, and shows in the list", async () => {
    const { body } = await hold({ workflow: { kind: "workflow", id: slow } });
    expect(body).toMatchObject({ workflow: { kind: "workflow", id: slow, name: "Slow" }, executionId: null });
    const runs = [await start(slow), await start(slow)];
    const free = await start(other, "?wait=20");
    expect(await statusOf(free)).toBe("completed");
    await quiet();
    for (const run of runs) expect([await statusOf(run), stepsOf(run)]).toEqual(["pending", []]);
    expect((await oven.call("GET", "holds")).body).toMatchObject([{ id: body.id }]);
    await letGoOn(body.id);
    for (const run of runs) await expect.poll(() => statusOf(run), POLL).toBe("completed");
    expect((await oven.call("GET", "holds")).body).toEqual([]);
  });

  it("keeps decisions and timers for afterwards", async () => {
    const request = { title: "Go on?", proposal: null, actions: ["approve", "reject"] };
    const asks = await make("Asks", {
      initial: "ask",
      states: {
        ask: { invoke: { src: "test.ask", input: { request }, onDone: "wait" } },
        wait: { invoke: { src: "core.delay", input: { ms: 50 }, onDone: "after" } },
        after: { invoke: { src: "test.call", onDone: "done" } },
        done: { type: "final" },
      },
    });
    const run = await start(asks, "?wait=20");
    expect(await statusOf(run)).toBe("paused");
    const { body } = await hold({ all: true });
    const { body: reviews } = await oven.call("GET", `reviews?filter={"executionId":${run}}`);
    const decided = await oven.call("POST", `reviews/${reviews[0].id}/decide`, { action: "approve" });
    expect(decided.body).toMatchObject({ status: "decided" });
    await quiet();
    expect([await statusOf(run), stepsOf(run)]).toEqual(["paused", []]);
    await letGoOn(body.id);
    await expect.poll(() => statusOf(run), POLL).toBe("completed");
    expect(stepsOf(run)).toEqual(["after"]);
  });

  it("does not keep a run from being cancelled", async () => {
    const { body } = await hold({ workflow: { kind: "workflow", id: slow } });
    const run = await start(slow);
    expect((await oven.call("POST", `workflow-executions/${run}/cancel`, {})).status).toBeLessThan(300);
    await expect.poll(() => statusOf(run), POLL).toBe("cancelled");
    expect(stepsOf(run)).toEqual([]);
    await letGoOn(body.id);
  });

  it("is of those who may, and of one thing", async () => {
    const permissions = ["holds.manage", "holds.read"];
    const bindings = { name: "bound", permissions, workflows: [`workflow:${other}`] };
    const { body: bound } = await oven.call("POST", "api-keys", bindings);
    const about = { workflow: { kind: "workflow", id: slow } };
    expect((await oven.call("POST", "holds", about, { key: bound.key })).body.error).toMatchObject({
      code: "FORBIDDEN",
    });
    const { body: held } = await hold(about);
    expect((await oven.call("GET", "holds", undefined, { key: bound.key })).body).toEqual([]);
    expect((await oven.call("DELETE", `holds/${held.id}`, undefined, { key: bound.key })).status).toBe(403);
    await letGoOn(held.id);
    const { body: reader } = await oven.call("POST", "api-keys", { name: "reader", permissions: ["holds.read"] });
    expect((await oven.call("POST", "holds", { all: true }, { key: reader.key })).status).toBe(403);
    expect((await hold({})).body.error).toMatchObject({ code: "INVALID_REQUEST" });
    expect((await hold({ all: true, executionId: 1 })).body.error).toMatchObject({ code: "INVALID_REQUEST" });
    expect((await hold({ executionId: 999_999 })).status).toBe(404);
  });
});
