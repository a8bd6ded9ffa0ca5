import type { Definition } from "@oven/contract/workflow";
import { beforeAll, describe, expect, it } from "vitest";
import { compileDefinition } from "../compile/compile-definition.ts";
import { outlineOf } from "../compile/loop-part.ts";
import { initialContext } from "../plan/context.ts";
import { RunBases } from "../run/run-base.ts";
import type { EngineHarness } from "../testing/engine-harness.ts";
import { everything, recordEverything } from "../testing/everything.ts";
import { validateDefinition } from "../validate/validate-definition.ts";
import { compareJourneys, type JourneyComparison } from "./compare-journeys.ts";
import { type RecordedRun, readRecordedRun } from "./recorded-run.ts";
import { rehearse } from "./rehearse.ts";

// biome-ignore lint/suspicious/noExplicitAny: the changes below reach into a definition that is otherwise not typed so deeply
type Changed = any;
type Change = [name: string, change: (definition: Changed, states: Changed) => void];

/** What changes what the run does: each must be found. */
const REGRESSIONS: Change[] = [
  ["a loop gets one item fewer", (_, { loop }) => loop.loop.collection.pop()],
  ["a loop gets one item more", (_, { loop }) => loop.loop.collection.push(4)],
  ["a loop gets other items", (_, { loop }) => loop.loop.collection.splice(0, 1, 9)],
  ["a loop gets its items in another order", (_, { loop }) => loop.loop.collection.reverse()],
  ["a loop stops early", (_, { loop }) => Object.assign(loop.loop, { maxIterations: 2, onLimit: "continue" })],
  ["a loop fails at its limit", (_, { loop }) => Object.assign(loop.loop, { maxIterations: 2, onLimit: "fail" })],
  [
    "a step of a loop gets another input",
    (_, { loop }) => Object.assign(loop.loop.bodyStates.one.invoke.input, { n: "$.index" }),
  ],
  [
    "a step of a loop gets one input more",
    (_, { loop }) => Object.assign(loop.loop.bodyStates.one.invoke.input, { m: 1 }),
  ],
  ["a step of a loop loses its input", (_, { loop }) => delete loop.loop.bodyStates.one.invoke.input],
  [
    "a step of a loop is another node",
    (_, { loop }) => Object.assign(loop.loop.bodyStates.one.invoke, { src: "items" }),
  ],
  ["a loop leads past the next step", (_, { loop }) => Object.assign(loop.loop, { onDone: "both" })],
  ["a loop leads to the end", (_, { loop }) => Object.assign(loop.loop, { onDone: "done" })],
  ["a step is not tried again", (_, { flaky }) => Object.assign(flaky.invoke, { retry: { maxAttempts: 1 } })],
  [
    "a step is tried once fewer",
    (_, { flaky }) => Object.assign(flaky.invoke, { retry: { maxAttempts: 2, initialMs: 1_000 } }),
  ],
  [
    "a step that fails is caught",
    (_, { flaky }) => Object.assign(flaky.invoke, { retry: { maxAttempts: 1 }, onError: "refund" }),
  ],
  ["a step is switched off", (_, { flaky }) => Object.assign(flaky, { disabled: true })],
  ["a region is left out", (_, { both }) => delete both.states.left],
  [
    "a region gets one step more",
    (_, { both }) =>
      Object.assign(both.states.left.states, {
        l1: { ...both.states.left.states.l1, invoke: { src: "ask", onDone: "l15" } },
        l15: { invoke: { src: "step", onDone: "l2" } },
      }),
  ],
  [
    "a review comes twice",
    (_, { both }) =>
      Object.assign(both.states.left.states, {
        l1: { invoke: { src: "ask", onDone: "l15" } },
        l15: { invoke: { src: "ask", onDone: "l2" } },
      }),
  ],
  [
    "a review is passed by",
    (_, { both }) => Object.assign(both.states.left, { initial: "l2", states: { l2: { type: "final" } } }),
  ],
  [
    "a wait is passed by",
    (_, { both }) => {
      both.states.right.initial = "r2";
      delete both.states.right.states.r1;
    },
  ],
  [
    "items are passed by",
    (_, { both, done }) => {
      both.states.right.states.r1.invoke.onDone = "r3";
      delete both.states.right.states.r2;
      delete done.output.all;
    },
  ],
  ["the regions lead elsewhere", (_, { both }) => Object.assign(both, { onDone: "refund" })],
  ["an error is not caught", (_, { broken }) => delete broken.invoke.onError],
  ["an error leads elsewhere", (_, { broken }) => Object.assign(broken.invoke, { onError: "fan" })],
  ["a step that failed is another one", (_, { broken }) => Object.assign(broken.invoke, { src: "step" })],
  [
    "a payment is left out",
    (definition) => {
      definition.states.broken.invoke.onError = "fan";
      delete definition.states.refund;
    },
  ],
  ["a payment gets an input", (_, { refund }) => Object.assign(refund.invoke, { input: { amount: 5 } })],
  [
    "a payment is made twice",
    (definition) => {
      definition.states.refund.invoke.onDone = "again";
      definition.states.again = { invoke: { src: "refund", onDone: "fan" } };
    },
  ],
  [
    "passes side by side get another input",
    (_, { fan }) => Object.assign(fan.loop.bodyStates.work.invoke.input, { n: "$.index" }),
  ],
  ["passes side by side are fewer", (_, { fan }) => fan.loop.collection.pop()],
  ["passes side by side are more", (_, { fan }) => fan.loop.collection.push(6)],
  [
    "passes side by side have one step more",
    (_, { fan }) =>
      Object.assign(fan.loop.bodyStates, {
        work: { invoke: { src: "step", input: { n: "$.item" }, onDone: "more" } },
        more: { invoke: { src: "step", onDone: "out" } },
      }),
  ],
  ["an event is not waited for", (_, { fan }) => Object.assign(fan.loop, { onDone: "done" })],
  [
    "a timer leads elsewhere",
    (definition) => {
      definition.states.wait.after = { P1D: "late" };
      definition.states.late = { type: "final", outcome: "late" };
    },
  ],
  ["nothing ends a wait but an event", (_, { wait }) => delete wait.after],
  ["the end has another outcome", (_, { done }) => Object.assign(done, { outcome: "paid" })],
  ["the output has one value fewer", (_, { done }) => delete done.output.fan],
  ["an event is not noted", (definition) => delete definition.on],
  ["the run may take fewer steps", (definition) => Object.assign(definition, { maxSteps: 4 })],
];

