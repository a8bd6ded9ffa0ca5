import type { Definition } from "@oven/contract/workflow";
import { describe, expect, it } from "vitest";
import { ScriptedNodes } from "../testing/scripted-nodes.ts";
import { validateDefinition } from "../validate/validate-definition.ts";
import type { Ceiling } from "./ceiling.ts";
import { worstCase } from "./worst-case.ts";

const MINUTE = 60_000;
const nodes = new ScriptedNodes({
  call: { effect: "at-least-once", retry: { maxAttempts: 1 } },
  flaky: { effect: "at-least-once", retry: { maxAttempts: 3, backoff: "fixed", initialMs: 1_000 } },
  once: { effect: "at-most-once", retry: { maxAttempts: 3 } },
  ask: { isWait: true, retry: { maxAttempts: 3, backoff: "fixed", initialMs: 0 } },
  child: { isWait: true, retry: { maxAttempts: 1 } },
  rounds: {
    effect: "at-least-once",
    expand: () => ({
      initial: "model",
      states: {
        model: { invoke: { src: "call", onDone: [{ target: "done", guard: ENOUGH }, { target: "tools" }] } },
        tools: { invoke: { src: "call", onDone: "model" } },
        done: { type: "final" },
      },
      output: null,
      visits: { model: 4, tools: 3 },
    }),
  },
});
const ENOUGH = { type: "condition", params: { key: "$.enough", operator: "exists" } } as const;

const CEILINGS: Record<string, Ceiling> = {
  call: { perCall: { calls: 1, active: 10 } },
  flaky: { perCall: { calls: 1, active: 10 } },
  once: { perCall: { calls: 1, active: 10 } },
  ask: { perCall: { active: 0 }, perVisit: { reviews: 1, waiting: { code: "no-deadline" } } },
  child: { perCall: { active: 0 } },
};

const step = (src: string, onDone: unknown, more: object = {}) => ({ invoke: { src, onDone, ...more } });
const done = { done: { type: "final" } };

function of(given: object, children: Record<string, object> = {}): Record<string, number | string[]> {
  const toValid = (one: object): Definition => {
    const { definition, problems } = validateDefinition(one, nodes);
    if (!definition) throw new Error(JSON.stringify(problems));
    return definition;
  };
  const totals = worstCase(toValid({ initial: "one", ...given }), nodes, {
    ceiling: ({ src }) => CEILINGS[src] ?? {},
    called: ({ src, input }) => {
      const definition = children[String(input.workflow)];
      return src === "child" && definition ? [{ key: String(input.workflow), definition: toValid(definition) }] : [];
    },
  });
  return Object.fromEntries(
    [...totals].map(([name, { most, causes }]) => [
      name,
      causes.length === 0 ? most : causes.map(({ state, path, code }) => `${code} ${state} ${path}`),
    ]),
  );
}

