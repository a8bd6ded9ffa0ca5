import type { JsonObject } from "@oven/contract";
import type { Effect, NodeKind } from "@oven/contract/node";
import type { ExecutionKind } from "@oven/contract/run";
import type { Definition, GraphPolicyRule, State } from "@oven/contract/workflow";
import { defineCompositeNode, defineNode, done, type NodeDefinition } from "@oven/module-registry";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { coreNodes } from "../nodes/core-nodes.ts";
import { buildGraph } from "./build-graph.ts";
import { checkPolicies } from "./check-policies.ts";
import { type GraphFacts, NO_FACTS, type PolicyTool } from "./graph-facts.ts";

const node = (id: string, kind: NodeKind, effect: Effect, tags: string[] = []): NodeDefinition =>
  defineNode({
    id,
    version: 1,
    title: id,
    docs: "For tests.",
    category: "core",
    kind,
    effect,
    tags,
    input: z.looseObject({}),
    output: z.strictObject({}),
    run: async () => done({}),
  });

/** A model and its tools in turn, as many times as `limit` says. */
const loopNode = defineCompositeNode({
  id: "t.loop",
  version: 1,
  title: "Loop",
  docs: "For tests.",
  category: "agent",
  kind: "model",
  effect: "at-least-once",
  input: z.looseObject({}),
  output: z.strictObject({}),
  expand: ({ input }) => ({
    initial: "ask",
    states: {
      ask: { invoke: { src: "t.model", onDone: "call" } },
      call: { invoke: { src: "t.tools", input, onDone: "end" } },
      end: { type: "final" },
    },
    output: {},
  }),
});

const nodes = [
  ...coreNodes,
  loopNode,
  node("t.review", "human", "pure"),
  node("t.model", "model", "at-least-once"),
  node("t.tools", "tool", "idempotent"),
  node("t.pay", "tool", "at-most-once", ["money"]),
  node("t.look", "tool", "pure"),
];

const TOOLS: Record<string, PolicyTool> = {
  refund: { id: "refund", effect: "at-most-once", tags: ["money"], needsApproval: false, permissions: [] },
  asked: { id: "asked", effect: "at-most-once", tags: ["money"], needsApproval: true, permissions: [] },
  search: { id: "search", effect: "pure", tags: ["outside-content"], needsApproval: false, permissions: [] },
};

const texts = (value: unknown): string[] => (Array.isArray(value) ? value.map(String) : []);
const facts: GraphFacts = {
  ...NO_FACTS,
  tools: (src, { tools, assignees }) =>
    src === "t.tools"
      ? { tools: texts(tools).flatMap((id) => TOOLS[id] ?? []), patterns: texts(tools), deciders: texts(assignees) }
      : undefined,
  tool: (id) => TOOLS[id],
  isReview: (src) => src === "t.review",
  review: (src, { assignees }) => (src === "t.review" ? { deciders: texts(assignees) } : undefined),
  model: (src, { model }, agentConfig) =>
    src === "t.model" ? (typeof model === "string" ? model : (agentConfig.model ?? "fast")) : undefined,
  resolveModel: async (name) => (name === "fast" ? "house:small" : undefined),
};

const MONEY: GraphPolicyRule = { kind: "review-before", target: { tags: ["money"] } };
const UNTRUSTED: GraphPolicyRule = { kind: "untrusted-flow" };
const BOUNDED: GraphPolicyRule = { kind: "bounded-loops" };

async function problemsOf(
  rule: GraphPolicyRule,
  definition: Pick<Definition, "states"> & Partial<Definition>,
  called: Record<string, Definition> = {},
): Promise<string[]> {
  const graph = buildGraph(
    { initial: Object.keys(definition.states)[0], ...definition },
    {
      node: (src) => nodes.find(({ id }) => id === src),
      facts,
      called: (kind: ExecutionKind, workflow, version) => {
        const name = version === undefined ? workflow : `${workflow}@${version}`;
        const found = called[name];
        return found && { key: `${kind}:${name}`, definition: found };
      },
    },
  );
  const found = await checkPolicies(graph, [{ name: "P", severity: "error", rule }], facts, 1);
  return found.map(({ path, message }) => `${path} ${message}`);
}

const END: State = { type: "final" };
const call = (src: string, onDone: NonNullable<State["invoke"]>["onDone"], input: JsonObject = {}): State => ({
  invoke: { src, input, ...(onDone === undefined ? {} : { onDone }) },
});
const isAction = (operator: "==" | "!=", value: string) => ({
  type: "condition" as const,
  params: { key: "$.output.action", operator, value },
});

