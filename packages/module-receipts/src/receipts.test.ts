import { MAX_RECEIPT_BYTES, type ReceiptFile, ReceiptFileSchema, verifyReceipt } from "@oven/receipts";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { asking, CALLING, REFUND, ReceiptOven } from "./issue/testing/receipt-oven.ts";

let oven: ReceiptOven;
beforeAll(async () => {
  oven = await ReceiptOven.start();
});
afterAll(() => oven.oven.stop());

function parse(file: Buffer): ReceiptFile {
  return ReceiptFileSchema.parse(JSON.parse(file.toString()));
}

async function refunded(): Promise<number> {
  const { run } = await oven.run(REFUND);
  await oven.approveAll(run);
  return run;
}

const pathOf = (run: number) => `agent-workflow-executions/${run}/receipt`;

describe("the receipt of a run", () => {
  it("says what ran, what came of it and who released what", async () => {
    const { run, workflow } = await oven.run(REFUND);
    const [review] = await oven.call("GET", `reviews?filter={"executionId":${run}}`);
    await oven.approveAll(run);
    const result = await oven.verify(run);
    expect(result.checks.filter(({ ok }) => !ok)).toEqual([]);
    expect(result.notes).toEqual([]);
    const { body: definition } = await oven.oven.call("GET", `agent-workflow-executions/${run}/definition`);
    expect(result.receipt).toMatchObject({
      issuer: "http://localhost:3000",
      run: { id: run, kind: "agent-workflow", status: "completed", family: 1 },
      workflow: { id: workflow, version: 1, definition: definition.contentHash },
      decisions: {
        count: 1,
        list: [{ review: review.id, node: "check", shown: review.digest, action: "approve", by: [oven.financeId] }],
      },
    });
    const file = await oven.file(run);
    expect(file.byteLength).toBeLessThanOrEqual(MAX_RECEIPT_BYTES);
    // What a step came to is in the chain, not only that it came to an end.
    expect((await oven.log(run)).toString()).toContain('"output":{"paid":5}');
  });

  it("is refused as long as the run goes on", async () => {
    const { run } = await oven.run(REFUND);
    const { status, body } = await oven.oven.call("GET", pathOf(run));
    expect({ status, code: body.error.code }).toEqual({ status: 409, code: "STILL_RUNNING" });
    expect((await oven.oven.call("GET", `${pathOf(run)}/log`)).status).toBe(409);
  });

  it("is one, however often and at whatever time it is asked for", async () => {
    const run = await refunded();
    const files = await Promise.all(Array.from({ length: 5 }, () => oven.file(run)));
    await oven.call("POST", "receipt-keys/rotate");
    files.push(await oven.file(run));
    expect(new Set(files.map(String)).size).toBe(1);
    expect((await oven.verify(run)).ok).toBe(true);
  });

  it("is small however many reviews there were: then they stand in the log", async () => {
    const { run } = await oven.run(asking(12));
    await oven.approveAll(run);
    const file = await oven.file(run);
    expect(file.byteLength).toBeLessThanOrEqual(MAX_RECEIPT_BYTES);
    expect(parse(file).receipt.decisions).toEqual({ count: 12, hash: expect.any(String) });
    const result = await oven.verify(run);
    expect(result.ok).toBe(true);
    expect(result.checks.map(({ says }) => says)).toContain("the log has the decisions that were signed");
  });

  it("is about the runs that it called, too", async () => {
    const { workflow } = await oven.run(REFUND);
    const { run } = await oven.run(CALLING(workflow));
    await oven.approveFamily(run);
    const { ok, receipt } = await oven.verify(run);
    expect(ok).toBe(true);
    expect(receipt?.run).toMatchObject({ id: run, family: 2 });
    expect(receipt?.decisions.list).toMatchObject([{ node: "check", action: "approve" }]);
    const [first = ""] = (await oven.log(run)).toString().split("\n");
    expect(JSON.parse(first).data.closure).toEqual([
      { name: `agent-workflow:${workflow}`, version: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    ]);
  });

  it("is there for regular workflows", async () => {
    const definition = { initial: "end", states: { end: { type: "final", output: "$.amount" } } };
    const workflow = await oven.call("POST", "workflows", { name: "Regular", definition });
    const run = await oven.call("POST", `workflows/${workflow.id}/execute?wait=20`, { input: { amount: 5 } });
    const response = await oven.oven.fetch(`workflow-executions/${run.id}/receipt`);
    const { receipt } = parse(Buffer.from(await response.arrayBuffer()));
    expect(receipt.run).toMatchObject({ kind: "workflow", id: run.id });
  });
});

describe("who may have it", () => {
  it("nobody of another tenant, and no key that is bound to another workflow", async () => {
    const { run, workflow } = await oven.run(asking(1));
    await oven.approveAll(run);
    const [stranger, bound, own] = [
      await oven.keyOf("admin", 7),
      await oven.keyOf("admin", 1, [`agent-workflow:${workflow + 1}`]),
      await oven.keyOf("admin", 1, [`agent-workflow:${workflow}`]),
    ];
    for (const path of [pathOf(run), `${pathOf(run)}/log`]) {
      const statuses = [];
      for (const { key } of [stranger, bound, own])
        statuses.push((await oven.oven.fetch(path, { headers: { authorization: `Bearer ${key}` } })).status);
      expect(statuses).toEqual([404, 404, 200]);
      expect((await oven.oven.call("GET", path, undefined, { key: null })).status).toBe(401);
    }
    expect((await oven.oven.call("GET", pathOf(987_654))).status).toBe(404);
  });
});

describe("a log that was changed after its receipt was signed", () => {
  it.each([
    ["an event", 'update run_events set fields = \'{"nodeId":"other"}\' where execution_id = $1 and seq = 2'],
    [
      "what a step came to",
      "update agent_workflow_node_executions set output = '{\"paid\":6}' where execution_id = $1",
    ],
    ["who decided", "update reviews set decided_by = 1 where execution_id = $1"],
    ["a message", "update run_signals set data = '{}' where execution_id = $1"],
    ["an event that is gone", "delete from run_events where execution_id = $1 and seq = 3"],
    ["the output of the run", "update agent_workflow_executions set output = '6' where id = $1"],
  ])("is noticed: %s", async (_, change) => {
    const complained = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const run = await refunded();
    await oven.file(run);
    await oven.oven.db.query(change, [run]);
    for (const path of [pathOf(run), `${pathOf(run)}/log`]) {
      const { status, body } = await oven.oven.call("GET", path);
      expect({ status, code: body.error?.code }).toEqual({ status: 409, code: "RECEIPT_MISMATCH" });
    }
    expect(complained).toHaveBeenCalledWith(expect.stringContaining(`run ${run}`));
    complained.mockRestore();
  });
});

describe("keys", () => {
  it("are rotated by an administrator of the first tenant, which is written down", async () => {
    const before = await oven.keys();
    const made = await oven.call("POST", "receipt-keys/rotate");
    const after = await oven.keys();
    expect(after.keys.map(({ kid }) => kid)).toEqual([made.kid, ...before.keys.map(({ kid }) => kid)]);
    expect(after.keys.filter(({ until }) => until === null)).toEqual([made]);
    const [editor, stranger] = [await oven.keyOf("editor"), await oven.keyOf("admin", 7)];
    for (const { key } of [editor, stranger])
      expect((await oven.oven.call("POST", "receipt-keys/rotate", undefined, { key })).status).toBe(403);
    const [audit] = await oven.oven.db.query<{ status: number }>(
      "select status from audit_log where action like '%rotate%' and target_type = 'receipt-keys' and outcome = 'done' order by id desc limit 1",
    );
    expect(audit).toEqual({ status: 200 });
  });

  it("sign nothing where the secret that sealed them is gone, until a new one is made", async () => {
    const run = await refunded();
    await oven.oven.db.query("update receipt_keys set sealed = 'x:y' where current");
    const { status, body } = await oven.oven.call("GET", pathOf(run));
    expect({ status, code: body.error.code }).toEqual({ status: 503, code: "RECEIPT_KEY_UNREADABLE" });
    await oven.call("POST", "receipt-keys/rotate");
    expect((await oven.verify(run)).ok).toBe(true);
  });
});

describe("a run whose details are gone", () => {
  const age = async (run: number, days: number) => {
    for (const [table, column, id] of [
      ["agent_workflow_executions", "completed_at", "id"],
      ["run_receipt_salts", "ended_at", "execution_id"],
      ["run_receipts", "ended_at", "execution_id"],
    ])
      await oven.oven.db.query(`update ${table} set ${column} = now() - make_interval(days => $2) where ${id} = $1`, [
        run,
        days,
      ]);
    await oven.call("POST", "retention/run", {});
  };

  it("keeps its receipt, and its log as digests that nothing can be guessed by", async () => {
    const [run, never] = [await refunded(), await refunded()];
    const [file, log] = [await oven.file(run), await oven.log(run)];
    const ends =
      "select extract(epoch from $1::timestamptz - ended_at)::int as late from run_receipt_salts where execution_id = $2";
    const { completedAt } = await oven.call("GET", `agent-workflow-executions/${run}`);
    expect(await oven.oven.db.query(ends, [completedAt, run])).toEqual([{ late: 0 }]);
    await age(run, 40);
    await age(never, 40);
    expect(await oven.file(run)).toEqual(file);
    const { ok, notes } = await oven.verify(run);
    expect(ok).toBe(true);
    const entries = log.toString().split("\n").length - 1;
    expect(notes).toContain(`${entries} of ${entries} entries have no data: only their digests are proved.`);
    expect(await oven.oven.db.query("select 1 from run_receipt_salts where execution_id = $1", [run])).toEqual([]);
    // Whoever has the log with its data can still show it.
    expect(verifyReceipt({ file, log, keys: await oven.keys() }).ok).toBe(true);
    const { body } = await oven.oven.call("GET", pathOf(never));
    expect(body.error.code).toBe("DETAILS_REMOVED");
  });

  it("takes all that is stored of it along when it goes, and what was given out stays valid", async () => {
    const run = await refunded();
    const [file, log] = [await oven.file(run), await oven.log(run)];
    await oven.services.workflowPlatform.retention.removeAll(1, [run]);
    expect((await oven.oven.call("GET", pathOf(run))).status).toBe(404);
    for (const table of ["run_receipts", "run_receipt_salts"])
      expect(await oven.oven.db.query(`select 1 from ${table} where execution_id = $1`, [run])).toEqual([]);
    expect(verifyReceipt({ file, log, keys: await oven.keys() }).ok).toBe(true);
  });
});
