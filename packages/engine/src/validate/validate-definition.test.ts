import type { Json, Problem } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { ScriptedNodes } from "../testing/scripted-nodes.ts";
import { validateDefinition } from "./validate-definition.ts";

const nodes = new ScriptedNodes({
  "core.log": {
    input: z.strictObject({
      message: z.string(),
      level: z.enum(["info", "warn"]).default("info"),
      tags: z.array(z.string()).optional(),
    }),
    run: () => ({ type: "done", output: {} }),
  },
  "core.stop": { endsRun: true },
  "orders.refund": { effect: "at-most-once" },
  "agent.humanReview": {},
  "core.delay": { isWait: true },
  "core.code": { input: z.strictObject({ code: z.string().min(2) }), verbatim: ["code"] },
});
const log = (more: object = {}) => ({ invoke: { src: "core.log", input: { message: "hi" }, onDone: "done", ...more } });
const base = { initial: "a", states: { a: log(), done: { type: "final" } } };
const withA = (a: object, more: object = {}) => ({ initial: "a", states: { a, done: { type: "final" }, ...more } });
const loop = (more: object, beside: object = {}) =>
  withA({
    loop: {
      type: "forEach",
      collection: "$.trigger.items",
      bodyInitial: "b1",
      bodyStates: { b1: log({ input: { message: "{{ $.item }}" }, onDone: "b2" }), b2: { type: "final" } },
      onDone: "done",
      ...more,
    },
    ...beside,
  });
const whileLoop = (message: string) =>
  loop({
    type: "while",
    collection: undefined,
    condition: { type: "condition", params: { key: "$.index", operator: "<", value: 3 } },
    bodyStates: { b1: log({ input: { message }, onDone: "b2" }), b2: { type: "final" } },
  });
const check = (json: unknown): Problem[] => validateDefinition(json, nodes).problems;
const errors = (json: unknown): string[] =>
  check(json)
    .filter(({ severity }) => severity === "error")
    .map(({ path, rule }) => `${path} ${rule}`);

