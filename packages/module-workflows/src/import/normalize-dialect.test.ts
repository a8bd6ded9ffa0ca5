import type { JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { normalizeDialect } from "./normalize-dialect.ts";

const final = { type: "final" };
const log = { src: "core.log", input: { message: "x" } };
const one = (state: JsonObject, more: JsonObject = {}): JsonObject => ({
  initial: "one",
  states: { one: state, done: final },
  ...more,
});
/** The state `one` after normalising, and the rules that were applied to it or its parts. */
function normalized(state: JsonObject, accepts?: Parameters<typeof normalizeDialect>[1]) {
  const { definition, changes } = normalizeDialect(one(state), accepts);
  const { states } = definition as { states: { one: JsonObject } }; // cast: the document above has them
  return { state: states.one, rules: changes.map(({ rule }) => rule), changes };
}

describe("transitions", () => {
  it("always beside invoke or loop means when it is done [004-269]", () => {
    const guarded = { target: "done", guard: { type: "condition", params: { key: "$.n", operator: ">", value: 1 } } };
    const { state, changes } = normalized({ invoke: log, always: [guarded, "one"] });
    expect(state).toEqual({
      invoke: { ...log, onDone: [{ ...guarded, guard: { ...guarded.guard, loose: true } }, "one"] },
    });
    expect(changes[0]).toEqual({ path: "$.states.one.always", rule: "always-when-done" });
    const loop = { type: "forEach", collection: "$.list", bodyInitial: "b", bodyStates: { b: final } };
    expect(normalized({ loop, always: { target: "done" } }).state).toEqual({
      loop: { ...loop, onDone: { target: "done" } },
    });
  });

  it("always comes after the branches of an onDone that is there already", () => {
    const { state } = normalized({ invoke: { ...log, onDone: { target: "one" } }, always: "done" });
    expect(state).toEqual({ invoke: { ...log, onDone: [{ target: "one" }, "done"] } });
  });

  it("on: {done, error} is onDone and onError [004-282]", () => {
    const { state, rules } = normalized({ invoke: log, on: { done: "done", error: { target: "one" }, stop: "done" } });
    expect(state).toEqual({ invoke: { ...log, onDone: "done", onError: { target: "one" } }, on: { stop: "done" } });
    expect(rules).toEqual(["on-done", "on-done"]);
  });

  it("leaves an event called done alone where the way out is written [004-270]", () => {
    const state = { invoke: { ...log, onDone: ["one", { target: "done" }] }, on: { done: "done" } };
    expect(normalized(state)).toEqual({ state, rules: [], changes: [] });
  });

  it("outputKey keeps the output as a variable on every way out [004-282]", () => {
    const assign = { type: "assign", params: { path: "$.order", value: "$.one_output" } };
    const { state } = normalized({ invoke: { ...log, outputKey: "order", onDone: ["one", { target: "done" }] } });
    expect(state).toEqual({
      invoke: {
        ...log,
        onDone: [
          { target: "one", actions: [assign] },
          { target: "done", actions: [assign] },
        ],
      },
    });
  });
});

describe("invokes", () => {
  it("takes invoke.type for src and config beside it for input, which wins [004-282]", () => {
    const { state, rules } = normalized({
      invoke: { type: "agent.llm", input: { model: "smart" }, onDone: "done" },
      config: { model: "fast", temperature: 0 },
    });
    expect(state).toEqual({ invoke: { src: "agent.llm", input: { model: "smart", temperature: 0 }, onDone: "done" } });
    expect(rules).toEqual(["invoke-type", "config-beside-invoke"]);
  });

  it("joins params, body and pathParams, unless the node has an input of that name [004-282]", () => {
    const input = { pathParams: { id: 1 }, params: { page: 2 }, body: { id: 9, text: "x" }, own: true };
    const invoke = { src: "notes.notes.update", input, onDone: "done" };
    expect(normalized({ invoke }).state).toEqual({
      invoke: { ...invoke, input: { id: 9, page: 2, text: "x", own: true } },
    });
    const withBody = normalized({ invoke }, (_src, key) => key === "body");
    expect(withBody.state).toEqual({
      invoke: { ...invoke, input: { id: 1, page: 2, body: { id: 9, text: "x" }, own: true } },
    });
    const core = { invoke: { src: "core.http", input: { url: "x", body: { a: 1 } }, onDone: "done" } };
    expect(normalized(core)).toMatchObject({ state: core, changes: [] });
  });
});

describe("guards", () => {
  const guardOf = (guard: JsonObject) => {
    const { state, rules } = normalized({ always: [{ target: "done", guard }, "one"] });
    const [{ guard: result }] = state.always as [{ guard: JsonObject }]; // cast: as written above
    return { result, rules };
  };
  const condition = (key: string, operator: string, value: JsonObject[string], loose = true) => ({
    type: "condition",
    params: { key, operator, value },
    ...(loose ? { loose } : {}),
  });

  it.each([
    [{ key: "fetch_output.total", operator: ">", value: 50 }, condition("$.fetch_output.total", ">", 50)],
    [{ key: "$.total", operator: "==", value: "5" }, condition("$.total", "==", "5")],
    [{ path: "$.kind", equals: "late" }, condition("$.kind", "==", "late")],
    [{ path: "kind", equals: null }, condition("$.kind", "==", null)],
    [{ type: "condition", params: { key: "a.0.b", operator: "!=", value: 1 } }, condition("$.a[0].b", "!=", 1)],
    [{ params: { key: "$.a", operator: "contains", value: 1 } }, condition("$.a", "contains", 1)],
  ])("%j gets its canonical form and compares loosely [004-271] [004-272]", (guard, expected) => {
    expect(guardOf(guard).result).toEqual(expected);
  });

  it("reaches guards inside all, any and not, of actions and of loops [004-276]", () => {
    const flat = { key: "n", operator: "<", value: 3 };
    const nested = guardOf({
      type: "any",
      guards: [
        { type: "not", guard: flat },
        { type: "all", guards: [flat] },
      ],
    });
    expect(nested.result).toEqual({
      type: "any",
      guards: [
        { type: "not", guard: condition("$.n", "<", 3) },
        { type: "all", guards: [condition("$.n", "<", 3)] },
      ],
    });
    const body = { b: { entry: [{ type: "log", params: { message: "x" }, guard: flat }], ...final } };
    const { state } = normalized({
      loop: { type: "while", condition: { params: flat }, bodyInitial: "b", bodyStates: body, onDone: "done" },
    });
    expect(state).toMatchObject({
      loop: {
        condition: condition("$.n", "<", 3),
        bodyStates: { b: { entry: [{ guard: condition("$.n", "<", 3) }] } },
      },
    });
  });

  it("leaves operators alone that compare nothing, and a looseness that is written", () => {
    const exists = guardOf({ key: "a", operator: "exists" }).result;
    expect(exists).toEqual({ type: "condition", params: { key: "$.a", operator: "exists" } });
    const strict = guardOf({ key: "a", operator: "==", value: 1, loose: false }).result;
    expect(strict).toMatchObject({ loose: false });
  });

  it("does not touch CEL nor what is no guard at all", () => {
    const cel = { type: "cel", params: { expression: "ctx.a.b == 1" } };
    expect(guardOf(cel)).toEqual({ result: cel, rules: [] });
    expect(guardOf({ type: "named" })).toEqual({ result: { type: "named" }, rules: [] });
  });
});

describe("loops", () => {
  const body = { bodyInitial: "b", bodyStates: { b: final } };

  it("a loop that invokes core.forEach as well has its ways out and its inputs in the loop", () => {
    const { state, rules } = normalized({
      loop: { type: "forEach", collection: "$.list", parallelBatchSize: 0, ...body },
      invoke: {
        src: "core.forEach",
        input: { collection: "$.other", itemVariable: "row" },
        onDone: { target: "done" },
        onError: "one",
      },
    });
    expect(state).toEqual({
      loop: {
        type: "forEach",
        collection: "$.list",
        itemVariable: "row",
        ...body,
        onDone: { target: "done" },
        onError: "one",
      },
    });
    expect(rules).toEqual(["loop-invoke", "loop-concurrency"]);
  });

  it("key, operator and value of core.whileLoop are the condition; its passes come one by one, whatever the batch size", () => {
    const { state } = normalized({
      loop: { type: "while", parallelBatchSize: 4, ...body },
      invoke: { src: "core.whileLoop", input: { key: "n", operator: "<", value: 3, maxIterations: 9 }, onDone: "done" },
    });
    expect(state).toMatchObject({
      loop: {
        maxIterations: 9,
        onDone: "done",
        condition: { type: "condition", params: { key: "$.n", operator: "<", value: 3 }, loose: true },
      },
    });
    expect(state).not.toHaveProperty("loop.concurrency");
  });
});

describe("node aliases", () => {
  it.each([
    ["llm", { systemPrompt: "s", maxTokens: 5 }, "agent.llm", { system: "s", maxOutputTokens: 5 }],
    ["tool-loop", { maxSteps: 3, toolBindings: ["a.*"] }, "agent.toolLoop", { maxIterations: 3, tools: ["a.*"] }],
    ["tool-executor", {}, "agent.toolExecutor", {}],
    ["memory", { mode: "write", key: "k" }, "agent.memory.write", { key: "k" }],
    ["memory", { query: "q" }, "agent.memory.read", { query: "q" }],
    [
      "human-review",
      { proposal: "$.a", reason: "r", decision: "$.b" },
      "agent.humanReview",
      { show: "$.a", context: "r" },
    ],
    ["rag", { query: "q" }, "agent.rag", { query: "q" }],
    ["subagent", { agentSlug: "a" }, "agent.subagent", { agentSlug: "a" }],
    [
      "condition",
      { field: "trigger.a", operator: "exists" },
      "core.condition",
      { key: "trigger.a", operator: "exists" },
    ],
    ["transform", { mapping: { a: 1 } }, "core.transform", { mapping: { a: 1 } }],
    ["setVariable", { variableName: "a", value: 1 }, "core.setVariable", { name: "a", value: 1 }],
    [
      "prompt",
      { template: "Hi {{name}}, {{ day }}! {{other}}", variables: { name: "$.trigger.name", day: "{{Monday" } },
      "agent.prompt",
      { system: "Hi {{ $.trigger.name }}, \\{{Monday! {{ $.other }}" },
    ],
    ["loop", { type: "while" }, "core.whileLoop", { type: "while" }],
  ])("%s %j is %s [004-283]", (src, input, canonical, expected) => {
    const { state } = normalized({ invoke: { src, input, onDone: "done" } });
    expect(state).toEqual({ invoke: { src: canonical, input: expected, onDone: "done" } });
  });

  it("switch is guarded transitions, the default last [004-283]", () => {
    const { state } = normalized({
      invoke: { src: "switch", input: { field: "trigger.kind", cases: { a: "done", b: "one" }, default: "done" } },
    });
    expect(state).toEqual({
      always: [
        {
          target: "done",
          guard: { type: "condition", params: { key: "$.trigger.kind", operator: "==", value: "a" }, loose: true },
        },
        {
          target: "one",
          guard: { type: "condition", params: { key: "$.trigger.kind", operator: "==", value: "b" }, loose: true },
        },
        "done",
      ],
    });
  });

  it("what reads an aliased node's output reads it by its name here", () => {
    const { definition } = normalizeDialect({
      initial: "check",
      states: {
        check: {
          invoke: { src: "condition", input: { field: "a", operator: "exists" } },
          always: [{ target: "ask", guard: { path: "check.branch", equals: "true" } }, { target: "shape" }],
        },
        ask: {
          invoke: {
            src: "human-review",
            input: { proposal: "$.x" },
            onDone: [
              { target: "done", guard: { key: "ask_output.decision", operator: "!=", value: "rejected" } },
              "shape",
            ],
          },
        },
        shape: {
          invoke: {
            src: "transform",
            input: { mapping: { note: "{{ $.ask.feedback }} / $.ask.feedback" } },
            onDone: "done",
          },
        },
        done: { type: "final", output: { note: "$.shape.result.note", text: "Because {{$.ask.feedback}}." } },
      },
    });
    expect(definition).toMatchObject({
      states: {
        check: {
          invoke: { onDone: [{ guard: { params: { key: "$.check.result", value: true } } }, { target: "shape" }] },
        },
        ask: { invoke: { onDone: [{ guard: { params: { key: "$.ask_output.action", value: "reject" } } }, "shape"] } },
        shape: { invoke: { input: { mapping: { note: "{{ $.ask.reason }} / $.ask.feedback" } } } },
        done: { output: { note: "$.shape_output.note", text: "Because {{$.ask.reason}}." } },
      },
    });
  });
});

describe("values and the rest", () => {
  it("an index after a dot is an index, a lone placeholder the value itself [004-282]", () => {
    const input = {
      id: "$.rows.0.id",
      name: "{{$.trigger.name}}",
      text: "{{ $.rows.0.id }} of $.rows.0.id",
      kept: { $literal: "$.rows.0.id" },
      quoted: '$["a.0.b"].c',
      escaped: "\\{{ $.rows.0.id }}",
    };
    const { state } = normalized({ label: "$.a.0", invoke: { src: "core.transform", input, onDone: "done" } });
    expect(state).toMatchObject({
      label: "$.a.0",
      invoke: {
        input: {
          id: "$.rows[0].id",
          name: "$.trigger.name",
          text: "{{ $.rows[0].id }} of $.rows.0.id",
          kept: { $literal: "$.rows.0.id" },
          quoted: '$["a.0.b"].c',
          escaped: "\\{{ $.rows.0.id }}",
        },
      },
    });
  });

  it("a list of fields is a JSON Schema [004-277]", () => {
    const fields: JsonObject[] = [
      { name: "orderId", type: "number", required: true, description: "Its number" },
      { name: "note", type: "text", default: "" },
      { name: "__proto__", type: "any" },
    ];
    const { definition } = normalizeDialect(one(final, { payloadSchema: fields }));
    expect(JSON.stringify(definition.payloadSchema)).toBe(
      '{"type":"object","properties":{"orderId":{"type":"number","description":"Its number"},"note":{"type":"string","default":""},"__proto__":{}},"required":["orderId"]}',
    );
    const broken = one(final, { payloadSchema: ["orderId"] });
    expect(normalizeDialect(broken).definition).toEqual(broken);
  });

  it("positions in _meta survive as meta, what is in meta already wins [004-285]", () => {
    const { definition } = normalizeDialect({
      ...one({ ...final, _meta: { x: 1, y: 2 }, meta: { x: 5 } }),
      _meta: { positions: { one: { x: 10, y: 20 } } },
    });
    expect(definition).toMatchObject({
      meta: { positions: { one: { x: 10, y: 20 } } },
      states: { one: { meta: { x: 5, y: 2 } } },
    });
    expect(JSON.stringify(definition)).not.toContain("_meta");
  });

  it("does not change the document it was given", () => {
    const document = one({ invoke: { type: "llm", input: { params: { a: "$.b.0" } } }, always: "done", _meta: {} });
    const before = structuredClone(document);
    normalizeDialect(document);
    expect(document).toEqual(before);
  });
});
