import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { hashJson } from "../compile/content-hash.ts";
import { EngineHarness } from "../testing/engine-harness.ts";
import { answerOf, NODES, node } from "./testing/forecast-nodes.ts";
import { type Answer, forecastOf } from "./testing/forecast-run.ts";

/** Random graphs; `OVEN_FORECASTS=1000` for a long run. */
const GRAPHS = Number(process.env.OVEN_FORECASTS ?? 40);
const MOST_DECISIONS = 12;
const STEPS_AHEAD = 8;

const step = fc.record({
  kind: fc.constantFrom("ask", "pay", "shape", "review", "review", "sleep", "branch", "parallel", "loop"),
  k: fc.nat(20),
  ahead: fc.integer({ min: 2, max: 4 }),
});
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;
const graph = fc.record({
  steps: fc.array(step, { minLength: 4, maxLength: STEPS_AHEAD }),
  actions: fc.array(fc.constantFrom("approve", "reject"), { minLength: 1, maxLength: 4 }),
  n: fc.nat(20),
});

/** Each step hands its number on in the context; conditions read it. */
function toDefinition({ steps, n }: { steps: Step[]; n: number }): object {
  const states: Record<string, object> = {};
  const nameOf = (at: number) => (at >= steps.length ? "done" : `s${at}`);
  for (const [at, { kind, k, ahead }] of steps.entries()) {
    const name = nameOf(at);
    const next = nameOf(at + 1);
    const noted = { type: "assign", params: { path: "$.n", value: `$.${name}_output.n` } };
    const onward = { target: next, actions: [noted] };
    const late = { target: nameOf(at + ahead), guard: { type: "cel", params: { expression: `ctx.n > ${k}.0` } } };
    if (kind === "review") {
      const isApproved = { type: "cel", params: { expression: "output.action == 'approve'" } };
      states[name] = node("review", { title: name, show: { n: "$.n" } }, [
        { target: next, guard: isApproved },
        { target: nameOf(at + ahead) },
      ]);
    } else if (kind === "sleep") states[name] = node("sleep", { minutes: k + at * 30 }, next);
    else if (kind === "branch") states[name] = { always: [late, { target: next }] };
    else if (kind === "parallel") {
      const region = (src: string) => ({
        initial: `${name}${src}`,
        states: {
          [`${name}${src}`]: node(src, { n: "$.n", k }, `${name}${src}Over`),
          [`${name}${src}Over`]: { type: "final" },
        },
      });
      states[name] = {
        type: "parallel",
        states: { [`${name}a`]: region("ask"), [`${name}b`]: region("pay") },
        onDone: next,
      };
    } else if (kind === "loop") {
      const body = {
        [`${name}Note`]: node("ask", { n: "$.item", k }, `${name}Noted`),
        [`${name}Noted`]: { type: "final" },
      };
      const loop = {
        type: "forEach",
        collection: [1, k],
        concurrency: 1 + (k % 2),
        bodyInitial: `${name}Note`,
        bodyStates: body,
      };
      states[name] = { loop: { ...loop, onDone: next } };
    } else states[name] = node(kind, { n: "$.n", k }, [onward]);
  }
  states.done = { type: "final", outcome: "done", output: { n: "$.n" } };
  return { initial: "s0", context: { n }, states };
}

/** Until it ends, or people are asked. */
async function settle(harness: EngineHarness, id: number): Promise<void> {
  for (;;) {
    const due = await harness.store.nextDue();
    if (due === null || openOf(harness).length > 0 || harness.columns(id).completedAt !== null) return;
    await harness.elapse(Math.max(1, Date.parse(due) - harness.clock.now()));
  }
}

function openOf(harness: EngineHarness): number[] {
  return [...harness.store.reviews].flatMap(([id, { status }]) => (status === "open" ? [id] : []));
}

const answer: Answer = ({ src, input }) => answerOf(src, input);

async function tryGraph(given: typeof graph extends fc.Arbitrary<infer T> ? T : never): Promise<number> {
  const harness = new EngineHarness(toDefinition(given), NODES);
  const id = await harness.execute({});
  await settle(harness, id);
  let decisions = 0;
  for (; decisions < MOST_DECISIONS; decisions += 1) {
    const [reviewId] = openOf(harness);
    if (reviewId === undefined) break;
    const action = given.actions[decisions % given.actions.length] ?? "approve";
    const { forecast } = await forecastOf(harness, { id, reviewId, action, answer });
    await harness.decide(reviewId, action, harness.store.reviews.get(reviewId)?.open.request.proposal ?? null);
    await settle(harness, id);
    const { followed, came } = await forecastOf(harness, { id, reviewId, action, answer });
    const predicted = forecast.steps.flatMap((it) => (it.type === "call" ? [hashJson([it.src, it.input])] : []));
    const asked = forecast.steps.flatMap((it) => (it.type === "review" ? [it.nodeId] : []));
    expect(predicted.toSorted()).toEqual(followed?.calls.map(({ digest }) => digest).toSorted());
    expect(asked).toEqual(followed?.reviews.map(({ nodeId }) => nodeId));
    expect(forecast.end).toEqual(followed?.end);
    expect(came?.steps.every((one) => one === true)).toBe(true);
    expect(came?.end).toBe(true);
  }
  expect(harness.columns(id).status).toBe(openOf(harness).length > 0 ? "paused" : "completed");
  return decisions;
}

describe("a forecast with the answers that come", () => {
  it(`is what happens, call by call, in ${GRAPHS} random graphs`, async () => {
    let decisions = 0;
    const seed = Number(process.env.OVEN_PROPERTY_SEED ?? 7);
    for (const given of fc.sample(graph, { seed, numRuns: GRAPHS })) decisions += await tryGraph(given);
    expect(decisions).toBeGreaterThan(GRAPHS / 2);
  });
});
