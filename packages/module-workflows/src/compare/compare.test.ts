import type { JsonObject } from "@oven/contract";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";
import { compareDefinitions } from "./compare-definitions.ts";

const before: JsonObject = {
  initial: "draft",
  maxSteps: 10,
  meta: { notes: ["a"] },
  states: {
    draft: {
      label: "Draft",
      meta: { position: { x: 1 } },
      invoke: {
        src: "core.transform",
        input: { mapping: { text: "Hello", "unit price": 1 } },
        onDone: [{ target: "check", guard: { type: "cel", params: { expression: "true" } } }, { target: "done" }],
      },
    },
    check: { invoke: { src: "core.log", input: { message: "m" }, onDone: "done" } },
    old: { invoke: { src: "core.log", input: { message: "m" }, onDone: "done" } },
    done: { type: "final" },
  },
};

const after: JsonObject = {
  initial: "draft",
  timeoutMs: 5_000,
  meta: { notes: ["b"] },
  states: {
    draft: {
      label: "Draft",
      meta: { position: { x: 99 } },
      invoke: {
        src: "core.transform",
        input: { mapping: { text: "Hi", "unit price": 2 } },
        onDone: [{ target: "done" }],
      },
    },
    group: {
      initial: "check",
      states: {
        check: { invoke: { src: "core.log", input: { message: "m" }, onDone: "ready" } },
        ready: { type: "final" },
      },
      onDone: "done",
    },
    loop: { loop: { type: "while", bodyInitial: "inside", bodyStates: { inside: { type: "final" } }, onDone: "done" } },
    done: { type: "final" },
  },
};

describe("a comparison of two definitions", () => {
  it("names states by id: added, removed, changed where, moved between groups", () => {
    expect(compareDefinitions(before, after)).toEqual({
      added: ["group", "ready", "loop", "inside"],
      removed: ["old"],
      moved: [{ stateId: "check", from: null, to: "group" }],
      changed: [
        { stateId: "draft", path: "invoke.input.mapping.text", from: "Hello", to: "Hi" },
        { stateId: "draft", path: 'invoke.input.mapping["unit price"]', from: 1, to: 2 },
        {
          stateId: "draft",
          path: "invoke.onDone[0].guard",
          from: { type: "cel", params: { expression: "true" } },
        },
        { stateId: "draft", path: "invoke.onDone[0].target", from: "check", to: "done" },
        { stateId: "draft", path: "invoke.onDone[1]", from: { target: "done" } },
        { stateId: "check", path: "invoke.onDone", from: "done", to: "ready" },
      ],
      settings: [
        { path: "maxSteps", from: 10 },
        { path: "timeoutMs", to: 5_000 },
      ],
    });
  });

  it("is empty for equal ones, whatever the order of keys, and turns around", () => {
    const empty = { added: [], removed: [], changed: [], moved: [], settings: [] };
    expect(compareDefinitions(before, before)).toEqual(empty);
    const { states, ...rest } = before;
    expect(compareDefinitions(before, { states: states ?? null, ...rest })).toEqual(empty);
    const [there, back] = [compareDefinitions(before, after), compareDefinitions(after, before)];
    expect(back.added.toSorted()).toEqual(there.removed.toSorted());
    expect(back.changed).toHaveLength(there.changed.length);
  });

  it("sees the parts of a loop and a key called __proto__", () => {
    const loop = (maxIterations: number, text: string): JsonObject => ({
      states: { l: { loop: { type: "while", maxIterations, bodyInitial: "b", bodyStates: { b: { label: text } } } } },
    });
    expect(compareDefinitions(loop(1, "x"), loop(2, "y")).changed).toEqual([
      { stateId: "l", path: "loop.maxIterations", from: 1, to: 2 },
      { stateId: "b", path: "label", from: "x", to: "y" },
    ]);
    const odd = (value: number) => JSON.parse(`{"context":{"__proto__":${value}},"states":{}}`) as JsonObject; // cast: JSON
    expect(compareDefinitions(odd(1), odd(2)).settings).toEqual([{ path: "context.__proto__", from: 1, to: 2 }]);
  });
});

describe("GET …/versions/compare", () => {
  let oven: TestOven;
  beforeAll(async () => {
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, modules });
  });
  afterAll(() => oven.stop());

  it("compares published versions by number", async () => {
    const definition = (message: string) => ({
      initial: "say",
      states: { say: { invoke: { src: "core.log", input: { message }, onDone: "done" } }, done: { type: "final" } },
    });
    await oven.call("POST", "workflows", { name: "Compared", definition: definition("one") });
    await oven.call("PUT", "workflows/compared", { definition: definition("two") });
    const { status, body } = await oven.call("GET", "workflows/compared/versions/compare?from=1&to=2");
    expect(status).toBe(200);
    expect(body).toMatchObject({
      from: 1,
      to: 2,
      added: [],
      changed: [{ stateId: "say", path: "invoke.input.message", from: "one", to: "two" }],
    });
    expect((await oven.call("GET", "workflows/compared/versions/compare?from=1&to=9")).status).toBe(404);
    expect((await oven.call("GET", "workflows/compared/versions/compare?from=1")).status).toBe(400);
  });
});
