import type { Json, JsonObject } from "@oven/contract";
import type { Definition } from "@oven/contract/workflow";
import { describe, expect, it } from "vitest";
import { compileDefinition } from "../compile/compile-definition.ts";
import { outlineOf } from "../compile/loop-part.ts";
import { initialContext } from "../plan/context.ts";
import { RunBases } from "../run/run-base.ts";
import { EngineHarness } from "../testing/engine-harness.ts";
import type { ScriptedNode } from "../testing/scripted-nodes.ts";
import { validateDefinition } from "../validate/validate-definition.ts";
import { compareJourneys, type JourneyComparison } from "./compare-journeys.ts";
import { type RunReading, readRecordedRun } from "./recorded-run.ts";
import { rehearse } from "./rehearse.ts";

const SPEND = { tokenUsage: { input: 5, output: 5, total: 10 }, costMicros: 7 };
/** Answers by the amount it is asked about; of its context it reads the system prompt. */
const ask: ScriptedNode = {
  effect: "at-least-once",
  reads: ["$.systemPrompt"],
  run: ({ input }) => ({ type: "done", output: { risk: Number((input as JsonObject).amount) / 10 }, spend: SPEND }),
};
const pay: ScriptedNode = {
  effect: "at-most-once",
  run: ({ input }) => ({ type: "done", output: { paid: (input as JsonObject).amount ?? null } }),
};
const shape: ScriptedNode = {
  effect: "pure",
  isLocal: true,
  run: ({ input }) => ({ type: "done", output: { ...(input as JsonObject) } }),
};
const review: ScriptedNode = {
  effect: "pure",
  isLocal: true,
  run: ({ input }) => ({
    type: "wait",
    for: "review",
    request: {
      title: String((input as JsonObject).title ?? "Pay?"),
      proposal: (input as JsonObject).show ?? null,
      schema: null,
      context: null,
      tool: null,
      assignees: ((input as JsonObject).assignees ?? []) as string[],
      actions: ["approve", "reject"],
      dueAt: null,
    },
  }),
  resume: (_call, signal) => ({ type: "done", output: { action: (signal as { action: string }).action } }),
};
const NODES = { ask, pay, shape, review };
const node = (src: string, input: object, onDone: unknown, more: object = {}) => ({
  invoke: { src, input, onDone, ...more },
});
const over = (limit: number) => ({ type: "cel", params: { expression: `output.risk > ${limit}.0` } });

/** A payment: asked of a model, released by a person when the risk is high. */
const payment = {
  initial: "tidy",
  context: { systemPrompt: "Be careful" } as JsonObject,
  states: {
    tidy: node("shape", { amount: "$.trigger.amount" }, "classify"),
    classify: node("ask", { amount: "$.tidy_output.amount" }, [{ target: "check", guard: over(5) }, "pay"]),
    check: node("review", { show: "$.tidy_output.amount" }, [
      { target: "pay", guard: { type: "cel", params: { expression: "output.action == 'approve'" } } },
      "refused",
    ]),
    pay: node("pay", { amount: "$.trigger.amount" }, "each"),
    each: {
      loop: {
        type: "forEach",
        collection: [1, 2],
        concurrency: 2,
        bodyInitial: "note",
        bodyStates: {
          note: node("ask", { amount: "$.item" }, "noted"),
          noted: { type: "final", output: "$.note_output.risk" },
        },
        onDone: "done",
      },
    },
    done: { type: "final", outcome: "paid", output: { amount: "$.pay_output.paid" } },
    refused: { type: "final", outcome: "refused" },
  },
};
type Payment = typeof payment;

async function record(amount: number, action?: string): Promise<{ harness: EngineHarness; id: number }> {
  const harness = new EngineHarness(payment, NODES);
  const id = await harness.execute({ amount });
  if (action !== undefined) await harness.decide(1, action, amount);
  expect(harness.columns(id).status).toBe("completed");
  return { harness, id };
}

/** What a recorded payment comes to on a changed definition. No node with an effect may be called. */
async function rehearseOn(
  { harness, id }: { harness: EngineHarness; id: number },
  change: (definition: Payment) => object,
): Promise<JourneyComparison> {
  const { definition, problems } = validateDefinition(change(structuredClone(payment)), harness.nodes);
  if (!definition) throw new Error(JSON.stringify(problems));
  const compile = (given: Definition, part: string | null) => compileDefinition(given, harness.nodes, { part });
  const bases = new RunBases(harness.store, harness.source);
  const read = async (runId: number): Promise<RunReading> => {
    const run = await harness.store.read(runId);
    if (!run) throw new Error("gone");
    const history = await harness.store.history(runId, run.seq);
    const { compiled } = await harness.source.load(run);
    return { record: run, compiled, ...(await bases.of(run)), history };
  };
  const recorded = await readRecordedRun(await read(id), harness.nodes, read);
  const calls: string[] = [];
  const rehearsed = await rehearse(
    {
      catalog: harness.nodes,
      nodes: {
        run: (call) => {
          calls.push(call.src);
          return harness.nodes.run(call);
        },
        resume: (call, signal) => harness.nodes.resume(call, signal),
        runItem: (call, item) => harness.nodes.runItem(call, item),
      },
      content: undefined,
      workflowName: "Payment",
      compile: async (part) => ({ compiled: compile(definition, part), outline: outlineOf(definition, part) }),
    },
    recorded,
    initialContext(definition.context ?? {}, recorded.record.input),
  );
  expect(calls.filter((src) => src === "ask" || src === "pay")).toEqual([]);
  return compareJourneys(recorded.journey, rehearsed);
}

