import type { Queryable } from "@oven/db";
import { testDatabases } from "@oven/db/testing";
import { describe, expect, inject, it } from "vitest";
import { startEvals } from "./testing/start-evals.ts";
import { ANSWER } from "./testing/workflows.ts";

const cases = ["one", "two", "three", "four"].map((name) => ({
  ...{ name, input: { message: name }, decisions: [], pins: null, tags: [], enabled: true },
  expectations: [{ type: "contains" as const, path: "$", text: name, mode: "all" as const, caseSensitive: false }],
}));
const ANSWERED = { text: "one two three four" };
const file = { slug: "four", target: { kind: "agent-workflow" as const, id: "answer" }, cases };

describe.each(testDatabases(inject("postgresUrl")))("an evaluation on $name", ({ open }) => {
  it("is taken up after a crash: what has a result stays, each case is run once, no matter where it stood", async () => {
    const { db, close } = await open();
    const dead = await startEvals(() => ANSWERED, { db });
    await dead.call("POST", "agent-workflows", { name: "Answer", definition: ANSWER });
    const { run } = await dead.run(await dead.take(file));
    await dead.stop();
    // As a process that is gone leaves it: one case done, one judged but not written, one started but not noted, one not begun.
    const set = (name: string, values: string) =>
      db.query(`update eval_results set ${values} where case_name = $1`, [name]);
    await set("one", "score = 0.5, output = '\"before\"'");
    await set("two", "status = 'running', output = null");
    await set("three", "status = 'running', execution_id = null, execution_kind = null");
    await set("four", "status = 'pending', execution_id = null, execution_kind = null, started_at = null");
    await db.query(
      "delete from idempotency_keys where key = 'eval:' || (select id from eval_results where case_name = 'four')",
    );
    await db.query(
      "update eval_runs set status = 'running', owner = 'gone', ended_at = null, claimed_until = now() + interval '1 hour'",
    );
    const heir = await startEvals(() => ANSWERED, { db });
    try {
      // So long its owner may live, nobody else touches it.
      await heir.run("four");
      expect((await heir.call("GET", `eval-runs/${run.id}`)).body.status).toBe("running");
      await db.query("update eval_runs set claimed_until = now() where id = $1", [run.id]);
      await heir.run("four");
      expect(await heir.ended(run.id)).toMatchObject({ status: "completed", passed: 4, cases: 4 });
      const results = await heir.results(run.id);
      expect(results[0]).toMatchObject({ score: 0.5, output: "before" });
      expect(results[1]?.output).toEqual({ reply: "one two three four" });
      // Four cases of each of three runs, and the fourth of the first once more: its run had never begun.
      expect(await countRuns(db)).toBe(13);
    } finally {
      await heir.stop();
      await close();
    }
  });

  it("is handed on by a process that stops, and each result is written once", async () => {
    const { db, close } = await open();
    const gate = Promise.withResolvers<void>();
    let asked = 0;
    const first = await startEvals(
      () => {
        asked += 1;
        return asked <= 2 ? ANSWERED : { ...ANSWERED, gate: { after: 0, opened: gate.promise } };
      },
      { db },
    );
    await first.call("POST", "agent-workflows", { name: "Answer", definition: { ...ANSWER, streamingEnabled: true } });
    await first.take(file);
    const { body: started } = await first.call("POST", "eval-datasets/four/run", { concurrency: 1 });
    await expect.poll(() => asked).toBe(3);
    const before = await first.results(started.id);
    expect(before.map(({ status }) => status)).toEqual(["passed", "passed", "running", "pending"]);
    const stopping = first.stop();
    gate.resolve();
    await stopping;
    const second = await startEvals(() => ANSWERED, { db });
    try {
      expect(await second.ended(started.id)).toMatchObject({ status: "completed", passed: 4 });
      const after = await second.results(started.id);
      expect(after.slice(0, 2)).toEqual(before.slice(0, 2));
      expect(after[2]?.executionId).toBe(before[2]?.executionId);
      expect(await countRuns(db)).toBe(4);
    } finally {
      await second.stop();
      await close();
    }
  });

  it("belongs to one of several processes, and each case is run once", async () => {
    const { db, close } = await open();
    const all = [await startEvals(() => ANSWERED, { db }), await startEvals(() => ANSWERED, { db })];
    const [first] = all;
    try {
      if (first === undefined) throw new Error("nothing was started");
      await first.call("POST", "agent-workflows", { name: "Answer", definition: ANSWER });
      await first.take(file);
      const runs = await Promise.all(all.flatMap((one) => [one.run("four"), one.run("four")]));
      expect(runs.map(({ run }) => run.passed)).toEqual([4, 4, 4, 4]);
      expect(await countRuns(db)).toBe(16);
    } finally {
      for (const one of all) await one.stop();
      await close();
    }
  });
});

async function countRuns(db: Queryable): Promise<number> {
  const rows = await db.query<{ count: number }>("select count(*)::int as count from agent_workflow_executions");
  return rows[0]?.count ?? 0;
}