describe("a review before the target", () => {
  it("is asked for on every way, and the way without one is told", async () => {
    const states = {
      ask: { always: [{ target: "review", guard: isAction("==", "x") }, "pay"] },
      review: call("t.review", "pay"),
      pay: call("t.pay", "end"),
      end: END,
    };
    expect(await problemsOf(MONEY, { states })).toEqual([
      '$.states.pay Policy "P": t.pay is reached without a review: ask → pay',
    ]);
    expect(await problemsOf(MONEY, { states: { ...states, ask: { always: "review" } } })).toEqual([]);
  });

  it("is none when it is switched off, and nothing switched off needs one", async () => {
    const states = { review: { ...call("t.review", "pay"), disabled: true }, pay: call("t.pay", "end"), end: END };
    expect(await problemsOf(MONEY, { states })).toHaveLength(1);
    expect(await problemsOf(MONEY, { states: { ...states, pay: { ...states.pay, disabled: true } } })).toEqual([]);
  });

  it.each<[string, NonNullable<State["invoke"]>["onDone"], boolean]>([
    ["no branch asks about the decision", "pay", true],
    ["rejections leave first", [{ target: "end", guard: isAction("==", "reject") }, "pay"], true],
    ["only what is not rejected leads there", [{ target: "pay", guard: isAction("!=", "reject") }, "end"], true],
    ["rejections lead there", [{ target: "pay", guard: isAction("==", "reject") }, "end"], false],
    ["both lead there", [{ target: "pay", guard: isAction("==", "approve") }, "pay"], false],
    [
      "rejections lead there when something else holds",
      [
        {
          target: "pay",
          guard: {
            type: "all",
            guards: [
              isAction("==", "reject"),
              { type: "condition", params: { key: "$.trigger.strict", operator: "==", value: true } },
            ],
          },
        },
        "end",
      ],
      false,
    ],
    [
      "a guard that also reads something else may let rejections through",
      [
        {
          target: "end",
          guard: {
            type: "all",
            guards: [
              isAction("==", "reject"),
              { type: "condition", params: { key: "$.trigger.strict", operator: "==", value: true } },
            ],
          },
        },
        "pay",
      ],
      false,
    ],
  ])("counts when %s", async (_name, onDone, holds) => {
    const states = { review: call("t.review", onDone), pay: call("t.pay", "end"), end: END };
    expect(await problemsOf(MONEY, { states })).toHaveLength(holds ? 0 : 1);
  });

  it("is not passed when it fails, when an event or a timer leads past it, or when it stands beside", async () => {
    const pay = call("t.pay", "end");
    const failing: State = { invoke: { src: "t.review", onDone: "pay", onError: "pay" } };
    expect(await problemsOf(MONEY, { states: { review: failing, pay, end: END } })).toHaveLength(1);
    const inner = {
      type: "compound" as const,
      initial: "review",
      states: { review: call("t.review", "inside"), inside: END },
    };
    const late = (more: Partial<State>) => ({ around: { ...inner, onDone: "pay", ...more }, pay, end: END });
    expect(await problemsOf(MONEY, { states: late({}) })).toEqual([]);
    expect(await problemsOf(MONEY, { states: late({ after: { PT1H: "pay" } }) })).toHaveLength(1);
    const beside: State = {
      type: "parallel",
      states: {
        one: { initial: "review", states: { review: call("t.review", "ended"), ended: END } },
        two: { initial: "other", states: { other: call("t.pay", "finished"), finished: END } },
      },
      onDone: "end",
    };
    expect(await problemsOf(MONEY, { states: { beside, end: END } })).toEqual([
      '$.states.beside.states.two.states.other Policy "P": t.pay is reached without a review: beside → two → other',
    ]);
  });

  it("counts for what follows a parallel state when one of its regions has it, not when a loop may skip it", async () => {
    const region = (state: State) => ({ initial: "first", states: { first: state, last: END } });
    const both: State = {
      type: "parallel",
      states: {
        one: region(call("t.look", "last")),
        two: { initial: "r", states: { r: call("t.review", "z"), z: END } },
      },
      onDone: "pay",
    };
    const pay = call("t.pay", "end");
    expect(await problemsOf(MONEY, { states: { both, pay, end: END } })).toEqual([]);
    const loop = (states: Record<string, State>): State => ({
      loop: { type: "forEach", collection: [], bodyInitial: "r", bodyStates: states, onDone: "pay" },
    });
    const body = { r: call("t.review", "z"), z: END };
    expect(await problemsOf(MONEY, { states: { each: loop(body), pay, end: END } })).toHaveLength(1);
    const inside = { r: call("t.review", "p"), p: call("t.pay", "z"), z: END };
    const after = { each: loop(inside), pay: call("t.look", "end"), end: END };
    expect(await problemsOf(MONEY, { states: after })).toEqual([]);
  });

  it("is asked for before tools inside composites, unless the tool itself asks", async () => {
    const states = (tools: string[]) => ({ draft: call("t.loop", "end", { tools }), end: END });
    expect(await problemsOf(MONEY, { states: states(["refund"]) })).toEqual([
      '$.states.draft Policy "P": the tool refund is reached without a review: draft → draft.ask → draft.call',
    ]);
    expect(await problemsOf(MONEY, { states: states(["asked", "search"]) })).toEqual([]);
  });

  it("counts by its role only where one is asked for", async () => {
    const rule: GraphPolicyRule = { ...MONEY, role: "finance" };
    const states = (assignees: string[]) => ({
      review: call("t.review", "pay", { assignees }),
      pay: call("t.pay", "end"),
      end: END,
    });
    expect(await problemsOf(rule, { states: states(["role:finance"]) })).toEqual([]);
    for (const assignees of [[], ["role:support"], ["role:finance", "user:3"]])
      expect(await problemsOf(rule, { states: states(assignees) })).toHaveLength(1);
    const tools = { draft: call("t.loop", "end", { tools: ["asked"], assignees: ["role:support"] }), end: END };
    expect(await problemsOf(rule, { states: tools })).toHaveLength(1);
  });

  it("is looked for in called workflows, each time they are called", async () => {
    const sub = (...states: [string, State][]): Definition => ({
      initial: states[0]?.[0],
      states: Object.fromEntries(states),
    });
    const child = (workflow: string, onDone: string) => call("core.callWorkflow", onDone, { workflow });
    const called = {
      reviewed: sub(["review", call("t.review", "end")], ["end", END]),
      strict: sub(
        ["review", { invoke: { src: "t.review", onDone: "end", onError: "no" } }],
        ["no", call("core.fail", undefined, { message: "no" })],
        ["end", END],
      ),
      paying: sub(["pay", call("t.pay", "end")], ["end", END]),
      looking: sub(["look", call("t.look", "end")], ["end", END]),
    };
    const run = (...names: string[]) => {
      const states = names.map((name, index): [string, State] => [
        `s${index}`,
        child(name, index === names.length - 1 ? "end" : `s${index + 1}`),
      ]);
      return problemsOf(MONEY, { states: { ...Object.fromEntries(states), end: END } }, called);
    };
    expect(await run("paying")).toEqual(['$.states.s0 Policy "P": t.pay is reached without a review: s0 → s0/pay']);
    expect(await run("reviewed", "paying")).toEqual([]);
    expect(await run("strict", "paying")).toEqual([]);
    expect(await run("looking", "paying", "reviewed")).toHaveLength(1);
    expect(await run("looking", "reviewed", "looking", "paying")).toEqual([]);
    // The version that a step names counts, not the published one.
    const named = { s: call("core.callWorkflow", "end", { workflow: "looking", workflowVersion: 1 }), end: END };
    const versions = { looking: called.looking, "looking@1": called.paying };
    expect(await problemsOf(MONEY, { states: named }, versions)).toHaveLength(1);
    expect(await problemsOf(MONEY, { states: named }, { looking: called.paying, "looking@1": called.looking })).toEqual(
      [],
    );
    const maybe: State = { always: [{ target: "one", guard: isAction("==", "x") }, "pay"] };
    const again = sub(["maybe", maybe], ["one", child("again", "pay")], ["pay", call("t.pay", "end")], ["end", END]);
    const self = { again };
    const states = { s: child("again", "end"), end: END };
    expect(await problemsOf(MONEY, { states }, self)).toHaveLength(1);
    expect(await problemsOf(BOUNDED, { states }, self)).toEqual([]);
  });

  it.each<[string, GraphPolicyRule, number]>([
    ["an effect", { kind: "review-before", target: { effects: ["at-most-once"] } }, 1],
    ["another effect", { kind: "review-before", target: { effects: ["at-least-once"] } }, 0],
    ["a node type", { kind: "review-before", target: { nodeTypes: ["t.p*"] } }, 1],
    ["a tool that is a node", { kind: "review-before", target: { tools: ["t.pay"] } }, 1],
    ["a tag", MONEY, 1],
  ])("may be asked for by %s", async (_name, rule, count) => {
    const states = { ask: call("t.model", "pay"), pay: call("t.pay", "end"), end: END };
    expect(await problemsOf(rule, { states })).toHaveLength(count);
  });
});