describe("the worst case of a definition", () => {
  it("adds up steps, and takes the dearer of two branches", () => {
    const branch = { type: "condition", params: { key: "$.trigger.big", operator: "exists" } };
    const states = {
      one: step("call", [{ target: "two", guard: branch }, { target: "done" }]),
      two: step("call", "three"),
      three: step("call", "done"),
      ...done,
    };
    expect(of({ states })).toEqual({ calls: 3, active: 30 });
  });

  it("multiplies calls by the attempts of their step, and waits between them, but not where a call is made at most once", () => {
    expect(of({ states: { one: step("flaky", "done"), ...done } })).toMatchObject({
      calls: 3,
      active: 30,
      waiting: 2_400,
    });
    expect(of({ states: { one: step("flaky", "done", { retry: { maxAttempts: 5 } }), ...done } })).toMatchObject({
      calls: 5,
    });
    expect(of({ states: { one: step("once", "done"), ...done } })).toMatchObject({ calls: 1 });
  });

  it("asks a person once in a visit, however often the step's calls are repeated", () => {
    expect(of({ states: { one: step("ask", "done"), ...done } })).toMatchObject({
      reviews: 1,
      waiting: ["no-deadline one $.states.one"],
    });
  });

  it("counts the way that an error leads", () => {
    const states = { one: step("call", "done", { onError: "mend" }), mend: step("flaky", "done"), ...done };
    expect(of({ states })).toMatchObject({ calls: 4 });
  });

  it("adds up regions side by side, and takes the longer of their times", () => {
    const region = (id: string, src: string) => ({
      initial: id,
      states: { [id]: step(src, `${id}_end`), [`${id}_end`]: { type: "final" } },
    });
    const states = {
      one: { type: "parallel", states: { left: region("l", "call"), right: region("r", "flaky") }, onDone: "done" },
      ...done,
    };
    expect(of({ states })).toMatchObject({ calls: 4, active: 30, waiting: 2_400 });
  });

  describe("of a loop", () => {
    const loop = (more: object, body = step("call", "over")) => ({
      one: {
        loop: {
          type: "forEach",
          bodyInitial: "work",
          bodyStates: { work: body, over: { type: "final" } },
          onDone: "done",
          ...more,
        },
      },
      ...done,
    });
    const payloadSchema = {
      type: "object",
      properties: { items: { type: "array", maxItems: 7 }, more: { type: "array" } },
    };

    it("takes its limit, or the length of its list where that is known to be shorter", () => {
      expect(of({ states: loop({ collection: "$.trigger.items" }) })).toMatchObject({ calls: 100 });
      expect(of({ states: loop({ collection: "$.trigger.items", maxIterations: 5 }) })).toMatchObject({ calls: 5 });
      expect(of({ states: loop({ collection: [1, 2, 3] }) })).toMatchObject({ calls: 3 });
      expect(of({ payloadSchema, states: loop({ collection: "$.trigger.items" }) })).toMatchObject({ calls: 7 });
      expect(of({ payloadSchema, states: loop({ collection: "$.trigger.more" }) })).toMatchObject({ calls: 100 });
    });

    it("multiplies what is in loops inside loops", () => {
      const inner = {
        loop: {
          ...{ type: "forEach", collection: [1, 2], bodyInitial: "deep", onDone: "over" },
          bodyStates: { deep: step("call", "end"), end: { type: "final" } },
        },
      };
      expect(of({ states: loop({ collection: [1, 2, 3] }, inner as never) })).toMatchObject({ calls: 6 });
    });

    it("runs passes side by side in as many rounds as are needed", () => {
      const states = loop({ collection: [1, 2, 3, 4, 5], concurrency: 2 }, step("flaky", "over"));
      expect(of({ states })).toMatchObject({ calls: 15, waiting: 3 * 2_430 });
    });
  });

  describe("of a cycle", () => {
    const again = {
      one: step("call", "two"),
      two: step("ask", [{ target: "done", guard: ENOUGH }, { target: "one" }]),
      ...done,
    };

    it("is unbounded where nothing limits it, and says which states make it so", () => {
      expect(of({ states: again })).toMatchObject({
        calls: ["cycle one $.states.one"],
        reviews: ["cycle two $.states.two"],
      });
    });

    it("is bounded by a limit of steps that the definition sets", () => {
      expect(of({ maxSteps: 10, states: again })).toMatchObject({ calls: 10, reviews: 10 });
    });

    it("is what a composite says that it counts", () => {
      expect(of({ states: { one: step("rounds", "done"), ...done } })).toMatchObject({ calls: 7 });
    });

    it("is found where an event from outside leads back", () => {
      const states = { one: step("call", "two"), two: step("call", "done"), ...done };
      expect(of({ states, on: { restart: "one" } })).toMatchObject({
        calls: ["cycle one $.states.one", "cycle two $.states.two"],
      });
    });

    it("is found where a group is left and entered again", () => {
      const states = {
        one: {
          initial: "in",
          states: { in: step("call", "end"), end: { type: "final" } },
          onDone: [{ target: "done", guard: ENOUGH }, { target: "back" }],
        },
        back: { after: { PT1M: "one" } },
        ...done,
      };
      expect(of({ states })).toMatchObject({
        calls: ["cycle one $.states.one"],
        waiting: ["cycle back $.states.back"],
      });
    });
  });

  it("waits for events without end, unless a timer leads on", () => {
    expect(of({ states: { one: { on: { go: "done" } }, ...done } })).toMatchObject({
      waiting: ["no-deadline one $.states.one"],
    });
    expect(of({ states: { one: { on: { go: "done" }, after: { PT5M: "done" } }, ...done } })).toMatchObject({
      waiting: 5 * MINUTE,
    });
    const group = {
      one: {
        initial: "in",
        states: { in: step("ask", "end"), end: { type: "final" } },
        onDone: "done",
        after: { PT2M: "done" },
      },
      ...done,
    };
    expect(of({ states: group })).toMatchObject({ waiting: 2 * MINUTE, active: 0 });
  });

  it("takes no more active time than the run may", () => {
    const { active, ...more } = CEILINGS.call?.perCall ?? {};
    expect(active).toBe(10);
    const states = { one: step("call", "done", { timeoutMs: 5 }), ...done };
    expect(of({ states })).toMatchObject({ active: 5, ...more });
    expect(of({ timeoutMs: 7, states: { one: step("call", "done"), ...done } })).toMatchObject({ active: 7 });
  });

  it("counts the workflows that it calls, as deep as runs are nested", () => {
    const inner = { initial: "ask", states: { ask: step("flaky", "call"), call: step("ask", "done"), ...done } };
    const call = { input: { workflow: "inner" } };
    const states = { one: step("child", "two", call), two: step("child", "done", call), ...done };
    expect(of({ states }, { inner })).toMatchObject({
      calls: 6,
      reviews: 2,
      waiting: ["no-deadline one/call $.states.one", "no-deadline two/call $.states.two"],
    });
    const self = {
      initial: "work",
      states: { work: step("call", "again"), again: step("child", "done", call), ...done },
    };
    expect(of({ states: { one: step("child", "done", call), ...done } }, { inner: self })).toMatchObject({ calls: 5 });
  });

  describe("of steps that can be undone", () => {
    const back = { back: step("flaky", "ask_more"), ask_more: step("ask", "done") };
    const undoable = (src: string, onDone: unknown) => ({ ...step(src, onDone), undo: "back" });

    it("adds the longest way back for each visit", () => {
      const two = of({ states: { one: undoable("call", "two"), two: undoable("call", "done"), ...done, ...back } });
      expect(two).toMatchObject({ calls: 2 + 2 * 3, reviews: 2 });
      const either = [{ target: "two", guard: ENOUGH }, { target: "done" }];
      const last = of({ states: { one: undoable("call", either), two: step("call", "done"), ...done, ...back } });
      expect(last).toMatchObject({ calls: 2 + 3, reviews: 1 });
    });

    it("counts visits in loops, and names what makes them endless", () => {
      const body = { bodyInitial: "in", bodyStates: { in: undoable("call", "out"), out: { type: "final" } } };
      const loop = { type: "forEach", collection: "$.trigger.list", maxIterations: 7, ...body, onDone: "done" };
      expect(of({ states: { one: { loop }, ...done, ...back } })).toMatchObject({ calls: 7 + 7 * 3 });
      const again = [{ target: "one", guard: ENOUGH }, { target: "done" }];
      const endless = of({ states: { one: undoable("call", again), ...done, ...back } });
      expect(endless.reviews).toEqual(["cycle one $.states.one"]);
    });
  });

  it("does not count a step that is switched off", () => {
    const states = { one: { ...step("call", "two"), disabled: true }, two: step("call", "done"), ...done };
    expect(of({ states })).toMatchObject({ calls: 1 });
  });

  it("is found where an event leads a group back to its beginning", () => {
    const inner = { in: step("call", "more"), more: step("call", "end"), end: { type: "final" } };
    const states = { one: { initial: "in", states: inner, on: { restart: "one" }, onDone: "done" }, ...done };
    expect(of({ states })).toMatchObject({
      calls: ["cycle in $.states.one.states.in", "cycle more $.states.one.states.more", "cycle one $.states.one"],
    });
    expect(of({ maxSteps: 7, states })).toMatchObject({ calls: 7 });
  });
});
