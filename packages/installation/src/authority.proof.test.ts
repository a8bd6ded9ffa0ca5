import type { JsonObject } from "@oven/contract";
import { createRuntime, defineModule, defineNode } from "@oven/module-registry";
import { type Credentials, invite, startTestOven, type TestOven } from "@oven/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { installedModules } from "./modules.ts";

/*
 * Random sets of permissions, random graphs with random needs, random ways to start: the calls that are made are exactly those
 * that the starter, the version and all versions above it hold, up to the first that one of them does not.
 */
const NEEDS = [0, 1, 2] as const;
/** All sets of the three permissions, as bits. */
const SETS = [0, 1, 2, 3, 4, 5, 6, 7] as const;
const BASE = ["workflows.*", "executions.read", "executions.signal", "triggers.*"];

type Step = { need: number } | { each: number; sideBySide: boolean } | { call: Graph };
interface Graph {
  publisher: number;
  steps: Step[];
}
interface Case {
  graph: Graph;
  starter: number;
  way: "execute" | "draft" | "trigger" | "retry" | "fork";
  /** Who retries, forks, or has saved the trigger. */
  other: number;
}

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ need: fc.constantFrom(...NEEDS) }) },
  { weight: 1, arbitrary: fc.record({ each: fc.constantFrom(...NEEDS), sideBySide: fc.boolean() }) },
);
const leaf: fc.Arbitrary<Graph> = fc.record({
  publisher: fc.constantFrom(...SETS),
  steps: fc.array(step, { minLength: 1, maxLength: 2 }),
});
const branch: fc.Arbitrary<Graph> = fc.record({
  publisher: fc.constantFrom(...SETS),
  steps: fc.array(fc.oneof({ weight: 3, arbitrary: step }, { weight: 1, arbitrary: fc.record({ call: leaf }) }), {
    minLength: 1,
    maxLength: 3,
  }),
});
const cases: fc.Arbitrary<Case> = fc.record({
  // Mostly people who may much, so that runs come far.
  graph: branch,
  starter: fc.constantFrom(...SETS, 7, 7, 7),
  way: fc.constantFrom("execute", "draft", "trigger", "retry", "fork"),
  other: fc.constantFrom(...SETS, 7, 7),
});

const calls: { round: number; need: number }[] = [];
const nodes = NEEDS.map((need) =>
  defineNode({
    id: `proof.step${need}`,
    version: 1,
    title: `Step ${need}`,
    docs: "For this test.",
    category: "core",
    kind: "flow",
    effect: "at-least-once",
    permissions: [`proof.use${need}`],
    retry: { maxAttempts: 1 },
    input: z.strictObject({ round: z.number() }),
    output: z.strictObject({}),
    run: async ({ input }) => {
      calls.push({ round: input.round, need });
      return { type: "done", output: {} } as const;
    },
  }),
);
const proof = defineModule({
  name: "module-proof",
  namespace: "proof",
  description: "For this test.",
  dependencies: ["module-workflows"],
  permissions: NEEDS.map((need) => ({ id: `proof.use${need}`, title: `Use ${need}` })),
  nodes,
});

/** The first of the 300 that `pnpm properties` draws from each seed. */
const RUNS = Number(process.env.OVEN_PROPERTY_RUNS ?? 100);
/** Milliseconds: ten times what one takes, so that it ends what hangs whatever the number of cases is. */
const TIME_OF_A_CASE = 4_000;

/** The calls that must be made by a graph whose run may do `allowed`, and whether it comes to its end. */
function expected({ publisher, steps }: Graph, allowed: number): { needs: number[]; ends: boolean } {
  const may = allowed & publisher;
  const needs: number[] = [];
  for (const one of steps) {
    if ("call" in one) {
      const child = expected(one.call, may);
      needs.push(...child.needs);
      if (!child.ends) return { needs, ends: false };
      continue;
    }
    const need = "need" in one ? one.need : one.each;
    if ((may & (1 << need)) === 0) return { needs, ends: false };
    needs.push(...("need" in one ? [need] : [need, need]));
  }
  return { needs, ends: true };
}

