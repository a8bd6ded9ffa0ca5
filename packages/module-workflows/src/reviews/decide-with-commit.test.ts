import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { RunKinds } from "../runtime/run-kinds.ts";
import { regularTables } from "../tables/workflows.table.ts";
import { REGULAR } from "../workflow-kind.ts";
import { prepareDecision } from "./decide-with-commit.ts";
import { ReviewedOven } from "./testing/reviewed-oven.ts";

const PRINCIPAL = { kind: "user" as const, userId: null, tenantId: 1, permissions: ["*"] };
const LEASE = { worker: "somebody", milliseconds: 60_000 };

describe.each(testDatabases(inject("postgresUrl")))("a decision along with its run, on $name", ({ name, open }) => {
  let test: TestDatabase;
  let house: ReviewedOven;
  beforeAll(async () => {
    test = await open();
    house = await ReviewedOven.start(test.db);
  });
  afterAll(async () => {
    await house.oven.stop();
    await test.close();
  });

  const decide = (review: number, reason: string | null = null) =>
    house.oven.call("POST", `reviews/${review}/decide`, { action: "approve", ...(reason === null ? {} : { reason }) });
  const ends = (run: number) =>
    expect.poll(async () => (await house.run(run)).status, { interval: 20 }).toBe("completed");
  /** As in a process that has seen the review. */
  async function carry(run: number, review: number) {
    const kinds = new RunKinds();
    kinds.add({ kind: REGULAR, tables: regularTables });
    kinds.noteReview({ id: review, executionId: run, executionKind: "workflow" });
    // Whoever asked is answered when the run has paused, which is before it is given up.
    const holder = async () =>
      (await test.db.query("select lease_owner from workflow_executions where id = $1", [run]))[0];
    await expect.poll(holder).toEqual({ lease_owner: null });
    const carried = await prepareDecision({ db: test.db, kinds }, PRINCIPAL, review, { action: "approve" }, LEASE);
    if (carried === undefined) throw new Error("it was not carried");
    return carried;
  }
  const signals = (run: number) =>
    test.db.query("select type from run_signals where execution_id = $1 and consumed_at is null", [run]);

  it("is written in one transaction with the run's next step", async () => {
    const { run, review } = await house.ask({});
    expect((await decide(review)).body).toMatchObject({ status: "decided", action: "approve", data: { amount: 5 } });
    await ends(run);
    const [written] = await test.db.query(
      `select (select xmin::text from reviews where id = $1) = (select xmin::text from run_events where execution_id = $2
         and event = 'review.decided') as together`,
      [review, run],
    );
    expect(written).toEqual({ together: true });
    expect(await signals(run)).toEqual([]);
  });

  it("takes the run and leaves its message, where nothing has changed", async () => {
    const { run, review } = await house.ask({});
    const { call, taken } = await carry(run, review);
    expect(await test.db.batch([call])).toEqual([true]);
    const [[row], , , told] = taken.answers;
    const [stored] = await test.db.query("select epoch, lease_owner from workflow_executions where id = $1", [run]);
    expect(stored).toEqual({ epoch: row?.epoch, lease_owner: "somebody" });
    const [signal] = await test.db.query(
      "select id, type, data from run_signals where consumed_at is null and id = $1",
      [told[0]?.id],
    );
    expect(signal).toEqual(told[0]);
  });

  it.each([
    ["the review was handed on", `update reviews set assignees = '["user:1"]' where id = $1`],
    ["the review was decided", "update reviews set status = 'decided' where id = $1"],
    [
      "the run was taken by somebody",
      "update workflow_executions set lease_owner = 'other' where id = (select execution_id from reviews where id = $1)",
    ],
    [
      "the run has moved",
      "update workflow_executions set seq = seq + 1 where id = (select execution_id from reviews where id = $1)",
    ],
  ])("writes nothing where %s meanwhile", async (_what, change) => {
    const { run, review } = await house.ask({});
    const { call } = await carry(run, review);
    await test.db.query(change, [review]);
    const state = () =>
      test.db.query(
        `select r.status, r.action, e.epoch, e.lease_owner from reviews r join workflow_executions e on e.id = r.execution_id
         where r.id = $1`,
        [review],
      );
    const before = await state();
    expect(await test.db.batch([call])).toEqual([false]);
    expect(await state()).toEqual(before);
    expect(await signals(run)).toEqual([]);
  });

  it("is made under a lock where somebody else holds the run, who is told", async () => {
    const { run, review } = await house.ask({});
    const hold =
      "update workflow_executions set lease_owner = 'other', lease_until = now() + interval '1 h' where id = $1";
    await test.db.query(hold, [run]);
    expect((await decide(review)).body.status).toBe("decided");
    expect(await signals(run)).toEqual([{ type: "decision" }]);
    await test.db.query("update workflow_executions set lease_owner = null, lease_until = null where id = $1", [run]);
  });

  it.runIf(name === "PostgreSQL")("waits for nobody who holds the review or the run just now", async () => {
    const { run, review } = await house.ask({});
    const { call } = await carry(run, review);
    for (const [table, id] of [
      ["reviews", review],
      ["workflow_executions", run],
    ]) {
      await test.db.transaction(async (tx) => {
        await tx.query(`select id from ${table} where id = $1 for update`, [id]);
        expect(await test.db.batch([call])).toEqual([false]);
      });
    }
    expect(await test.db.batch([call])).toEqual([true]);
  });

  it("tells two who decide at once apart, however often", async () => {
    for (let round = 0; round < 10; round += 1) {
      const { run, review } = await house.ask({});
      const answers = await Promise.all(["a", "b", "c", "d"].map((reason) => decide(review, reason)));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409, 409]);
      await ends(run);
      const { reason } = answers.find(({ status }) => status === 200)?.body ?? {};
      expect((await house.run(run)).output).toMatchObject({ reason });
    }
  });
});
