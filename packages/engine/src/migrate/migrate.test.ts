import type { JsonObject } from "@oven/contract";
import type { ReviewRequest } from "@oven/contract/node";
import type { Definition } from "@oven/contract/workflow";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileDefinition } from "../compile/compile-definition.ts";
import { leavesOf } from "../plan/kernel.ts";
import { plan } from "../plan/plan.ts";
import type { RunSnapshot } from "../plan/plan-types.ts";
import { EngineHarness } from "../testing/engine-harness.ts";
import type { ScriptedNode } from "../testing/scripted-nodes.ts";
import { compareVersions } from "./compare-versions.ts";
import { moveRun } from "./move-run.ts";
import type { StateMapping } from "./state-mapping.ts";

const request: ReviewRequest = {
  ...{ title: "May it?", proposal: { text: "Dear Ada" }, schema: null, context: null, tool: null },
  ...{ assignees: [], actions: ["approve"], dueAt: null },
};
const review: ScriptedNode = {
  run: () => ({ type: "wait", for: "review", request }),
  resume: (_call, signal) => ({ type: "done", output: { action: (signal as { action: string }).action } }),
};
const echo: ScriptedNode = { run: ({ input }) => ({ type: "done", output: input as JsonObject }) };
const child: ScriptedNode = {
  run: () => ({
    type: "wait",
    for: "child",
    request: { kind: "workflow", workflowId: 2, workflowVersion: 1, part: null, input: {}, dueAt: null },
  }),
  resume: () => ({ type: "done", output: {} }),
};
const NODES = { review, echo, child };
const END = { type: "final" };
const invoke = (src: string, onDone: string, input: object = {}) => ({ invoke: { src, input, onDone } });

const BEFORE = {
  context: { count: 1 },
  initial: "draft",
  states: {
    draft: invoke("echo", "look", { text: "Dear Ada" }),
    look: { label: "Look at it", ...invoke("review", "end") },
    end: { ...END, output: "$.draft_output.text" },
  },
};
/** The same with states renamed, replaced or added. */
const version = (states: object, more: object = {}) => ({
  ...BEFORE,
  ...more,
  states: { ...BEFORE.states, ...states },
});
const without = (id: string, definition: { states: object } = BEFORE) => ({
  ...definition,
  states: Object.fromEntries(Object.entries(definition.states).filter(([name]) => name !== id)),
});

interface Stopped {
  harness: EngineHarness;
  snapshot: RunSnapshot;
}

async function stop(definition: object = BEFORE, called: object[] = []): Promise<Stopped> {
  const harness = new EngineHarness(definition, NODES, called);
  const id = await harness.execute();
  const { state } = (await harness.store.read(id)) ?? {};
  if (state == null) throw new Error("the run has not begun");
  return { harness, snapshot: { state, context: await harness.context(id) } };
}

const compile = ({ nodes }: EngineHarness, definition: object) =>
  compileDefinition(definition as Definition, nodes, { part: null, options: null });
const ask = ({ harness, snapshot }: Stopped, before: object, after: object, mapping: StateMapping = {}) =>
  compareVersions({
    ...{ before: compile(harness, before), after: compile(harness, after), definition: after as Definition },
    ...{ state: snapshot.state, mapping },
  });
const move = ({ harness, snapshot }: Stopped, before: object, after: object, mapping: StateMapping = {}) => {
  const next = compile(harness, after);
  const facts = { id: 1, kind: "workflow" as const, workflowId: 1, input: {} };
  const given = { before: compile(harness, before), after: next, facts, snapshot, mapping };
  return { ...moveRun({ ...given, now: harness.clock.now(), seq: 9, config: undefined }), facts, next };
};

