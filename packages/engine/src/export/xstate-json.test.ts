import type { Json, JsonObject } from "@oven/contract";
import type { Definition } from "@oven/contract/workflow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type AnyStateMachine, assign, createActor, createMachine } from "xstate";
import { compileDefinition } from "../compile/compile-definition.ts";
import { initialContext } from "../plan/context.ts";
import { plan, planStart } from "../plan/plan.ts";
import type { Plan, PlanEvent } from "../plan/plan-types.ts";
import type { RunState } from "../plan/run-state.ts";
import { ScriptedNodes } from "../testing/scripted-nodes.ts";
import { toXStateJson } from "./xstate-json.ts";

/*
 * Random definitions run in the engine and, exported, in plain XState with its own clock. States, the order of entries
 * and exits, and what loops go through must agree after every event and every tick.
 */

interface Shape {
  kind: "plain" | "group" | "parallel" | "loop" | "final";
  on: number[];
  after: { ms: number; target: number }[];
  always: number | undefined;
  done: number;
  reenter: boolean;
  history: "shallow" | "deep" | undefined;
  size: number;
  children: Shape[];
}

const shapes = (kinds: Shape["kind"][], withHistory: boolean): fc.Memo<Shape> => {
  const shape: fc.Memo<Shape> = fc.memo((depth) =>
    fc.record({
      kind: fc.constantFrom(...kinds),
      on: fc.array(fc.nat(30), { maxLength: 2 }),
      after: fc.array(fc.record({ ms: fc.constantFrom(10, 20, 30), target: fc.nat(30) }), { maxLength: 1 }),
      always: fc.option(fc.nat(30), { nil: undefined, freq: 9 }),
      done: fc.nat(30),
      reenter: fc.boolean(),
      history: withHistory ? fc.option(fc.constantFrom("shallow", "deep"), { nil: undefined }) : fc.constant(undefined),
      size: fc.integer({ min: 0, max: 3 }),
      children: depth > 1 ? fc.array(shape(depth - 1), { minLength: 1, maxLength: 3 }) : fc.constant([]),
    }),
  );
  return shape;
};

const log = (what: string) => [{ type: "assign", params: { path: "$.log", append: what } }];

function toDefinition(roots: Shape[]): Definition {
  /** Ids by the loop body they are in: a target may not cross its border. */
  const ids = new Map<string, string[]>();
  const note = (id: string, place: string): void => void ids.set(place, [...(ids.get(place) ?? []), id]);
  const name = (list: Shape[], prefix: string, place: string): void =>
    list.forEach((shape, index) => {
      const id = `${prefix}${index}`;
      note(id, place);
      if (shape.history && isGroup(shape)) note(`${id}_h`, place);
      name(inside(shape), `${id}_`, shape.kind === "loop" ? id : place);
    });
  name(roots, "s", "");
  const build = (shape: Shape, id: string, place: string): JsonObject => {
    const to = (index: number): string => {
      const here = ids.get(place) ?? [];
      const target = here[index % here.length] ?? id;
      // XState enters what it did not leave, and lets an old timer fire, when history is aimed at from inside its own
      // group; `history.test.ts` has what happens here.
      const group = target.endsWith("_h") ? target.slice(0, -"_h".length) : undefined;
      return group !== undefined && id.startsWith(`${group}_`) ? group : target;
    };
    const base = { entry: log(`enter ${id}`), exit: log(`exit ${id}`) };
    if (shape.kind === "final" || (shape.children.length === 0 && shape.kind === "loop"))
      return { type: "final", entry: base.entry };
    const composed = inside(shape).length > 0;
    const inner = Object.fromEntries(
      composed
        ? shape.children.map((child, index) => [
            `${id}_${index}`,
            build(child, `${id}_${index}`, shape.kind === "loop" ? id : place),
          ])
        : [],
    );
    const moves = {
      on: Object.fromEntries(
        shape.on.map((target, index) => [
          `E${index}`,
          { target: to(target), reenter: shape.reenter, actions: log(`take ${id}`) },
        ]),
      ),
      after: Object.fromEntries(
        shape.after.map(({ ms, target }) => [String(ms), { target: to(target), actions: log(`time ${id}`) }]),
      ),
    };
    if (shape.kind === "loop") {
      const collection = Array.from({ length: shape.size }, (_, index) => index);
      return {
        ...base,
        ...moves,
        loop: { type: "forEach", collection, bodyInitial: `${id}_0`, bodyStates: inner, onDone: to(shape.done) },
      };
    }
    if (!composed) return { ...base, ...moves, ...(shape.always === undefined ? {} : { always: to(shape.always) }) };
    if (shape.history && isGroup(shape)) inner[`${id}_h`] = { type: "history", history: shape.history };
    return {
      ...base,
      ...moves,
      states: inner,
      onDone: to(shape.done),
      ...(shape.kind === "parallel" ? { type: "parallel" } : { initial: `${id}_0` }),
    };
  };
  const states = Object.fromEntries(roots.map((shape, index) => [`s${index}`, build(shape, `s${index}`, "")]));
  // Without something that listens, a run that nothing can move fails as STUCK, which XState does not know.
  const on = { NOTHING: { actions: log("nothing") } };
  return { initial: "s0", context: { log: [] }, on, states } as unknown as Definition; // cast: built to its shape
}