describe("a recorded run on another definition", () => {
  it("is the same where nothing but labels, places and the order of keys changed", async () => {
    const recorded = await record(80, "approve");
    const relabelled = await rehearseOn(recorded, ({ states, ...rest }) => ({
      ...rest,
      states: Object.fromEntries(
        Object.entries(states).map(([id, state]) => [id, { ...state, meta: { label: `New ${id}`, x: 7 } }] as const),
      ),
    }));
    expect(relabelled).toMatchObject({ verdict: "same", tokens: 0, costMicros: 0, durationMs: 0 });
  });

  it("ends otherwise where a condition decides otherwise, and the call that is left out is named", async () => {
    const stricter = await rehearseOn(await record(40), (definition) => {
      const ways = [{ target: "check", guard: over(6) }, { target: "pay", guard: over(5) }, "refused"];
      definition.states.classify = node("ask", { amount: "$.tidy_output.amount" }, ways);
      return definition;
    });
    expect(stricter).toMatchObject({
      verdict: "outcome",
      end: { was: { outcome: "paid" }, is: { outcome: "refused" } },
      steps: { added: [], missing: ["pay 1", "each 1", "each 1 0 note 1", "each 1 1 note 1"] },
      tokens: -20,
      costMicros: -14,
    });
    expect(stricter.calls.missing.map(({ nodeId }) => nodeId)).toEqual(["pay", "note", "note"]);
  });

  it("takes the decision of a review that shows the same, and not of one that shows something else", async () => {
    const recorded = await record(80, "reject");
    const others = await rehearseOn(recorded, (definition) => {
      definition.states.check.invoke.input = { show: "$.tidy_output.amount", assignees: ["role:finance"] };
      return definition;
    });
    expect(others).toMatchObject({ verdict: "same" });
    const shown = await rehearseOn(recorded, (definition) => {
      definition.states.check.invoke.input = { show: { total: "$.tidy_output.amount" } };
      return definition;
    });
    expect(shown).toMatchObject({ verdict: "unknown", unknown: { reason: "other-review", nodeId: "check" } });
  });

  it("does not know how people would decide what they were not asked", async () => {
    const asked = await rehearseOn(await record(40), (definition) => {
      definition.states.classify = node("ask", { amount: "$.tidy_output.amount" }, "check");
      return definition;
    });
    expect(asked).toMatchObject({ verdict: "unknown", unknown: { reason: "other-review", nodeId: "check" } });
  });

  it("does not know what a call answers to another input, or with another system prompt", async () => {
    const recorded = await record(40);
    const more = await rehearseOn(recorded, (definition) => {
      definition.states.tidy.invoke.input = { amount: 41 } as never;
      return definition;
    });
    expect(more).toMatchObject({ verdict: "unknown", unknown: { reason: "new-call", nodeId: "classify" } });
    expect(more.calls.added.map(({ input }) => input)).toEqual([{ amount: 41 } satisfies Json]);
    const prompted = await rehearseOn(recorded, (definition) => {
      definition.context = { systemPrompt: "Be quick" };
      return definition;
    });
    expect(prompted).toMatchObject({ verdict: "unknown", unknown: { reason: "new-call", nodeId: "classify" } });
  });

  it("goes on through a step that is new, and through one that has another name", async () => {
    const recorded = await record(80, "approve");
    const added = await rehearseOn(recorded, (definition) => {
      definition.states.tidy.invoke.onDone = "more";
      return { ...definition, states: { ...definition.states, more: node("shape", { extra: true }, "classify") } };
    });
    expect(added).toMatchObject({ verdict: "path", steps: { added: ["more 1"], missing: [] } });
    const renamed = await rehearseOn(recorded, (definition) => {
      const { pay: paying, ...others } = definition.states;
      const states = JSON.parse(
        JSON.stringify(others).replaceAll('"pay"', '"payNow"').replaceAll("$.pay_output", "$.payNow_output"),
      );
      states.payNow = paying;
      states.classify.invoke.src = "ask";
      return { ...definition, states };
    });
    expect(renamed).toMatchObject({ verdict: "path", end: null, calls: { added: [], missing: [] } });
  });

  it("finds another body of a loop whose passes are runs of their own", async () => {
    const body = await rehearseOn(await record(40), (definition) => {
      definition.states.each.loop.bodyStates.note = node("ask", { amount: "$.index" }, "noted");
      return definition;
    });
    expect(body).toMatchObject({ verdict: "unknown", unknown: { reason: "new-call", nodeId: "note" } });
  });

  it("ends as failed where a limit is lower than what the recorded run took", async () => {
    const limited = await rehearseOn(await record(40), (definition) => ({ ...definition, maxSteps: 2 }));
    expect(limited).toMatchObject({ verdict: "outcome", end: { is: { status: "failed" } } });
  });
});
