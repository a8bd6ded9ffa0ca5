import type { Json, JsonObject } from "@oven/contract";
import { findState, getAt, indexStates, listTransitions } from "@oven/scope";
import { describe, expect, it } from "vitest";
import { FIRST_GUARD } from "../../inspector/guard-kinds.ts";
import { canConnect } from "../can-connect.ts";
import { type Edit, isRefused, type Refusal } from "../edit.ts";
import { addOutcome } from "./add-outcome.ts";
import { addConnected, addState, insertOnTransition } from "./add-state.ts";
import { connect, type Outlet, reconnectSource, reconnectTarget, setInitial } from "./connect.ts";
import { deleteStates } from "./delete-states.ts";
import { extractStates } from "./extract-states.ts";
import { moveStates } from "./move-states.ts";
import { renameState } from "./rename-state.ts";
import { replaceNode } from "./replace-node.ts";
import { toggleDisabled } from "./set-disabled.ts";
import { unwrapState, wrapStates } from "./wrap-states.ts";

const guard = (key: string) => ({ type: "condition", params: { key, operator: "exists" } });
const done = { type: "final" };
const call = (onDone: Json | undefined, more: JsonObject = {}): JsonObject => ({
  invoke: { src: "core.log", ...(onDone === undefined ? {} : { onDone }), ...more },
});
const json = (value: object): JsonObject => JSON.parse(JSON.stringify(value));

const LINE = json({
  initial: "a",
  "x-kept": { here: 1 },
  states: {
    a: { "x-kept": true, ...call("b", { onError: "broken" }) },
    b: call([{ target: "c", guard: guard("$.b_output.ok"), "x-kept": 2 }, { target: "a" }]),
    c: { always: "end", invoke: { src: "core.log", input: { text: "{{ $.b.ok }} {{ $.a_output }}" } } },
    broken: { type: "final", outcome: "failed", output: "$.a_error" },
    end: done,
  },
});

function made(result: Edit | Refusal): JsonObject {
  if (isRefused(result)) throw new Error(result.reason);
  return result.document;
}
const reasonOf = (result: Edit | Refusal): string => (isRefused(result) ? result.reason : "done");
const lineOf = (document: JsonObject, path: string) => {
  const found = listTransitions(document).find(({ address }) => address.join(".") === path);
  if (found === undefined) throw new Error(`no transition at ${path}`);
  return found;
};
const outlet = (from: string, slot: Outlet["slot"], more: Partial<Outlet> = {}): Outlet => ({
  from,
  slot,
  key: null,
  transition: null,
  ...more,
});
const lines = (document: JsonObject) =>
  listTransitions(document).map(({ owner, slot, target }) => `${owner?.id} ${slot} ${target}`);
const ids = (document: JsonObject) => indexStates(document).list.map(({ id }) => id);

describe("adding", () => {
  it("begins an empty definition, and gives the next of the same kind a name of its own", () => {
    const one = addState(
      { states: {} },
      { wish: "agent.llm", state: call("x") },
      { container: null, position: { x: 4.6, y: 0 } },
    );
    expect(made(one)).toMatchObject({ initial: "llm", meta: { positions: { llm: { x: 5, y: 0 } } } });
    const two = addState(made(one), { wish: "agent.llm", state: {} }, { container: null });
    expect([ids(made(two)), made(two).initial]).toEqual([["llm", "llm_2"], "llm"]);
  });

  it("on a line leads what led on to it, and it to what followed", () => {
    const document = made(
      insertOnTransition(LINE, lineOf(LINE, "states.a.invoke.onDone"), { wish: "new", state: call(undefined) }),
    );
    expect(Object.keys(document.states as object)).toEqual(["a", "new", "b", "c", "broken", "end"]);
    expect(lines(document)).toEqual(expect.arrayContaining(["a invoke.onDone new", "new invoke.onDone b"]));
    const first = made(insertOnTransition(LINE, null, { wish: "new", state: {} }));
    expect([first.initial, getAt(first, ["states", "new", "always"])]).toEqual(["new", "a"]);
  });

  it("at the end of a dropped line connects it", () => {
    const document = made(
      addConnected(LINE, outlet("c", "invoke.onError"), { wish: "late", state: done }, { container: null }),
    );
    expect(lines(document)).toContain("c invoke.onError late");
  });

  it("does not put history where nothing is remembered", () => {
    const made = addState(LINE, { wish: "h", state: { type: "history" } }, { container: null });
    expect(reasonOf(made)).toMatch(/group/);
  });
});

