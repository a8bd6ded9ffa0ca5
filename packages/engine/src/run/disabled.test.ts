import type { JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { toMermaid } from "../export/mermaid.ts";
import { toXStateJson } from "../export/xstate-json.ts";
import { EngineHarness } from "../testing/engine-harness.ts";
import { type ScriptedNode, ScriptedNodes } from "../testing/scripted-nodes.ts";
import { validateDefinition } from "../validate/validate-definition.ts";

const echo: ScriptedNode = { run: ({ input }) => ({ type: "done", output: input as JsonObject }) };
const NODES = { echo };
const call = (onDone: unknown, more: object = {}) => ({ invoke: { src: "echo", input: { x: 1 }, onDone }, ...more });
const never = { type: "condition", params: { key: "$.trigger.never", operator: "exists" } };

async function ran(definition: object): Promise<{ nodes: string[]; status: string }> {
  const harness = new EngineHarness(definition, NODES);
  const id = await harness.execute({});
  const { status } = harness.columns(id);
  return { nodes: harness.rows(id).map((row) => row.replace(/#.*/, "")), status };
}

function problemsOf(definition: object): string[] {
  const { problems } = validateDefinition(definition, new ScriptedNodes(NODES));
  return problems.filter(({ severity }) => severity === "error").map(({ path, rule }) => `${path} ${rule}`);
}

describe("a state that is switched off", () => {
  it("does nothing and passes on: a node, a group, parallel regions, a loop, a state in a loop's body", async () => {
    const end = { type: "final" };
    const inner = { initial: "x", states: { x: call("y"), y: end } };
    const off: [string, object][] = [
      ["a node", call("end", { disabled: true })],
      ["a group", { disabled: true, ...inner, onDone: "end" }],
      ["regions", { disabled: true, type: "parallel", states: { one: inner }, onDone: "end" }],
      [
        "a loop",
        {
          disabled: true,
          loop: { type: "forEach", collection: [1], bodyInitial: "x", bodyStates: inner.states, onDone: "end" },
        },
      ],
    ];
    for (const [name, state] of off) {
      const definition = { initial: "a", states: { a: call("b"), b: state, end } };
      expect(problemsOf(definition), name).toEqual([]);
      expect(await ran(definition), name).toEqual({ nodes: ["a"], status: "completed" });
    }
    const body = { x: call("y"), y: call("z", { disabled: true }), z: end };
    const loop = { loop: { type: "forEach", collection: [1, 2], bodyInitial: "x", bodyStates: body, onDone: "end" } };
    const inLoop = { initial: "a", states: { a: loop, end } };
    expect(problemsOf(inLoop)).toEqual([]);
    expect((await ran(inLoop)).nodes.filter((id) => id === "y")).toEqual([]);
    expect((await ran(inLoop)).nodes.filter((id) => id === "x")).toHaveLength(2);
  });

  it("takes the branch that always holds, without its actions and without the handlers of errors and timers", async () => {
    const onDone = [
      { target: "other", guard: never },
      { target: "end", actions: [{ type: "assign", params: { path: "$.seen", value: true } }] },
    ];
    const b = {
      disabled: true,
      invoke: { src: "echo", onDone, onError: "other" },
      entry: [{ type: "assign", params: { path: "$.entered", value: true } }],
      after: { PT1H: "other" },
    };
    const definition = {
      initial: "a",
      context: { seen: false, entered: false },
      states: {
        a: call("b"),
        b,
        other: call("end"),
        end: { type: "final", output: { seen: "$.seen", in: "$.entered" } },
      },
    };
    const harness = new EngineHarness(definition, NODES);
    const id = await harness.execute({});
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: { seen: false, in: false } });
  });

  it("may be unfinished, but must lead on", () => {
    const states = (b: object) => ({ initial: "a", states: { a: call("b"), b, end: { type: "final" } } });
    expect(problemsOf(states({ disabled: true, invoke: { src: "no.such.node", onDone: "end" } }))).toEqual([]);
    expect(problemsOf(states({ invoke: { src: "no.such.node", onDone: "end" } }))).not.toEqual([]);
    for (const b of [
      { disabled: true, type: "final" },
      { disabled: true, on: { go: "end" } },
      call([{ target: "end", guard: never }], { disabled: true }),
      call("b", { disabled: true }),
    ])
      expect(problemsOf(states(b)), JSON.stringify(b)).toContain("$.states.b.disabled disabled");
  });

  it("is kept as it is, and exported as it runs", () => {
    const given = {
      initial: "a",
      states: { a: call("b"), b: call("end", { disabled: true }), end: { type: "final" } },
    };
    const { definition } = validateDefinition(given, new ScriptedNodes(NODES));
    if (definition === undefined) throw new Error("not valid");
    expect(definition).toEqual(given);
    expect(toXStateJson(definition).states).toMatchObject({ b: { always: expect.anything() } });
    expect(JSON.stringify((toXStateJson(definition).states as JsonObject).b)).not.toContain("echo");
    expect(toMermaid(definition)).toContain("b --> s_end");
    expect(toMermaid(definition)).not.toContain("b (echo)");
  });
});