describe("a run may do what its starter and its version may do", () => {
  let oven: TestOven;
  const people: Credentials[] = [];
  let round = 0;

  beforeAll(async () => {
    oven = await startTestOven({ createRuntime, modules: [...installedModules({ demo: false }), proof] });
    for (const set of SETS) {
      const permissions = [...BASE, ...NEEDS.filter((need) => set & (1 << need)).map((need) => `proof.use${need}`)];
      const role = { name: `set-${set}`, title: `Set ${set}`, permissions };
      expect((await oven.call("POST", "roles", role)).status).toBe(201);
      people.push(await invite(oven, `set${set}@example.com`, [role.name]));
    }
  });
  afterAll(() => oven.stop());

  async function answer(method: string, path: string, body: object, as: number): Promise<{ id: number } & JsonObject> {
    const reply = await oven.call(method, path, body, people[as]);
    if (reply.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(reply.body)}`);
    return reply.body;
  }

  async function define({ steps }: Graph): Promise<JsonObject> {
    const states: JsonObject = { end: { type: "final" } };
    for (const [index, one] of steps.entries()) {
      const onDone = index + 1 < steps.length ? `s${index + 1}` : "end";
      const input = { round: "$.trigger.round" };
      if ("call" in one) {
        const child = await publish(one.call);
        states[`s${index}`] = {
          invoke: { src: "core.callWorkflow", input: { workflow: String(child), input }, onDone },
        };
      } else if ("need" in one) states[`s${index}`] = { invoke: { src: `proof.step${one.need}`, input, onDone } };
      else {
        const body = { invoke: { src: `proof.step${one.each}`, input, onDone: `e${index}` } };
        states[`s${index}`] = {
          loop: {
            type: "forEach",
            collection: [1, 2],
            bodyInitial: `b${index}`,
            bodyStates: { [`b${index}`]: body, [`e${index}`]: { type: "final" } },
            onDone,
            ...(one.sideBySide ? { concurrency: 2 } : {}),
          },
        };
      }
    }
    return { initial: "s0", states };
  }

  async function publish(graph: Graph): Promise<number> {
    const definition = await define(graph);
    return (await answer("POST", "workflows", { name: `Proof ${++round}`, definition }, graph.publisher)).id;
  }

  async function settled(id: number): Promise<string> {
    const path = `workflow-executions/${id}`;
    const read = async () => (await oven.call("GET", path)).body.status;
    await expect.poll(read, { interval: 15 }).toMatch(/^(completed|failed)$/);
    return read();
  }

  /** Starts it, and says what all of its runs may do besides what the graph may. */
  async function start(
    { graph, starter, way, other }: Case,
    mark: number,
  ): Promise<{ runs: number[]; allowed: number[] }> {
    const input = { round: mark };
    if (way === "draft") {
      const empty = { initial: "end", states: { end: { type: "final" } } };
      const { id } = await answer("POST", "workflows", { name: `Proof ${++round}`, definition: empty }, 7);
      const draft = { definition: await define(graph), baseVersion: 1, revision: 0 };
      await answer("PUT", `workflows/${id}/draft`, draft, graph.publisher);
      return {
        runs: [(await answer("POST", `workflows/${id}/draft/execute`, { input }, starter)).id],
        allowed: [starter],
      };
    }
    const id = await publish(graph);
    if (way === "trigger") {
      const body = { type: "manual", name: `Proof ${mark}`, target: { kind: "workflow", workflowId: id } };
      const trigger = await answer("POST", "triggers", body, other);
      const fired = await answer("POST", `triggers/${trigger.id}/fire`, { payload: input }, starter);
      return { runs: [Number(fired.executionId)], allowed: [other] };
    }
    const first = (await answer("POST", `workflows/${id}/execute`, { input }, starter)).id;
    if (way === "execute") return { runs: [first], allowed: [starter] };
    const isFailed = (await settled(first)) === "failed";
    const [checkpoint] = (await oven.call("GET", `workflow-executions/${first}/checkpoints`)).body;
    const again =
      way === "retry"
        ? await answer("POST", `workflow-executions/${first}/retry`, isFailed ? {} : { nodeId: "s0" }, other)
        : await answer("POST", `workflow-executions/${first}/fork`, { checkpoint: checkpoint.seq }, other);
    return { runs: [first, again.id], allowed: [starter, other] };
  }

  it(
    "whatever the graph, the people and the way to start",
    async () => {
      await fc.assert(
        fc.asyncProperty(cases, async (one) => {
          const mark = ++round;
          const { runs, allowed } = await start(one, mark);
          const ends = await Promise.all(runs.map(settled));
          const made = calls.filter((call) => call.round === mark).map(({ need }) => need);
          const first = expected(one.graph, allowed[0] ?? 0);
          expect(ends[0]).toBe(first.ends ? "completed" : "failed");
          // What goes on behind a failure repeats nothing that was done; a loop may begin items anew.
          const may = (need: number) => allowed.some((set) => set & one.graph.publisher & (1 << need));
          expect(made.filter((need) => !may(need))).toEqual([]);
          if (runs.length === 1) expect(made).toEqual(first.needs);
          const [, second] = allowed;
          if (second !== undefined) {
            const after = made.slice(first.needs.length);
            expect(made.slice(0, first.needs.length)).toEqual(first.needs);
            expect(after.filter((need) => (second & one.graph.publisher & (1 << need)) === 0)).toEqual([]);
          }
        }),
        { numRuns: RUNS },
      );
    },
    RUNS * TIME_OF_A_CASE,
  );
});