describe("connecting", () => {
  it("makes a transition, puts a guarded branch before the open one, and keeps the rest of a transition", () => {
    expect(
      getAt(made(connect(LINE, outlet("c", "invoke.onError"), "broken")), ["states", "c", "invoke", "onError"]),
    ).toBe("broken");
    const branched = made(connect(LINE, outlet("b", "invoke.onDone", { guard: guard("$.b") }), "end"));
    expect(getAt(branched, ["states", "b", "invoke", "onDone"])).toMatchObject([
      { target: "c" },
      { target: "end" },
      { target: "a" },
    ]);
    const moved = made(reconnectTarget(LINE, lineOf(LINE, "states.b.invoke.onDone.0"), "end"));
    expect(getAt(moved, ["states", "b", "invoke", "onDone", 0])).toEqual({
      target: "end",
      guard: guard("$.b_output.ok"),
      "x-kept": 2,
    });
  });

  it("puts a new branch of a choice before what takes everything else, and selects the choice to say when", () => {
    const more = { guard: json(FIRST_GUARD) };
    const branched = connect(LINE, outlet("c", "always", more), "broken");
    expect(getAt(made(branched), ["states", "c", "always"])).toEqual([{ target: "broken", guard: FIRST_GUARD }, "end"]);
    expect(branched).toMatchObject({ select: ["c"] });
    const behind = addConnected(LINE, outlet("c", "always", more), { wish: "late", state: done }, { container: null });
    expect(getAt(made(behind), ["states", "c", "always"])).toMatchObject([{ target: "late" }, "end"]);
    expect(behind).toMatchObject({ select: ["late"] });
  });

  it("moves the beginning of a line with what it does", () => {
    const document = made(
      reconnectSource(LINE, lineOf(LINE, "states.b.invoke.onDone.0"), outlet("c", "invoke.onDone")),
    );
    expect(getAt(document, ["states", "b", "invoke", "onDone"])).toEqual([{ target: "a" }]);
    expect(getAt(document, ["states", "c", "invoke", "onDone"])).toEqual({ target: "c", "x-kept": 2 });
  });

  const nested = json({
    initial: "both",
    states: {
      both: {
        type: "parallel",
        states: {
          l: { initial: "l1", states: { l1: {}, lh: { type: "history" } } },
          r: { initial: "r1", states: { r1: {} } },
        },
      },
      each: { loop: { type: "forEach", collection: [], bodyInitial: "in", bodyStates: { in: {} } } },
      end: done,
    },
  });
  it.each([
    ["end", "both", /nothing leads on/],
    ["l1", "r1", /another region of both/],
    ["end", "nowhere", /no state nowhere/],
    ["both", "in", /inside the loop each/],
    ["in", "end", /inside the loop each/],
    ["lh", "end", /remembers l/],
  ])("%s → %s is refused with the reason", (from, to, reason) => {
    const verdict = canConnect(nested, from, to);
    expect(verdict.ok ? "ok" : verdict.reason).toMatch(reason);
  });
  it.each([
    ["l1", "end"],
    ["lh", "l1"],
    ["in", "in"],
    ["both", "l1"],
    [null, "end"],
  ])("%s → %s is allowed", (from, to) => {
    expect(canConnect(nested, from, to)).toEqual({ ok: true });
  });

  it("begins only with what stands directly in it", () => {
    expect(made(setInitial(LINE, "b")).initial).toBe("b");
    expect(reasonOf(setInitial(nested, "l"))).toMatch(/start together/);
    expect(reasonOf(setInitial(nested, "lh"))).toMatch(/never active/);
  });
});

