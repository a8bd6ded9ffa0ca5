import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule, defineModule, defineNode, done } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { z } from "zod";
import { ask } from "../reviews/testing/reviewed-oven.ts";
import { createWorkflowsModule } from "../workflows.module.ts";

const POLL = { interval: 20, timeout: 20_000 };

describe.each(testDatabases(inject("postgresUrl")))("a run with steps that can be undone, on $name", ({ open }) => {
  let database: TestDatabase;
  let oven: TestOven;
  const calls: string[] = [];

  const note = defineNode({
    id: "test.note",
    version: 1,
    title: "Note",
    docs: "Notes what it is given.",
    category: "core",
    kind: "flow",
    effect: "idempotent",
    retry: { maxAttempts: 1 },
    input: z.strictObject({ text: z.string() }),
    output: z.strictObject({ id: z.string() }),
    run: async ({ input: { text } }) => {
      if (text === "fail") throw new Error("it cannot be done");
      calls.push(text);
      return done({ id: `${text}-id` });
    },
  });
  const notes = (text: string, onDone: string, more: object = {}) => ({
    invoke: { src: "test.note", input: { text }, onDone },
    ...more,
  });
  const back = notes("back {{ $.undo.output.id }}", "undone");
  const ends = { done: { type: "final" }, undone: { type: "final" }, back };

  const start = async (name: string, states: object): Promise<number> => {
    const definition = { initial: "one", states: { ...ends, ...states } };
    const { status, body } = await oven.call("POST", "workflows", { name, definition });
    expect(status, JSON.stringify(body)).toBe(201);
    calls.length = 0;
    return (await oven.call("POST", `workflows/${body.id}/execute?wait=20`, {})).body.id;
  };
  const show = async (id: number) => (await oven.call("GET", `workflow-executions/${id}`)).body;
  const failing = {
    one: notes("one", "two", { undo: "back" }),
    two: notes("two", "three", { undo: "back" }),
    three: notes("fail", "done"),
  };

  beforeAll(async () => {
    database = await open();
    const tests = defineModule({
      ...{ name: "module-test", namespace: "test", description: "Nodes of the test.", dependencies: [] },
      nodes: [note, ask],
    });
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule(), tests];
    oven = await startTestOven({ createRuntime, modules, db: database.db });
  });
  afterAll(async () => {
    await oven.stop();
    await database.close();
  });

  it("undoes them when it fails, says so, and shows the steps", async () => {
    const id = await start("Fails", failing);
    const run = await show(id);
    expect(calls).toEqual(["one", "two", "back two-id", "back one-id"]);
    expect(run.status).toBe("failed");
    expect(run.errorInfo ?? run.error).toMatchObject({ message: "it cannot be done. Undone: two, one." });
    const { body: rows } = await oven.call("GET", `workflow-executions/${id}/nodes`);
    expect(JSON.stringify(rows)).toContain('"back"');
  });

  it("is not tried again or forked, and its replay is the same", async () => {
    const id = await start("Fails once more", failing);
    const retry = await oven.call("POST", `workflow-executions/${id}/retry`, {});
    expect([retry.status, retry.body.error.code]).toEqual([409, "RUN_UNDONE"]);
    const fork = await oven.call("POST", `workflow-executions/${id}/fork`, { checkpoint: 2 });
    expect([fork.status, fork.body.error.code]).toEqual([409, "RUN_UNDONE"]);
    const replay = await oven.call("POST", `workflow-executions/${id}/replay`, {});
    expect(replay.body).toMatchObject({ same: true });
  });

  it("undoes them when a paused run is cancelled", async () => {
    const request = {
      ...{ title: "Go on?", proposal: null, schema: null, context: null, tool: null, assignees: [] },
      ...{ actions: ["approve", "reject"], dueAt: null },
    };
    const id = await start("Waits", {
      one: notes("one", "two", { undo: "back" }),
      two: { invoke: { src: "test.ask", input: { request: { $literal: request } }, onDone: "done" } },
    });
    expect((await show(id)).status).toBe("paused");
    await oven.call("POST", `workflow-executions/${id}/cancel`, {});
    await expect.poll(async () => (await show(id)).status, POLL).toBe("cancelled");
    expect(calls).toEqual(["one", "back one-id"]);
  });
});