function inside({ kind, children }: Shape): Shape[] {
  return kind === "plain" || kind === "final" ? [] : children;
}

/** In a parallel state history can be aimed at from outside only; `history.test.ts` does. */
function isGroup(shape: Shape): boolean {
  return shape.kind === "group" && inside(shape).length > 0;
}

/** Timers in order of their instant, then of their beginning; XState's own simulated clock orders ties by chance. */
class OrderedClock {
  #now = 0;
  #last = 0;
  readonly #timers = new Map<number, { at: number; fire: () => void }>();

  setTimeout(fire: () => void, delay: number): number {
    this.#last += 1;
    this.#timers.set(this.#last, { at: this.#now + delay, fire });
    return this.#last;
  }

  clearTimeout(id: number): void {
    this.#timers.delete(id);
  }

  increment(milliseconds: number): void {
    this.#now += milliseconds;
    for (;;) {
      const [next] = [...this.#timers]
        .filter(([, { at }]) => at <= this.#now)
        .sort(([, one], [, other]) => one.at - other.at);
      if (!next) return;
      this.#timers.delete(next[0]);
      next[1].fire();
    }
  }
}

interface Counts {
  log: string[];
  loops?: Record<string, number>;
}
const counting = (count: (before: number) => number) =>
  assign(({ context }: { context: Counts }, { loop }: { loop: string }) => ({
    loops: { ...context.loops, [loop]: count(context.loops?.[loop] ?? 0) },
  }));

/** Plain XState with what a reader of the export would provide. */
function toActor(definition: Definition) {
  const config = { ...toXStateJson(definition), options: { maxIterations: 200 } };
  // cast: built at run time, so XState's generics have nothing to infer from
  const machine = (createMachine(config as never) as unknown as AnyStateMachine).provide({
    guards: {
      "loop.hasNext": (
        { context }: { context: Counts },
        { loop, collection }: { loop: string; collection: Json[] },
      ): boolean => (context.loops?.[loop] ?? 0) < collection.length,
    },
    actions: {
      assign: assign(({ context }: { context: Counts }, { append }: { append: string }) => ({
        log: [...context.log, append],
      })),
      "loop.begin": counting(() => 0),
      "loop.next": counting((before) => before + 1),
      "loop.complete": () => undefined,
    },
  } as never);
  const clock = new OrderedClock();
  const actor = createActor(machine, { clock });
  actor.subscribe({ error: () => undefined });
  return { actor, clock };
}

type Step = "E0" | "E1" | "tick";

/** How many moves were compared. An `always` cycle that never rests ends the comparison; `run-engine.test.ts` has ours. */
function compare(roots: Shape[], steps: Step[]): number {
  const definition = toDefinition(roots);
  const compiled = compileDefinition(definition, new ScriptedNodes({}));
  const facts = { id: 1, kind: "workflow" as const, workflowId: 1, input: {} };
  let now = 0;
  const environment = () => ({ now, reviewIds: [] });
  const { actor, clock } = toActor(definition);
  let ours: Plan | undefined;
  /** False when the two have ended. */
  const agree = (move: () => Plan): boolean => {
    const { status, value, context } = actor.getSnapshot();
    if (status === "error") return false;
    ours = move();
    expect(ours.end?.error ?? null).toBeNull();
    expect(ours.snapshot.context.values.log).toEqual(context.log);
    expect(ours.end?.status === "completed").toBe(status === "done");
    expect(ours.snapshot.state.value).toEqual(value);
    return status !== "done";
  };
  actor.start();
  let moves = 0;
  if (!agree(() => planStart(compiled, facts, initialContext(compiled.variables, {}), environment()))) return moves;
  for (const step of steps) {
    if (step === "tick") {
      now += 10;
      clock.increment(10);
    } else actor.send({ type: step });
    const event: PlanEvent =
      step === "tick" ? { type: "clock" } : { type: "event", event: step, payload: null, correlation: null };
    moves += 1;
    const before = ours?.snapshot;
    if (!before) break;
    const state = JSON.parse(JSON.stringify(before.state)) as RunState; // cast: it was one
    if (!agree(() => plan(compiled, facts, { ...before, state }, event, environment()))) break;
  }
  return moves;
}

const steps = fc.array(fc.constantFrom<Step>("E0", "E1", "tick", "tick"), { maxLength: 12 });

describe("an exported definition in plain XState", () => {
  it("moves as it does here: events, timers, groups, regions and history", () => {
    let moves = 0;
    const shape = shapes(["plain", "plain", "group", "group", "parallel", "final"], true);
    fc.assert(
      fc.property(fc.array(shape(3), { minLength: 1, maxLength: 4 }), steps, (roots, given) => {
        moves += compare(roots, given);
      }),
      { numRuns: 250 },
    );
    expect(moves).toBeGreaterThan(150);
  });

  it("moves as it does here: loops in groups and loops in loops", () => {
    let moves = 0;
    const shape = shapes(["plain", "plain", "group", "loop", "loop", "final"], false);
    fc.assert(
      fc.property(fc.array(shape(3), { minLength: 1, maxLength: 4 }), steps, (roots, given) => {
        moves += compare(roots, given);
      }),
      { numRuns: 250 },
    );
    expect(moves).toBeGreaterThan(150);
  });

  it("keeps nodes, guards and actions by name, and errors from inside a group as XState knows them", () => {
    const guard = { type: "condition", params: { key: "$.a_output.ok", operator: "==", value: true } } as const;
    const json = toXStateJson({
      id: "demo",
      initial: "g",
      states: {
        g: {
          label: "Group",
          initial: "a",
          onError: "bad",
          onDone: "ok",
          states: {
            a: { invoke: { src: "x.y", input: { n: 1 }, onDone: [{ target: "e", guard }, "a"] } },
            e: { type: "final" },
          },
        },
        bad: { type: "final", outcome: "failed" },
        ok: { after: { PT1M: "bad" }, type: "atomic" },
      },
    });
    expect(json).toMatchObject({
      id: "demo",
      states: {
        g: {
          meta: { label: "Group" },
          on: { "xstate.error.actor.a": [{ target: "#bad" }] },
          states: {
            a: {
              invoke: {
                id: "a",
                src: "x.y",
                input: { n: 1 },
                onDone: [
                  { target: "#e", guard },
                  { target: "#a", reenter: true },
                ],
              },
            },
          },
        },
        bad: { type: "final", meta: { outcome: "failed" } },
        ok: { after: { 60000: [{ target: "#bad" }] } },
      },
    });
    expect(() => createMachine(json as never)).not.toThrow();
  });
});