describe("renaming", () => {
  it("changes everything that names the state, and nothing that only looks like it", () => {
    const document = json({
      initial: "a",
      context: { kept: "$.a_output" },
      states: {
        a: call("g", {
          input: {
            a: "$.a.x",
            text: "{{ $.a_output.a }} $.a \\{{ $.a }}",
            raw: { $literal: "$.a" },
            sum: { $cel: "ctx.a.n + size('ctx.a')" },
          },
        }),
        g: {
          initial: "i",
          on: { BACK: [{ target: "a", guard: { type: "cel", params: { expression: "ctx.a_error.code == 'a'" } } }] },
          states: { i: {}, h: { type: "history", target: "i" } },
        },
      },
      meta: {
        positions: { a: { x: 1, y: 2 }, g: { x: 3, y: 4 } },
        frames: [{ id: "f", title: "a", members: ["a", "g"] }],
      },
    });
    expect(made(renameState(document, "a", "first"))).toEqual(
      json({
        initial: "first",
        context: { kept: "$.a_output" },
        states: {
          first: call("g", {
            input: {
              a: "$.first.x",
              text: "{{ $.first_output.a }} $.a \\{{ $.a }}",
              raw: { $literal: "$.a" },
              sum: { $cel: "ctx.first.n + size('ctx.a')" },
            },
          }),
          g: {
            initial: "i",
            on: {
              BACK: [
                { target: "first", guard: { type: "cel", params: { expression: "ctx.first_error.code == 'a'" } } },
              ],
            },
            states: { i: {}, h: { type: "history", target: "i" } },
          },
        },
        meta: {
          positions: { first: { x: 1, y: 2 }, g: { x: 3, y: 4 } },
          frames: [{ id: "f", title: "a", members: ["first", "g"] }],
        },
      }),
    );
    const inner = made(renameState(document, "i", "j"));
    expect([getAt(inner, ["states", "g", "initial"]), getAt(inner, ["states", "g", "states", "h", "target"])]).toEqual([
      "j",
      "j",
    ]);
  });

  it("leaves a variable of the state's name alone", () => {
    const document = json({
      initial: "n",
      context: { n: 1 },
      states: { n: call("m"), m: call("m", { input: { v: "$.n", o: "$.n_output" } }) },
    });
    expect(getAt(made(renameState(document, "n", "k")), ["states", "m", "invoke", "input"])).toEqual({
      v: "$.n",
      o: "$.k_output",
    });
  });

  it("takes the short key of core.condition along", () => {
    const document = json({
      initial: "a",
      states: { a: {}, t: { invoke: { src: "core.condition", input: { key: "a_output.ok", operator: "exists" } } } },
    });
    expect(getAt(made(renameState(document, "a", "b")), ["states", "t", "invoke", "input", "key"])).toBe("b_output.ok");
  });

  it.each([
    ["b", /used already/],
    ["1x", /letter/],
    ["trigger", /reserved/],
    ["b_output", /result of b/],
    ["", /name/],
  ])("to %j is refused", (to, reason) => {
    expect(reasonOf(renameState(LINE, "a", to))).toMatch(reason);
  });
});

describe("deleting", () => {
  it("leads what led to it on to where it led", () => {
    const document = deleteStates(LINE, ["b"]).document;
    // b's open branch leads back to a: joining it to itself would go round for ever.
    expect(lines(document)).not.toContain("a invoke.onDone a");
    const other = deleteStates(LINE, ["c"]).document;
    expect(getAt(other, ["states", "b", "invoke", "onDone", 0])).toMatchObject({ target: "end", "x-kept": 2 });
  });

  it("of the first one begins with the next", () => {
    expect(deleteStates(LINE, ["a"]).document.initial).toBe("b");
    expect(deleteStates(LINE, ["a", "b", "c", "broken", "end"]).document).toEqual({
      "x-kept": { here: 1 },
      states: {},
    });
  });

  it("takes away lines that have nowhere to go", () => {
    const document = deleteStates(LINE, ["broken", "end"]).document;
    expect(lines(document)).toEqual(["a invoke.onDone b", "b invoke.onDone c", "b invoke.onDone a"]);
  });
});

describe("moving", () => {
  const grouped = json({
    initial: "a",
    states: {
      a: { always: "g" },
      g: { initial: "i", states: { i: { always: "j" }, j: {} }, onDone: "end" },
      end: { ...done, outcome: "ok" },
    },
  });

  it("into a group keeps the lines, and lets the old place begin elsewhere", () => {
    const document = made(moveStates(grouped, ["a"], "g", new Map([["a", { x: 1, y: 1 }]])));
    expect([document.initial, findState(document, "a")?.parent?.id]).toEqual(["g", "g"]);
    const out = made(moveStates(grouped, ["i"], null));
    expect([getAt(out, ["states", "g", "initial"]), findState(out, "i")?.parent]).toEqual(["j", undefined]);
  });

  it.each([
    [["g"], "g", /itself/],
    [["end"], "g", /how the run ends/],
    [["a"], "end", /cannot hold/],
  ])("%j into %s is refused", (what, into, reason) => {
    expect(reasonOf(moveStates({ ...grouped }, what, into))).toMatch(reason);
  });
});