describe("a definition", () => {
  it("that is sound has no problems, with x- keys and meta as they please", () => {
    expect(
      check({
        ...base,
        "x-owner": 1,
        meta: { any: { thing: 1 } },
        states: { a: { ...log(), meta: { position: { x: 1 } }, "x-note": "n" }, done: { type: "final", "x-y": 1 } },
      }),
    ).toEqual([]);
    expect(check(base)).toEqual([]);
  });

  it("takes a text that is code as it is written, and still checks it", () => {
    const code = (text: unknown) => withA({ invoke: { src: "core.code", input: { code: text }, onDone: "done" } });
    for (const text of ["{{ $.nothing_output }}", "{{", "$.a b", "$config.KEY | nope"])
      expect(check(code(text)), text).toEqual([]);
    expect(errors(code("$"))).toEqual(["$.states.a.invoke.input.code input"]);
  });

  it("names path, rule, message and fix of an unknown key, with the nearest known one", () => {
    expect(check({ ...base, states: { ...base.states, a: { ...log(), onDonee: "done" } } })).toEqual([
      {
        path: "$.states.a.onDonee",
        rule: "unknown-key",
        message: "onDonee is not a key that is known here",
        fix: "Did you mean onDone?",
        severity: "error",
      },
    ]);
    expect(errors({ ...base, maxStep: 1 })).toEqual(["$.maxStep unknown-key"]);
    expect(errors(withA(log({ onDone: { target: "done", gaurd: {} } })))).toEqual([
      "$.states.a.invoke.onDone.gaurd unknown-key",
    ]);
    expect(
      check(
        withA(log({ onDone: [{ target: "done", guard: { type: "condition", params: { key: "$.a", op: "==" } } }] })),
      )[0]?.path,
    ).toMatch(/^\$\.states\.a\.invoke\.onDone\[0\]\.guard\.params/);
  });

  it("with an unknown node names the nearest", () => {
    expect(check(withA({ invoke: { src: "core.lgo", onDone: "done" } }))[0]).toMatchObject({
      path: "$.states.a.invoke.src",
      rule: "unknown-node",
      fix: "Did you mean core.log?",
    });
    expect(errors(withA({ invoke: { src: "core.log", version: 9, input: { message: "x" }, onDone: "done" } }))).toEqual(
      ["$.states.a.invoke.version unknown-node"],
    );
  });

  it.each<[string, Json | object, string]>([
    ["not an object", [], "$ shape"],
    ["a missing initial", { states: base.states }, "$ initial"],
    ["a wrong initial", { ...base, initial: "b" }, "$.initial initial"],
    ["a missing target", withA(log({ onDone: "nope" })), "$.states.a.invoke.onDone target"],
    [
      "a transition without a target",
      withA(log({ onDone: [{ actions: [] }] })),
      "$.states.a.invoke.onDone[0] no-target",
    ],
    [
      "a reserved id",
      { initial: "trigger", states: { trigger: log(), done: { type: "final" } } },
      "$.states.trigger state-id",
    ],
    [
      "an id with a dot",
      { initial: "a.b", states: { "a.b": log(), done: { type: "final" } } },
      '$.states["a.b"] state-id',
    ],
    [
      "a duplicate id",
      withA(log({ onDone: "g" }), { g: { initial: "a", onDone: "done", states: { a: { type: "final" } } } }),
      "$.states.g.states.a duplicate-id",
    ],
    ["afterActive without a time limit", withA({ ...log(), afterActive: true }), "$.states.a.afterActive structure"],
    [
      "reenter that leads nowhere",
      withA({ ...log(), on: { go: { reenter: true } } }),
      "$.states.a.on.go.reenter target",
    ],
    [
      "text to be added to a number",
      withA(log({ onDone: { target: "done", actions: [{ type: "assign", params: { path: "$.n", add: "1" } }] } })),
      "$.states.a.invoke.onDone.actions[0].params.add assign",
    ],
    [
      "a condition in CEL that gives text",
      withA(
        log({ onDone: [{ target: "done", guard: { type: "cel", params: { expression: "'x' + ctx.y" } } }, "done"] }),
      ),
      "$.states.a.invoke.onDone[0].guard.params.expression guard",
    ],
    [
      "an output that the outputSchema denies",
      {
        ...withA(log(), { done: { type: "final", output: { n: "1" } } }),
        outputSchema: { type: "object", properties: { n: { type: "integer" } } },
      },
      "$.states.done.output output-schema",
    ],
    ["X_output beside X", withA(log({ onDone: "a_output" }), { a_output: log() }), "$.states.a_output output-name"],
    ["always beside invoke", withA({ ...log(), always: "done" }), "$.states.a.always always-with-invoke"],
    [
      "onDone beside invoke",
      withA({ invoke: { src: "core.log", input: { message: "x" } }, onDone: "done" }),
      "$.states.a.onDone structure",
    ],
    [
      "a final with invoke",
      withA(log(), { done: { type: "final", invoke: { src: "core.log" } } }),
      "$.states.done.invoke structure",
    ],
    ["output on a non-final", withA({ ...log(), output: 1 }), "$.states.a.output structure"],
    [
      "outcome on a nested final",
      withA({ initial: "e", onDone: "done", states: { e: { type: "final", outcome: "x" } } }),
      "$.states.a.states.e.outcome structure",
    ],
    ["an unreachable state", withA(log(), { lost: log() }), "$.states.lost unreachable"],
    ["a state that leads nowhere", withA({}), "$.states.a dead-end"],
    [
      "a node after which nothing follows",
      withA({ invoke: { src: "core.log", input: { message: "x" }, onError: "done" } }),
      "$.states.a.invoke dead-end",
    ],
    [
      "an endless loop",
      { initial: "a", states: { a: log({ onDone: "b" }), b: log({ onDone: "a" }) } },
      "$.states.a endless",
    ],
    [
      "an always cycle that can spin",
      withA(
        { always: [{ target: "b", guard: { type: "cel", params: { expression: "true" } } }, "done"] },
        { b: { always: "a" } },
      ),
      "$.states.a.always spin",
    ],
    [
      "a compound whose end leads nowhere",
      withA({ initial: "e", states: { e: { type: "final" } } }),
      "$.states.a endless",
    ],
    [
      "a target in a sibling region",
      {
        initial: "p",
        states: {
          p: {
            type: "parallel",
            onDone: "done",
            states: {
              l: { initial: "l1", states: { l1: log({ onDone: "r2" }), l2: { type: "final" } } },
              r: { initial: "r1", states: { r1: log({ onDone: "r2" }), r2: { type: "final" } } },
            },
          },
          done: { type: "final" },
        },
      },
      "$.states.p.states.l.states.l1.invoke.onDone sibling-region",
    ],
    [
      "an initial on a parallel",
      {
        initial: "p",
        states: {
          p: {
            type: "parallel",
            initial: "l",
            onDone: "done",
            states: { l: { initial: "e", states: { e: { type: "final" } } } },
          },
          done: { type: "final" },
        },
      },
      "$.states.p.initial structure",
    ],
    [
      "an empty all",
      withA(log({ onDone: [{ target: "done", guard: { type: "all", guards: [] } }, "done"] })),
      "$.states.a.invoke.onDone[0].guard.guards shape",
    ],
    [
      "a wrong operator",
      withA(
        log({
          onDone: [
            { target: "done", guard: { type: "condition", params: { key: "$.a", operator: "===", value: 1 } } },
            "done",
          ],
        }),
      ),
      "$.states.a.invoke.onDone[0].guard.params.operator shape",
    ],
    ["a wrong path", withA(log({ input: { message: "$.a..b" } })), "$.states.a.invoke.input.message path"],
    [
      "a wrong placeholder",
      withA(log({ input: { message: "Hi {{ trigger.name }}" } })),
      "$.states.a.invoke.input.message path",
    ],
    ["wrong CEL", withA(log({ input: { message: { $cel: "ctx." } } })), "$.states.a.invoke.input.message cel"],
    [
      "the result of a state that is not there",
      withA(log({ input: { message: "$.b_output.text" } })),
      "$.states.a.invoke.input.message unknown-path",
    ],
    [
      "$.item outside a loop",
      withA(log({ input: { message: "{{ $.item }}" } })),
      "$.states.a.invoke.input.message unknown-path",
    ],
    [
      "a literal input of the wrong type",
      withA(log({ input: { message: 5 } })),
      "$.states.a.invoke.input.message input",
    ],
    ["a missing input", withA(log({ input: {} })), "$.states.a.invoke.input.message input"],
    [
      "an unknown input",
      withA(log({ input: { message: "$.trigger.x", mesage: "x" } })),
      "$.states.a.invoke.input.mesage input",
    ],
    [
      "a wrong literal beside an expression",
      withA(log({ input: { message: "$.trigger.x", tags: ["{{ $.trigger.y }}", 5] } })),
      "$.states.a.invoke.input.tags[1] input",
    ],
    [
      "retry of an at-most-once node",
      withA({ invoke: { src: "orders.refund", retry: { maxAttempts: 2 }, onDone: "done" } }),
      "$.states.a.invoke.retry retry",
    ],
    [
      "an assign under trigger",
      withA({ ...log(), entry: [{ type: "assign", params: { path: "$.trigger.x", value: 1 } }] }),
      "$.states.a.entry[0] assign",
    ],
    ["a variable named like a root", { ...base, context: { item: 1 } }, "$.context.item reserved"],
    [
      "a payloadSchema with a wrong type",
      { ...base, payloadSchema: { type: "object", properties: { n: { type: "int" } } } },
      "$.payloadSchema.properties.n.type json-schema",
    ],
    [
      "an outputSchema with a loose $ref",
      { ...base, outputSchema: { $ref: "#/$defs/nope" } },
      "$.outputSchema.$ref json-schema",
    ],
    ["maxSteps over the ceiling", { ...base, maxSteps: 100_001 }, "$.maxSteps shape"],
    ["an event name with a space", withA({ on: { "order paid": "done" } }), '$.states.a.on["order paid"] event'],
    ["an event name with a wildcard in the middle", { ...base, on: { "a.*.b": "done" } }, '$.on["a.*.b"] event'],
    ["an event that leads nowhere", withA({ on: { paid: "nope" } }), "$.states.a.on.paid target"],
    [
      "a delay of months [CONTRACTS §17: after, delays]",
      withA({ after: { P1M: "done" } }),
      "$.states.a.after.P1M duration",
    ],
    [
      "a negative delay [CONTRACTS §17: after, delays]",
      withA({ after: { "-5": "done" } }),
      '$.states.a.after["-5"] duration',
    ],
    ["on beside a final", withA(log(), { done: { type: "final", on: { x: "a" } } }), "$.states.done.on structure"],
    ["history that nothing can leave", withA(log({ onDone: "h" }), { h: { type: "history" } }), "$.states.h structure"],
    [
      "history with a way on",
      withA(log({ onDone: "h" }), {
        g: { initial: "e", onDone: "done", states: { e: { type: "final" }, h: { type: "history", always: "done" } } },
      }),
      "$.states.g.states.h.always structure",
    ],
    [
      "history aimed outside its group",
      withA(log({ onDone: "h" }), {
        g: { initial: "e", onDone: "done", states: { e: { type: "final" }, h: { type: "history", target: "done" } } },
      }),
      "$.states.g.states.h.target target",
    ],
    [
      "history as the first state",
      withA({ initial: "h", onDone: "done", states: { h: { type: "history" }, e: { type: "final" } } }),
      "$.states.a.initial initial",
    ],
    ["history keys elsewhere", withA({ ...log(), target: "done" }), "$.states.a.target structure"],
    ["a loop without a collection", loop({ collection: undefined }), "$.states.a.loop loop"],
    [
      "a loop with a condition of its own",
      loop({ condition: { type: "cel", params: { expression: "true" } } }),
      "$.states.a.loop.condition loop",
    ],
    ["a while loop without a condition", loop({ type: "while", collection: undefined }), "$.states.a.loop loop"],
    ["a loop with a wrong bodyInitial", loop({ bodyInitial: "b9" }), "$.states.a.loop.bodyInitial initial"],
    [
      "passes of a while loop side by side",
      loop({
        type: "while",
        collection: undefined,
        condition: { type: "cel", params: { expression: "true" } },
        concurrency: 4,
      }),
      "$.states.a.loop.concurrency loop",
    ],
    ["a loop after which nothing follows", loop({ onDone: undefined }), "$.states.a.loop dead-end"],
    ["more iterations than the ceiling", loop({ maxIterations: 10_001 }), "$.states.a.loop.maxIterations shape"],
    [
      "item and index of one name",
      loop({ itemVariable: "x", indexVariable: "x" }),
      "$.states.a.loop.indexVariable loop",
    ],
    ["a reserved item name", loop({ itemVariable: "trigger" }), "$.states.a.loop.itemVariable loop"],
    ["always beside loop", loop({}, { always: "done" }), "$.states.a.always always-with-loop"],
    [
      "another node beside loop",
      loop({}, { invoke: { src: "core.log", input: { message: "x" } } }),
      "$.states.a.invoke.src structure",
    ],
    [
      "a body that leads out [CONTRACTS §17: loops]",
      loop({ bodyStates: { b1: log({ onDone: "b2", onError: "done" }), b2: { type: "final" } } }),
      "$.states.a.loop.bodyStates.b1.invoke.onError loop-border",
    ],
    ["a way into a body [CONTRACTS §17: loops]", { ...loop({}), on: { jump: "b1" } }, "$.on.jump loop-border"],
    [
      "a body that never ends",
      loop({ bodyStates: { b1: log({ onDone: "b1" }), b2: { type: "final" } } }),
      "$.states.a.loop.bodyStates.b2 unreachable",
    ],
    [
      "$.item in a while loop",
      whileLoop("{{ $.item }}"),
      "$.states.a.loop.bodyStates.b1.invoke.input.message unknown-path",
    ],
    [
      "$.item in the loop's own collection",
      loop({ collection: "$.item.more" }),
      "$.states.a.loop.collection unknown-path",
    ],
  ])("with %s is refused", (_what, json, expected) => {
    const result = validateDefinition(json, nodes);
    expect(errors(json)).toContain(expected.replace(".$ref", '["$ref"]'));
    expect(result.definition).toBeUndefined();
    for (const problem of result.problems) expect(problem.fix).not.toBe("");
  });

  it("nested too deep or with too many states is refused before anything is built", () => {
    let deep: object = { type: "final" };
    for (let i = 0; i < 40; i += 1) deep = { initial: `s${i}`, states: { [`s${i}`]: deep } };
    expect(errors({ initial: "x", states: { x: deep } })).toEqual(["$.states ceiling"]);
    const many = Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`s${i}`, { type: "final" }]));
    expect(errors({ initial: "s0", states: many })).toEqual(["$.states ceiling"]);
  });

  it("is warned about, not refused, where it may be meant", () => {
    const guard = { type: "condition", params: { key: "$.a_output.ok", operator: "==", value: true } };
    const warnings = (json: unknown) => check(json).map(({ path, rule, severity }) => `${severity} ${path} ${rule}`);
    expect(warnings(withA(log({ onDone: [{ target: "done", guard }] })))).toEqual([
      "warning $.states.a.invoke.onDone no-default",
    ]);
    expect(warnings(withA(log({ onDone: ["done", { target: "done", guard }] })))).toEqual([
      "warning $.states.a.invoke.onDone[0] unreachable-branch",
    ]);
    expect(warnings(withA(log({ retry: { initialMs: 500, maxMs: 100 } })))).toEqual([
      "warning $.states.a.invoke.retry.initialMs retry",
    ]);
    expect(warnings({ ...base, context: { a: 1 } })).toEqual(["warning $.context.a shadows-state"]);
    expect(
      warnings({
        ...base,
        payloadSchema: { type: "object", properties: { name: { type: "string" } } },
        states: { ...base.states, a: log({ input: { message: "{{ $.trigger.nmae }}" } }) },
      }),
    ).toEqual(["warning $.states.a.invoke.input.message unknown-path"]);
  });

  it("accepts outputs that a run decides on, conditions whose type it decides on, and what may be added", () => {
    const outputSchema = { type: "object", required: ["n"] };
    const failed = {
      done: { type: "final", output: "$.a_output" },
      off: { type: "final", outcome: "failed", output: 1 },
    };
    const on = { cancel: "off" };
    expect(errors({ ...withA(log()), outputSchema })).toEqual([]);
    expect(errors({ initial: "a", states: { a: { ...log(), on }, ...failed }, outputSchema })).toEqual([]);
    for (const expression of ["ctx.ok", "true", "has(ctx.x)", "ctx.list.exists(x, x > 1)", "ctx.?ok.orValue(false)"])
      expect(
        errors(withA(log({ onDone: [{ target: "done", guard: { type: "cel", params: { expression } } }, "done"] }))),
      ).toEqual([]);
    for (const add of [1, "$.a_output.n", { $cel: "1 + 1" }])
      expect(
        errors(withA(log({ onDone: { target: "done", actions: [{ type: "assign", params: { path: "$.n", add } }] } }))),
      ).toEqual([]);
  });

  it("accepts what waits: events and timers of the state, of those around it, and of the definition", () => {
    expect(errors(withA({ on: { "orders.*": "done", "*": { actions: [] } } }))).toEqual([]);
    expect(errors(withA({ after: { PT15M: "done", 500: { actions: [] } } }))).toEqual([]);
    expect(errors({ ...withA({}), on: { stop: "done" } })).toEqual([]);
    expect(errors(withA({ initial: "w", after: { 10: "done" }, states: { w: {} } }))).toEqual([]);
  });

  it("accepts loops in both forms, with their variables where they exist [004-273]", () => {
    expect(errors(loop({}))).toEqual([]);
    expect(errors(whileLoop("{{ $.index }}"))).toEqual([]);
    const invoke = { src: "core.forEach", onDone: "done" };
    expect(errors(loop({ onDone: undefined }, { invoke }))).toEqual([]);
    const nested = {
      b1: {
        loop: {
          type: "forEach",
          collection: "$.item",
          bodyInitial: "c",
          bodyStates: { c: { type: "final" } },
          onDone: "b2",
        },
      },
      b2: { type: "final", output: "$.index" },
    };
    expect(errors(loop({ bodyStates: nested }))).toEqual([]);
  });

  it("accepts a node that ends the run without onDone, and a counted always cycle", () => {
    expect(errors(withA(log({ onError: "s" }), { s: { invoke: { src: "core.stop" } } }))).toEqual([]);
    const counted = withA(
      {
        entry: [{ type: "assign", params: { path: "$.n", add: 1 } }],
        always: [{ target: "done", guard: { type: "cel", params: { expression: "ctx.n > 3" } } }, "b"],
      },
      { b: { always: "a" } },
    );
    expect(errors({ ...counted, context: { n: 0 } })).toEqual([]);
  });
});