describe("untrusted content", () => {
  const send = (onDone: string, body: string) =>
    call("core.http", onDone, { method: "POST", url: "https://a.example", body });

  it("may not reach what sends, unless a person sees it or all that is sent is written out", async () => {
    const states = (more: Record<string, State>) => ({ draft: call("t.model", "send"), ...more, end: END });
    expect(await problemsOf(UNTRUSTED, { states: states({ send: send("end", "$.draft_output.text") }) })).toEqual([
      '$.states.send Policy "P": untrusted content reaches core.http without a review: draft → send',
    ]);
    expect(await problemsOf(UNTRUSTED, { states: states({ send: send("end", "hello") }) })).toEqual([]);
    expect(
      await problemsOf(UNTRUSTED, { states: states({ send: send("end", "{{ $.draft_output.text }}") }) }),
    ).toHaveLength(1);
    const between = { send: call("t.review", "mail"), mail: send("end", "$.draft_output.text") };
    expect(await problemsOf(UNTRUSTED, { states: states(between) })).toEqual([]);
    const first = { first: send("draft", "$.trigger.text"), draft: call("t.model", "end"), end: END };
    expect(await problemsOf(UNTRUSTED, { states: first })).toEqual([]);
  });

  it("leaves a composed state by whatever leads out of it", async () => {
    const inner = { ask: call("t.model", "z"), z: END };
    const around: State = { initial: "ask", states: inner, onDone: "end", after: { PT1H: "send" } };
    const first = call("t.look", "ask");
    expect(await problemsOf(UNTRUSTED, { states: { first, around, send: send("end", "$.x"), end: END } })).toEqual([
      '$.states.send Policy "P": untrusted content reaches core.http without a review: ask → send',
    ]);
  });

  it("comes from models, services and tools that say so, through tools that send", async () => {
    const tools = (...names: string[]) => ({
      draft: call("t.tools", "more", { tools: names }),
      more: send("end", "$.x"),
      end: END,
    });
    expect(await problemsOf(UNTRUSTED, { states: tools("search") })).toHaveLength(1);
    expect(await problemsOf(UNTRUSTED, { states: tools("asked") })).toEqual([]);
    const loop = (...names: string[]) => ({ draft: call("t.loop", "end", { tools: names }), end: END });
    expect(await problemsOf(UNTRUSTED, { states: loop("refund") })).toEqual([
      '$.states.draft Policy "P": untrusted content reaches the tool refund without a review: draft.ask → draft.call',
    ]);
    expect(await problemsOf(UNTRUSTED, { states: loop("asked", "search") })).toEqual([]);
    const twice = { one: send("two", "$.trigger.a"), two: send("end", "$.one_output.body"), end: END };
    expect(await problemsOf(UNTRUSTED, { states: twice })).toHaveLength(1);
  });

  it("reaches what runs beside it, also past a review there", async () => {
    const both: State = {
      type: "parallel",
      states: {
        one: { initial: "ask", states: { ask: call("t.model", "a"), a: END } },
        two: { initial: "r", states: { r: call("t.review", "go"), go: send("b", "$.ask_output.text"), b: END } },
      },
      onDone: "end",
    };
    expect(await problemsOf(UNTRUSTED, { states: { both, end: END } })).toHaveLength(1);
  });
});