describe("a run that waits", () => {
  it("goes on where it stands when the version has the state as it was, with the variables that are new", async () => {
    const run = await stop();
    const after = version({
      look: { label: "Look at it", ...invoke("review", "thank") },
      thank: invoke("echo", "end"),
    });
    const added = { ...after, context: { count: 2, more: true } };
    expect(ask(run, BEFORE, added)).toMatchObject({ verdict: "same", problems: [], changed: [] });
    const moved = move(run, BEFORE, added);
    expect(moved.columns).toMatchObject({ status: "paused", currentState: "look", stateValue: "look" });
    expect(moved.context.values).toMatchObject({ count: 1, more: true, draft_output: { text: "Dear Ada" } });
    const reviewId = 1;
    const decision = {
      ...{ reviewId, nodeId: "look", visit: 1, item: null, action: "approve", data: null },
      reason: null,
    };
    const event = { type: "decision" as const, decision: { ...decision, reviewer: 1, decidedAt: "" } };
    const planned = plan(moved.next, moved.facts, moved, event, { now: 0, reviewIds: [] });
    expect(planned.snapshot.state.units).toMatchObject([{ nodeId: "look", status: "planned" }]);
  });

  it("needs a mapping for a state that was renamed, and the likely one is proposed first", async () => {
    const run = await stop();
    const after = without(
      "look",
      version({
        draft: invoke("echo", "check"),
        check: { label: "Look at the draft", ...invoke("review", "end") },
        other: { label: "Something else", ...invoke("review", "check", { a: 1 }) },
      }),
    );
    const report = ask(run, BEFORE, after);
    expect(report.verdict).toBe("mapping");
    expect(report.unplaced).toMatchObject([
      { stateId: "look", proposals: [{ stateId: "check" }, { stateId: "other" }] },
    ]);
    expect(ask(run, BEFORE, after, { look: "check" }).verdict).toBe("mapped");
    const moved = move(run, BEFORE, after, { look: "check" });
    expect(moved.state).toMatchObject({ value: "check", visits: { draft: 1, check: 1 } });
    expect(moved.state.units).toMatchObject([{ nodeId: "check", status: "waiting", wait: { reviewId: 1 } }]);
    expect(moved.columns.checkpoint).toMatchObject({ seq: 9, waiting: [{ nodeId: "check", reviewId: 1 }] });
  });

  it("still undoes what it did, by the steps of the version it goes on with", async () => {
    const back = invoke("echo", "end", { undone: "$.undo.output.text" });
    const undoable = { ...invoke("echo", "look", { text: "Dear Ada" }), undo: "back" };
    const before = version({ draft: undoable, back });
    const run = await stop(before);
    const after = { ...without("draft", version({ write: undoable, back })), initial: "write" };
    const moved = move(run, before, after, { draft: "write" });
    const cancel = { type: "cancel" as const, reason: null, by: "Ada" };
    const planned = plan(moved.next, moved.facts, moved, cancel, { now: 0, reviewIds: [] });
    expect(planned.snapshot.state.units).toMatchObject([{ nodeId: "back", status: "planned" }]);
    expect(planned.rows.at(-1)).toMatchObject({ nodeId: "back", input: { undone: "Dear Ada" } });
    const gone = move(run, before, version({}));
    const ended = plan(gone.next, gone.facts, gone, cancel, { now: 0, reviewIds: [] });
    expect(ended.end?.error?.details).toMatchObject({
      notUndone: [{ step: "draft", message: expect.stringContaining("no undo") }],
    });
    expect(ask({ ...run, snapshot: planned.snapshot }, after, after).verdict).toBe("cannot");
  });

  it("takes the output of a renamed step along, when a later step reads it under the new name", async () => {
    const run = await stop();
    const after = without(
      "draft",
      version(
        {
          write: invoke("echo", "look"),
          end: { ...END, output: "$.write_output.text" },
        },
        { initial: "write" },
      ),
    );
    const report = ask(run, BEFORE, after);
    expect(report).toMatchObject({ verdict: "mapping", missing: [{ stateId: "write", readBy: "end" }] });
    expect(report.missing[0]?.proposals).toMatchObject([{ stateId: "draft" }]);
    expect(ask(run, BEFORE, after, { draft: "write" }).verdict).toBe("mapped");
    const { context } = move(run, BEFORE, after, { draft: "write" });
    expect(context.values).toMatchObject({ write_output: { text: "Dear Ada" } });
    expect(context.values).not.toHaveProperty("draft_output");
    expect(context.writers.get("text")).toBe("write");
  });

  it.each([
    ["a step of another type has its place", { look: invoke("echo", "end") }, {}, "no such state|another type"],
    [
      "a later step reads what was never made",
      { extra: invoke("echo", "draft"), end: { ...END, output: "$.extra_output.a" } },
      {},
      "extra",
    ],
    ["the mapping names no state of the version", {}, { look: "nowhere" }, "no such state"],
    [
      "the mapping names a state that the run has been in",
      { draft: invoke("review", "look") },
      { look: "draft" },
      "already",
    ],
  ])("cannot be moved when %s", async (_name, states, mapping, message) => {
    const run = await stop();
    const base = version(states);
    const after = "extra" in states ? { ...base, initial: "extra" } : base;
    const report = ask(run, BEFORE, after, mapping as StateMapping);
    expect(report.verdict).toBe("cannot");
    expect(JSON.stringify(report.problems)).toMatch(new RegExp(message));
  });

  it("stays while it waits for a run that it has called", async () => {
    const calls = { initial: "call", states: { call: invoke("child", "end"), end: END } };
    const run = await stop(calls, [{ initial: "ask", states: { ask: invoke("review", "end"), end: END } }]);
    expect(ask(run, calls, calls)).toMatchObject({ verdict: "cannot", problems: [{ stateId: "call" }] });
  });

  it("begins the timers that are new, goes on with those that run, and keeps to what it waits for", async () => {
    const before = {
      initial: "rest",
      states: { rest: { on: { go: "end" }, after: { PT1H: "end" } }, end: END },
    };
    const run = await stop(before);
    const at = run.snapshot.state.timers?.[0]?.at;
    await run.harness.clock.advance(1_000);
    const after = {
      ...before,
      states: { ...before.states, rest: { on: { go: "end" }, after: { PT1H: "end", PT2H: "end" } } },
    };
    const moved = move(run, before, after);
    expect(moved.state.timers).toEqual([
      { stateId: "rest", key: "PT1H", at },
      { stateId: "rest", key: "PT2H", at: run.harness.clock.now() + 7_200_000 },
    ]);
    expect(moved.wakeAt).toBe(new Date(at ?? 0).toISOString());
    const other = { ...before, states: { ...before.states, rest: { after: { PT1H: "end" } } } };
    expect(() => move(run, before, other)).toThrow(expect.objectContaining({ code: "RUN_NOT_MOVABLE" }));
    const still = { ...before, states: { ...before.states, rest: { always: "end" } } };
    expect(() => move(run, before, still)).toThrow(expect.objectContaining({ code: "RUN_NOT_MOVABLE" }));
  });

  it("stands in all regions of a parallel state, and cannot go where there are others", async () => {
    const region = (id: string, next: string) => ({
      initial: id,
      states: { [id]: invoke("review", next), [next]: END },
    });
    const both = (more: object) => ({
      initial: "both",
      states: {
        both: { type: "parallel", states: { left: region("a", "b"), right: region("c", "d"), ...more }, onDone: "end" },
        end: END,
      },
    });
    const run = await stop(both({}));
    expect(move(run, both({}), both({})).state.value).toEqual(run.snapshot.state.value);
    expect(() => move(run, both({}), both({ third: region("e", "f") }))).toThrow(
      expect.objectContaining({ code: "RUN_NOT_MOVABLE" }),
    );
  });
});