describe("what validates can work", () => {
  it("timeoutMs on a node that only waits is refused, since it counts work", () => {
    const wait = (more: object) => withA({ invoke: { src: "core.delay", input: { ms: 5 }, onDone: "done", ...more } });
    expect(errors(wait({ timeoutMs: 5_000 }))).toEqual(["$.states.a.invoke.timeoutMs timeout"]);
    expect(errors(wait({}))).toEqual([]);
    expect(errors(withA(log({ timeoutMs: 5_000 })))).toEqual([]);
  });

  it("a parallel state has a region at least", () => {
    expect(errors(withA({ type: "parallel", states: {}, onDone: "done" }))).toContain("$.states.a.states structure");
    expect(errors({ type: "parallel", states: {} })).toContain("$.states structure");
  });

  it.each([5, "items", true, null, { a: 1 }, { $literal: "x" }])(
    "a loop over %j is refused: it is no list",
    (fixed) => {
      expect(errors(loop({ collection: fixed }))).toContain("$.states.a.loop.collection loop");
    },
  );

  it("a loop over a list that is written out is taken", () => {
    expect(errors(loop({ collection: ["$.trigger.a", 2] }))).toEqual([]);
  });

  it.each(["__proto__", "constructor", "prototype"])(
    "%s names no variable, no key of one and no loop's item",
    (name) => {
      const assign = (path: string) =>
        withA(
          log({
            onDone: { target: "done", actions: [{ type: "assign", params: { path, value: 1 } }] },
          }),
        );
      const context = JSON.parse(`{"${name}": 1}`);
      expect(errors({ ...base, context })).toEqual([`$.context.${name} reserved`]);
      for (const path of [`$.${name}`, `$.${name}.x`, `$.total.${name}`, `$.total["${name}"].x`])
        expect(errors(assign(path))).toEqual(["$.states.a.invoke.onDone.actions[0].params.path assign"]);
      expect(errors(loop({ itemVariable: name }))).toContain("$.states.a.loop.itemVariable loop");
    },
  );

  it("a key __proto__ is refused wherever it stands", () => {
    const states = {
      a: log({ input: JSON.parse('{"message": "x", "__proto__": {"level": "info"}}') }),
      done: base.states.done,
    };
    expect(errors({ ...base, states })).toEqual(["$.states.a.invoke.input.__proto__ reserved"]);
    expect(errors({ ...base, meta: { list: [JSON.parse('{"__proto__": 1}')] } })).toEqual([
      "$.meta.list[0].__proto__ reserved",
    ]);
  });
});