describe("loops and cycles", () => {
  const count = (target: string) => ({
    target,
    actions: [{ type: "assign" as const, params: { path: "$.tries", add: 1 } }],
  });
  const enough = (target: string) => ({
    target,
    guard: { type: "condition" as const, params: { key: "$.tries", operator: ">=" as const, value: 3 } },
  });

  it("are bounded by maxIterations, which a policy may limit", async () => {
    const each = (maxIterations?: number): State => ({
      loop: {
        type: "while",
        condition: isAction("==", "x"),
        bodyInitial: "a",
        bodyStates: { a: call("t.look", "b"), b: END },
        onDone: "end",
        ...(maxIterations === undefined ? {} : { maxIterations }),
      },
    });
    expect(await problemsOf(BOUNDED, { states: { each: each(), end: END } })).toEqual([]);
    const limit: GraphPolicyRule = { kind: "bounded-loops", maxIterations: 50 };
    expect(await problemsOf(limit, { states: { each: each(), end: END } })).toEqual([
      '$.states.each Policy "P": the loop each may make 100 passes, and 50 are allowed',
    ]);
    expect(await problemsOf(limit, { states: { each: each(50), end: END } })).toEqual([]);
  });

  it("are told by the way round", async () => {
    const states = {
      a: call("t.look", "b"),
      b: call("t.look", [{ target: "end", guard: isAction("==", "x") }, "a"]),
      end: END,
    };
    expect(await problemsOf(BOUNDED, { states })).toEqual([
      '$.states.a Policy "P": nothing bounds the cycle a → b → a',
    ]);
  });

  it.each<[string, Record<string, State>, boolean]>([
    ["a step counts and a guard leaves", { a: call("t.look", [enough("end"), count("a")]) }, true],
    ["the guard comes after what stays", { a: call("t.look", [count("a"), enough("end")]) }, false],
    ["nothing counts", { a: call("t.look", [enough("end"), "a"]) }, false],
    ["nothing leaves", { a: call("t.look", [{ target: "end", guard: isAction("==", "x") }, count("a")]) }, false],
    [
      "another counter is asked about",
      {
        a: call("t.look", [
          enough("end"),
          { target: "a", actions: [{ type: "assign", params: { path: "$.other", add: 1 } }] },
        ]),
      },
      false,
    ],
    [
      "the counter is set back on the way",
      {
        a: {
          ...call("t.look", [enough("end"), count("a")]),
          entry: [{ type: "assign", params: { path: "$.tries", value: 0 } }],
        },
      },
      false,
    ],
    [
      "it counts only sometimes",
      {
        a: call("t.look", [
          enough("end"),
          {
            target: "a",
            actions: [{ type: "assign", params: { path: "$.tries", add: 1 }, guard: isAction("==", "x") }],
          },
        ]),
      },
      false,
    ],
    [
      "an error leads round without counting",
      { a: { invoke: { src: "t.look", onDone: [enough("end"), count("a")], onError: "a" } } },
      false,
    ],
    [
      "an inner cycle is counted anew in a counted outer one",
      {
        a: { entry: [{ type: "assign", params: { path: "$.inner", value: 0 } }], always: "b" },
        b: call("t.look", [
          { target: "c", guard: { type: "condition", params: { key: "$.inner", operator: ">", value: 5 } } },
          { target: "b", actions: [{ type: "assign", params: { path: "$.inner", add: 1 } }] },
        ]),
        c: call("t.look", [enough("end"), count("a")]),
      },
      true,
    ],
  ])("are bounded or not when %s", async (_name, states, bounded) => {
    expect(await problemsOf(BOUNDED, { states: { ...states, end: END } })).toHaveLength(bounded ? 0 : 1);
  });
});