describe("wrapping", () => {
  it("in a group lets lines in and out", () => {
    const document = made(wrapStates(LINE, ["b", "c"], "compound"));
    expect(Object.keys(document.states as object)).toEqual(["a", "group", "broken", "end"]);
    expect(lines(document)).toEqual(
      expect.arrayContaining(["a invoke.onDone group", "b invoke.onDone a", "c always end"]),
    );
    expect(made(unwrapState(document, "group"))).toEqual(LINE);
  });

  it("in a loop ends the round where the states led on, and leads on from the loop", () => {
    const document = made(wrapStates(LINE, ["c"], "loop"));
    expect(lines(document)).toEqual(
      expect.arrayContaining(["c always loop_end", "loop loop.onDone end", "b invoke.onDone loop"]),
    );
    expect(canConnect(document, "c", "loop_end")).toEqual({ ok: true });
    const open = made(unwrapState(document, "loop"));
    expect(lines(open)).toEqual(lines(LINE));
  });

  it("in a parallel state makes a region of each", () => {
    const document = made(wrapStates(LINE, ["b", "c"], "parallel"));
    expect(lines(document)).toEqual(
      expect.arrayContaining([
        "a invoke.onDone parallel",
        "b invoke.onDone b_end",
        "c always c_end",
        "parallel onDone a",
      ]),
    );
    for (const { owner, target } of listTransitions(document))
      expect(canConnect(document, owner?.id ?? null, target ?? "")).toEqual({ ok: true });
  });

  it("refuses what would lose something", () => {
    const document = json({
      initial: "g",
      states: { g: { initial: "i", entry: [], on: { X: "g" }, states: { i: {} } }, end: done },
    });
    expect(reasonOf(unwrapState(document, "g"))).toMatch(/on and entry/);
    expect(reasonOf(wrapStates(LINE, ["broken"], "compound"))).toMatch(/at the top/);
    expect(reasonOf(wrapStates(document, ["i", "end"], "compound"))).toMatch(/different groups/);
  });
});

describe("disabling", () => {
  it("marks the states, and unmarks them when all are", () => {
    const off = toggleDisabled(LINE, ["a", "b", "end"]);
    expect([getAt(off, ["states", "a", "disabled"]), getAt(off, ["states", "end", "disabled"])]).toEqual([
      true,
      undefined,
    ]);
    expect(toggleDisabled(toggleDisabled(off, ["a"]), ["a"])).toEqual(off);
    expect(toggleDisabled(off, ["a", "b"])).toEqual(LINE);
  });
});