/** Chains of steps and reviews, by letters: `r` a review. Ids come from a shuffled list, so that versions rename. */
const chain = (kinds: readonly string[], name: (index: number) => string) => ({
  initial: name(0),
  states: Object.fromEntries([
    ...kinds.map((kind, index) => [
      name(index),
      invoke(kind === "r" ? "review" : "echo", index + 1 < kinds.length ? name(index + 1) : "end", { index }),
    ]),
    ["end", END],
  ]),
});

it("stands, whatever is renamed, where the mapping says, with every unit, and at the same leaves when moved back", async () => {
  const kinds = fc.array(fc.constantFrom("r", "e"), { minLength: 1, maxLength: 6 }).map((list) => [...list, "r"]);
  await fc.assert(
    fc.asyncProperty(kinds, fc.boolean(), async (list, renames) => {
      const before = chain(list, (index) => `s${index}`);
      const after = chain(list, (index) => (renames ? `t${index}` : `s${index}`));
      const mapping = renames ? Object.fromEntries(list.map((_, index) => [`s${index}`, `t${index}`])) : {};
      const back = Object.fromEntries(Object.entries(mapping).map(([from, to]) => [to, from]));
      const run = await stop(before);
      expect(ask(run, before, after, mapping).verdict).toBe(renames ? "mapped" : "same");
      const there = move(run, before, after, mapping);
      const here = move({ ...run, snapshot: there }, after, before, back);
      const { patchBytes: _p, snapshotBytes: _s, ...state } = here.state;
      const { patchBytes: _q, snapshotBytes: _t, ...original } = run.snapshot.state;
      expect(state).toEqual(original);
      expect(here.context.values).toEqual(run.snapshot.context.values);
      expect(there.state.units.map(({ wait }) => wait)).toEqual(run.snapshot.state.units.map(({ wait }) => wait));
      expect(leavesOf(there.next.machine, there.state.value)).toEqual(there.columns.activeStates);
    }),
    { numRuns: 40 },
  );
});