describe("models and node types", () => {
  const only = (...models: string[]): GraphPolicyRule => ({ kind: "allowed-models", models });

  it("must be allowed: a model by its name or by what that stands for", async () => {
    const states = { ask: call("t.model", "end", { model: "house:large" }), end: END };
    expect(await problemsOf(only("house:small"), { states })).toEqual([
      '$.states.ask Policy "P": the model house:large is not allowed: ask',
    ]);
    expect(await problemsOf(only("house:*"), { states })).toEqual([]);
    const plain = { ask: call("t.loop", "end"), end: END };
    expect(await problemsOf(only("fast"), { states: plain })).toEqual([]);
    expect(await problemsOf(only("house:small"), { states: plain })).toEqual([]);
    expect(await problemsOf(only("house:large"), { states: plain })).toEqual([
      '$.states.ask Policy "P": the model fast (house:small) is not allowed: ask.ask',
    ]);
    expect(await problemsOf(only("fast"), { states: plain, agentConfig: { model: "other" } })).toHaveLength(1);
  });

  it("must not be forbidden, also as a part of another", async () => {
    const states = { ask: call("t.loop", "end"), end: END };
    const rule = (...nodeTypes: string[]): GraphPolicyRule => ({ kind: "forbidden-nodes", nodeTypes });
    expect(await problemsOf(rule("t.loop"), { states })).toEqual([
      '$.states.ask Policy "P": the node type t.loop is not allowed: ask',
    ]);
    expect(await problemsOf(rule("t.model"), { states })).toHaveLength(1);
    expect(await problemsOf(rule("core.*"), { states })).toEqual([]);
  });
});