describe("extracting a workflow", () => {
  const document = json({
    initial: "a",
    payloadSchema: { type: "object", properties: { text: { type: "string" } } },
    states: {
      a: call("b"),
      b: call("c", { input: { said: "$.trigger.text", before: "{{ $.a_output.text }}" }, onError: "broken" }),
      c: {
        always: [
          { target: "late", guard: { type: "cel", params: { expression: "ctx.a_output.n > 1" } } },
          { target: "end" },
        ],
      },
      late: call("end", { input: { got: "$.b_output.text", all: "{{ $.b.text }}" } }),
      broken: { type: "final", outcome: "failed" },
      end: done,
    },
    meta: { positions: { a: { x: 0, y: 0 }, b: { x: 1, y: 0 } } },
  });

  it("hands on what is read, ends as often as there are ways out, and calls it where the states stood", () => {
    const result = extractStates(document, ["b", "c"], "check", "workflow");
    if ("reason" in result) throw new Error(result.reason);
    expect(result.definition).toEqual({
      initial: "b",
      states: {
        b: call("c", {
          input: { said: "$.trigger.text", before: "{{ $.trigger.a_output.text }}" },
          onError: "to_broken",
        }),
        c: {
          always: [
            { target: "to_late", guard: { type: "cel", params: { expression: 'trigger["a_output"].n > 1' } } },
            { target: "to_end" },
          ],
        },
        to_broken: {
          type: "final",
          outcome: "to_broken",
          output: { b: "$.b | default(null)", b_output: "$.b_output | default(null)" },
        },
        to_late: {
          type: "final",
          outcome: "to_late",
          output: { b: "$.b | default(null)", b_output: "$.b_output | default(null)" },
        },
        to_end: {
          type: "final",
          outcome: "to_end",
          output: { b: "$.b | default(null)", b_output: "$.b_output | default(null)" },
        },
      },
      payloadSchema: { type: "object", properties: { text: { type: "string" }, a_output: {} } },
    });
    expect(Object.keys(result.document.states as object)).toEqual(["a", "check", "late", "broken", "end"]);
    expect(getAt(result.document, ["states", "check", "invoke"])).toEqual({
      src: "core.callWorkflow",
      input: {
        workflow: "check",
        kind: "workflow",
        input: { text: "$.trigger.text | default(null)", a_output: "$.a_output | default(null)" },
      },
      onDone: [
        {
          target: "broken",
          guard: { type: "condition", params: { key: "$.check_output.outcome", operator: "==", value: "to_broken" } },
        },
        {
          target: "late",
          guard: { type: "condition", params: { key: "$.check_output.outcome", operator: "==", value: "to_late" } },
        },
        "end",
      ],
    });
    expect(getAt(result.document, ["states", "late", "invoke", "input"])).toEqual({
      got: "$.check_output.output.b_output.text",
      all: "{{ $.check_output.output.b.text }}",
    });
    expect(getAt(result.document, ["states", "a", "invoke", "onDone"])).toBe("check");
  });

  it.each([
    [["end"], /Ends/],
    [["b", "late"], /several/],
    [[], /Select/],
  ])("%j is refused", (what, reason) => {
    const result = extractStates({ ...document, initial: "late" }, what, "check", "workflow");
    expect("reason" in result ? result.reason : "done").toMatch(reason);
  });

  it("refuses states that change a variable of the rest", () => {
    const changing = json({
      initial: "a",
      context: { n: 0 },
      states: { a: { ...call("end"), entry: [{ type: "assign", params: { path: "$.n", add: 1 } }] }, end: done },
    });
    const result = extractStates(changing, ["a"], "check", "workflow");
    expect("reason" in result ? result.reason : "done").toMatch(/variable n/);
  });
});

describe("a new way out", () => {
  it("by an event, after a time or under a condition waits for its line", () => {
    const one = made(addOutcome(LINE, "a", "event", "PAID"));
    const two = made(addOutcome(one, "a", "timer", "PT15M"));
    const three = made(addOutcome(two, "a", "branch", "ctx.n > 1"));
    expect(getAt(three, ["states", "a"])).toMatchObject({
      on: { PAID: {} },
      after: { PT15M: {} },
      invoke: { onDone: [{ guard: { type: "cel", params: { expression: "ctx.n > 1" } } }, "b"] },
    });
    const line = listTransitions(two).find(({ slot }) => slot === "on");
    expect(made(connect(two, { from: "a", slot: "on", key: "PAID", transition: line ?? null }, "end"))).toMatchObject({
      states: { a: { on: { PAID: { target: "end" } } } },
    });
  });

  it.each([
    ["a", "timer", "soon", /Milliseconds/],
    ["a", "event", " ", /empty/],
    ["end", "event", "PAID", /Nothing leads on/],
  ] as const)("%s %s %j is refused", (id, kind, text, reason) => {
    expect(reasonOf(addOutcome(LINE, id, kind, text))).toMatch(reason);
  });
});

describe("replacing a node", () => {
  it("keeps where it leads and takes the new input", () => {
    const made = { wish: "agent.llm", state: json({ label: "Model", invoke: { src: "agent.llm", input: { a: 1 } } }) };
    const result = replaceNode(LINE, "a", made);
    expect(isRefused(result) ? result : getAt(result.document, ["states", "a"])).toEqual({
      "x-kept": true,
      invoke: { src: "agent.llm", input: { a: 1 }, onDone: "b", onError: "broken" },
    });
    expect(reasonOf(replaceNode(LINE, "end", made))).toMatch(/Only a node/);
  });
});
