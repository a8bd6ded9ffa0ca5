import type { Json, JsonObject } from "@oven/contract";
import type { Repair } from "@oven/contract/workflow";
import { type Credentials, invite, type ModelReply } from "@oven/testing";
import { expect } from "vitest";
import { type BuilderOven, startBuilderOven } from "../../conversations/testing/builder-oven.ts";

const done = (outcome: string) => ({ type: "final", outcome, output: { sum: "$.total_output.sum" } });
const transform = (sum: string) => ({
  invoke: {
    src: "core.transform",
    input: { mapping: { sum: { $cel: sum } } },
    onDone: [{ target: "large", guard: { type: "cel", params: { expression: "output.sum > 100.0" } } }, "small"],
  },
});

/** Adds a fee to an amount; without a fee the sum cannot be computed, and the run fails. */
export const ORDERS: JsonObject = {
  initial: "total",
  states: { total: transform("trigger.amount + trigger.fee"), large: done("large"), small: done("small") },
};
/** Forgets the fee: runs with one come out otherwise. */
export const WITHOUT_FEE = transform("trigger.amount");
/** The fee counts where there is one. */
export const WITH_FEE = transform("has(trigger.fee) ? trigger.amount + trigger.fee : trigger.amount");

/** A call of a tool of the builder, as the model says it. */
export const call = (tool: string, args: Json) => ({ toolCalls: [{ name: `build_${tool}`, arguments: args }] });
export const propose = (total: JsonObject) => call("change_steps", { put: { total } });
/** What the model says that repairs the orders. */
export const FIXED: ModelReply[] = [
  call("read_steps", { steps: ["total"] }),
  propose(WITH_FEE),
  { text: "The fee may be left out." },
];

/** A server with the builder and a person who owns workflows. */
export interface RepairOven extends Omit<BuilderOven, "start"> {
  /** An editor, who makes the workflows. */
  ada: Credentials;
  as(who: Credentials, method: string, path: string, body?: unknown): ReturnType<BuilderOven["call"]>;
  newWorkflow(definition?: JsonObject): Promise<number>;
  run(workflowId: number, input: JsonObject): Promise<number>;
  /** A workflow with two runs that completed, and some that failed. */
  failing(count?: number): Promise<{ id: number; failed: number[]; good: number[] }>;
  /** Starts a repair as the owner. */
  start(runIds: readonly number[]): Promise<number>;
  decide(reviewId: number | null, action: string, who?: Credentials): ReturnType<BuilderOven["call"]>;
  /** The repair once its run has ended or waits for a decision. */
  repaired(executionId: number): Promise<{ repair: Repair; run: JsonObject }>;
  /** The repair once its run has ended. */
  ended(executionId: number): Promise<{ repair: Repair; run: JsonObject }>;
}

export async function startRepairOven(): Promise<RepairOven> {
  const oven = await startBuilderOven();
  const ada = await invite(oven, "ada@example.com", ["editor"]);
  const as: RepairOven["as"] = (who, method, path, body) => oven.call(method, path, body, who);
  const newWorkflow: RepairOven["newWorkflow"] = async (definition = ORDERS) => {
    const { status, body } = await as(ada, "POST", "agent-workflows", { name: "Orders", definition });
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id;
  };
  const run: RepairOven["run"] = async (workflowId, input) =>
    (await as(ada, "POST", `agent-workflows/${workflowId}/execute?wait=30`, { input })).body.id;
  const settled = async (executionId: number, statuses: RegExp) => {
    const get = async () => (await as(ada, "GET", `agent-workflow-executions/${executionId}`)).body;
    await expect.poll(async () => (await get()).status, { timeout: 30_000 }).toMatch(statuses);
    return { repair: (await as(ada, "GET", `builder/repairs/${executionId}`)).body, run: await get() };
  };
  return {
    ...oven,
    ada,
    as,
    newWorkflow,
    run,
    failing: async (count = 3) => {
      const id = await newWorkflow();
      const good = [await run(id, { amount: 90, fee: 5 }), await run(id, { amount: 95, fee: 10 })];
      const failed: number[] = [];
      for (let amount = 1; amount <= count; amount += 1) failed.push(await run(id, { amount }));
      return { id, failed, good };
    },
    start: async (runIds) => {
      const { status, body } = await as(ada, "POST", "builder/repairs", { runIds });
      expect(status, JSON.stringify(body)).toBe(201);
      return body.executionId;
    },
    decide: async (reviewId, action, who = ada) => {
      const { body: review } = await as(ada, "GET", `reviews/${reviewId}`);
      return as(who, "POST", `reviews/${reviewId}/decide`, { action, digest: review.digest, reason: "seen" });
    },
    repaired: (executionId) => settled(executionId, /paused|completed|failed|cancelled/),
    ended: (executionId) => settled(executionId, /completed|failed|cancelled/),
  };
}
