import { createRuntime } from "@oven/module-registry";
import { invite, startTestOven, type TestOven } from "@oven/testing";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { installedModules } from "../modules.ts";
import { cases, PASSED_BY } from "./testing/release-cases.ts";
import { failed, paid, proof } from "./testing/release-module.ts";
import { ReleaseSequence, type ReleaseStage } from "./testing/release-sequence.ts";

/** The first of the 300 that `pnpm properties` draws from each seed. */
const RUNS = Number(process.env.OVEN_PROPERTY_RUNS ?? 100);
/** Milliseconds: ten times what one takes, so that it ends what hangs whatever the number of cases is. */
const TIME_OF_A_CASE = 4_000;

/*
 * Random graphs with a review before a payment, with a policy that demands it or without, and random sequences of everything that
 * begins a run: what is paid has a release of exactly this amount, and no release is paid twice. Each execution and each patch has an
 * amount of its own, so a payment names the release that it needs.
 */
describe("what needs a release runs with it, once", () => {
  let oven: TestOven;
  let stage: ReleaseStage;

  beforeAll(async () => {
    oven = await startTestOven({ createRuntime, modules: [...installedModules({ demo: false }), proof] });
    const done: ReleaseStage["done"] = async (method, path, body, as) => {
      const answer = await oven.call(method, path, body, as);
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
      return answer.body;
    };
    const reviewer = await invite(oven, "rita@example.com", ["reviewer"]);
    const scopes = ["agent-workflows.execute", "agent-workflows.read", "executions.read"];
    const { key } = await done("POST", "api-keys", { name: "Narrow", permissions: scopes });
    const who = {
      operator: await invite(oven, "olga@example.com", ["operator"]),
      editor: await invite(oven, "ed@example.com", ["editor"]),
      key: { key },
    };
    const rule = { kind: "review-before", target: { nodeTypes: ["proof.guarded"] } };
    const { id: policy } = await done("POST", "graph-policies", { name: "Money", rule });
    let mark = 0;
    stage = { oven, reviewer, who, policy, nextMark: () => ++mark, done };
  });
  afterAll(() => oven.stop());

  it(
    "whatever the graph, the policy and the sequence",
    async () => {
      await fc.assert(
        fc.asyncProperty(cases, async (one) => {
          paid.length = 0;
          failed.clear();
          const sequence = new ReleaseSequence(stage, one.hasPolicy);
          await sequence.begin(one);
          for (const action of one.actions) {
            await sequence.act(action);
            expect(sequence.unreleased(), action.act).toEqual([]);
          }
        }),
        { numRuns: RUNS, examples: [[PASSED_BY]] },
      );
    },
    RUNS * TIME_OF_A_CASE,
  );
});
