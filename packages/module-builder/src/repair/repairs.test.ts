import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { call, FIXED, propose, type RepairOven, startRepairOven, WITH_FEE, WITHOUT_FEE } from "./testing/orders.ts";

let oven: RepairOven;
beforeAll(async () => {
  oven = await startRepairOven();
});
afterEach(() => expect(oven.unsaid()).toBe(0));
afterAll(() => oven.stop());

const get = async (path: string) => (await oven.as(oven.ada, "GET", path)).body;

describe("a repair", () => {
  it("sends a change back that breaks a good run, asks about one that is proved, publishes it and tries the runs again", async () => {
    const { id, failed, good } = await oven.failing();
    const mine = { initial: "mine", states: { mine: { type: "final" } } };
    await oven.as(oven.ada, "PUT", `agent-workflows/${id}/draft`, { definition: mine, baseVersion: 1, revision: 0 });
    oven.script(propose(WITHOUT_FEE), { text: "The fee is not needed." }, ...FIXED);
    const executionId = await oven.start(failed);
    const { repair, run } = await oven.repaired(executionId);
    expect(run).toMatchObject({ status: "paused" });
    expect(repair).toMatchObject({
      ...{ workflowId: id, baseVersion: 1, runIds: failed, automatic: false, status: "asked", retried: [] },
      explanation: "The fee may be left out.",
      failure: { nodeId: "total" },
      evidence: {
        ...{ attempt: 2, wrong: [], datasets: [] },
        failed: failed.map((run) => ({ executionId: run, verdict: "completes", detail: null })),
        past: { runs: 2, same: 2, before: 0, skipped: 0, differing: [] },
      },
      changes: { added: [], removed: [], changed: [{ stateId: "total" }] },
    });
    const sentBack = JSON.stringify(oven.server.requests.at(-3)?.body.messages);
    expect(sentBack).toContain(`Run ${good[0]}, which completed: it would end otherwise`);
    const decided = await oven.decide(repair.reviewId, "approve");
    expect(decided.status, JSON.stringify(decided.body)).toBe(200);
    const { repair: applied, run: ended } = await oven.ended(executionId);
    expect(ended).toMatchObject({ status: "completed", outcome: "applied" });
    expect(applied).toMatchObject({ status: "applied", publishedVersion: 2 });
    expect(applied.retried.map(({ id: of, status }) => [of, status])).toEqual(failed.map((one) => [one, "completed"]));
    expect(await get(`agent-workflows/${id}`)).toMatchObject({
      version: 2,
      definition: { states: { total: WITH_FEE } },
    });
    expect(await get(`agent-workflow-executions/${applied.retried[0]?.as}`)).toMatchObject({
      ...{ retryOf: failed[0], workflowVersion: 2, output: { sum: 1 } },
    });
    expect(await get(`agent-workflows/${id}/draft`)).toMatchObject({ definition: mine, revision: 1 });
    expect(await get(`builder/repairs?workflowId=${id}`)).toMatchObject([{ executionId, status: "applied" }]);
  });

  it("asks the workflow's owner, with the change and what was found", async () => {
    const { id, failed } = await oven.failing(2);
    const { createdBy: owner } = await get(`agent-workflows/${id}`);
    oven.script(...FIXED);
    const { repair } = await oven.repaired(await oven.start(failed));
    expect(await get(`reviews/${repair.reviewId}`)).toMatchObject({
      ...{ assignees: [`user:${owner}`], actions: ["approve", "reject"] },
      title: expect.stringContaining("Repair Orders: "),
      proposal: {
        changes: [{ step: "total", what: "invoke.input.mapping.sum.$cel", before: "trigger.amount + trigger.fee" }],
        whenApproved: `It is published as the next version, and runs ${failed.join(", ")} are tried again on it.`,
      },
      context: {
        failedRuns: "2 of 2 failed runs would complete.",
        earlierRuns: "2 of 2 completed runs come out the same.",
        policies: "No policy is against it.",
        notProved: "Nothing is left open.",
      },
    });
    await oven.decide(repair.reviewId, "reject");
    const { repair: rejected, run } = await oven.ended(repair.executionId);
    expect(run).toMatchObject({ status: "completed", outcome: "rejected", output: { comment: "seen" } });
    expect(rejected).toMatchObject({ status: "rejected", reason: "seen", publishedVersion: null, retried: [] });
  });

  it("is one at a time for a failure, and can begin anew once it has ended", async () => {
    const { failed } = await oven.failing(2);
    oven.script(...FIXED);
    const executionId = await oven.start(failed);
    const { repair } = await oven.repaired(executionId);
    const second = await oven.as(oven.ada, "POST", "builder/repairs", { runIds: failed.slice(1) });
    expect(second).toMatchObject({
      status: 409,
      body: { error: { code: "REPAIR_UNDER_WAY", details: { executionId } } },
    });
    await oven.as(oven.ada, "POST", `agent-workflow-executions/${executionId}/cancel`, {});
    expect(await get(`builder/repairs/${executionId}`)).toMatchObject({ status: "ended", reviewId: null });
    oven.script(...FIXED);
    const again = await oven.repaired(await oven.start(failed));
    expect(again.repair).toMatchObject({ status: "asked" });
    expect(again.repair.reviewId).not.toBe(repair.reviewId);
  });

  it("ends without a person being asked when no change is proved in three attempts", async () => {
    const { id, failed } = await oven.failing(1);
    const idle = { text: "I do not know." };
    oven.script(idle, propose(WITHOUT_FEE), idle, call("change_steps", { put: { total: { type: "nothing" } } }), idle);
    const { repair, run } = await oven.repaired(await oven.start(failed));
    expect(run).toMatchObject({ status: "completed", outcome: "no-repair", output: { explanation: "I do not know." } });
    expect(repair).toMatchObject({ status: "unproved", after: null, changes: null, reviewId: null });
    expect(repair.evidence?.attempt).toBe(3);
    const { body: reviews } = await oven.as(oven.ada, "GET", `reviews?filter={"executionId":${repair.executionId}}`);
    expect(reviews).toEqual([]);
    expect((await get(`agent-workflows/${id}`)).version).toBe(1);
  });

  it("changes nothing where another version was published meanwhile", async () => {
    const { id, failed } = await oven.failing(1);
    oven.script(...FIXED);
    const { repair } = await oven.repaired(await oven.start(failed));
    const other = { initial: "other", states: { other: { type: "final" } } };
    await oven.as(oven.ada, "PUT", `agent-workflows/${id}`, { definition: other, version: 1 });
    await oven.decide(repair.reviewId, "approve");
    const { repair: stale, run } = await oven.ended(repair.executionId);
    expect(run).toMatchObject({ status: "completed", outcome: "not-applied", output: { status: "stale" } });
    expect(stale).toMatchObject({ status: "stale", publishedVersion: null, retried: [] });
    expect(stale.reason).toContain("Version 2 of Orders was published meanwhile");
    expect(await get(`agent-workflows/${id}`)).toMatchObject({ version: 2, definition: other });
  });
});