/** What changes nothing that a run does. */
const HARMLESS: Change[] = [
  ["nothing", () => undefined],
  [
    "labels and places",
    (_, states) => {
      for (const [id, state] of Object.entries<Changed>(states))
        state.meta = { label: `Step ${id}`, position: { x: id.length, y: 1 } };
    },
  ],
  [
    "the order of its states",
    (definition) => {
      definition.states = Object.fromEntries(Object.entries(definition.states).toReversed());
    },
  ],
  [
    "a description",
    (definition) => {
      definition.description = "What it does";
    },
  ],
  [
    "a state that no run came to",
    (definition) => {
      definition.states.wait.on = { go: "done", stop: "stopped" };
      definition.states.stopped = { type: "final", outcome: "stopped" };
    },
  ],
  ["limits that are not reached", (definition) => Object.assign(definition, { maxSteps: 900 })],
];

describe("a recorded run that goes through everything a log can hold", () => {
  let harness: EngineHarness;
  let recorded: RecordedRun;
  beforeAll(async () => {
    const run = await recordEverything();
    harness = run.harness;
    const bases = new RunBases(harness.store, harness.source);
    const read = async (id: number) => {
      const record = await harness.store.read(id);
      if (!record) throw new Error("gone");
      const { compiled } = await harness.source.load(record);
      return { record, compiled, ...(await bases.of(record)), history: await harness.store.history(id, record.seq) };
    };
    recorded = await readRecordedRun(await read(run.id), harness.nodes, read);
  });

  const rehearseOn = async (change: Change[1]): Promise<JourneyComparison> => {
    const document = structuredClone(everything) as Changed;
    change(document, document.states);
    // Some changes leave states that nothing leads to any more.
    const { problems } = validateDefinition(document, harness.nodes);
    expect(problems.filter(({ severity, rule }) => severity === "error" && rule !== "unreachable")).toEqual([]);
    const definition = document as Definition;
    const world = {
      catalog: harness.nodes,
      nodes: harness.nodes,
      content: undefined,
      workflowName: "Everything",
      compile: async (part: string | null) => ({
        compiled: compileDefinition(definition, harness.nodes, { part }),
        outline: outlineOf(definition, part),
      }),
    };
    const before = harness.nodes.calls.length;
    const context = initialContext(definition.context ?? {}, recorded.record.input);
    const comparison = compareJourneys(recorded.journey, await rehearse(world, recorded, context));
    expect(harness.nodes.calls).toHaveLength(before);
    return comparison;
  };

  it.each(REGRESSIONS)("is not the same where %s", async (_name, change) => {
    expect((await rehearseOn(change)).verdict).not.toBe("same");
  });

  it("was tried with forty changes", () => {
    expect(REGRESSIONS).toHaveLength(40);
  });

  it.each(HARMLESS)("is the same where what changes is %s", async (_name, change) => {
    expect(await rehearseOn(change)).toMatchObject({ verdict: "same", unknown: null, tokens: 0, durationMs: 0 });
  });
});
