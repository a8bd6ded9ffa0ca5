import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { startTriggers, type TestTriggers } from "../triggers/testing/start-triggers.ts";

const DELIVERIES = 800;
const DUPLICATES = 200;

describe.each(testDatabases(inject("postgresUrl")))("a burst of webhooks on $name", ({ open }) => {
  let database: TestDatabase;
  let triggers: TestTriggers;
  beforeAll(async () => {
    database = await open();
    triggers = await startTriggers(undefined, database.db);
  });
  afterAll(async () => {
    await triggers.stop();
    await database.close();
  });

  const send = async (token: string | null, n: number) => {
    const response = await triggers.oven.handle(
      new Request(`http://localhost:3000/api/hooks/${token}`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-id": `delivery-${n}` },
        body: JSON.stringify({ n }),
      }),
    );
    return {
      n,
      status: response.status,
      retryAfter: response.headers.get("retry-after"),
      body: (await response.json()) as { executionId: number | null },
    }; // cast: as documented
  };

  it("starts one run for each of a thousand deliveries with duplicates; what it has no room for it does not start", async () => {
    const workflowId = await triggers.workflow("Burst");
    const { id, token } = await triggers.make({
      type: "webhook",
      name: "Burst",
      target: { kind: "workflow", workflowId },
      config: { deliveryId: "X-Id" },
      input: { n: "$.body.n" },
    });
    // Less than arrives at once.
    const limit = { moduleName: "module-workflows", key: "MAX_STARTS_PER_MINUTE", value: 300, scopeId: null };
    const limited = await triggers.oven.call("POST", "module-configs", limit);
    expect(limited.status, JSON.stringify(limited.body)).toBe(201);
    const wanted = [
      ...Array.from({ length: DELIVERIES }, (_, n) => n),
      ...Array.from({ length: DUPLICATES }, (_, n) => n * 3),
    ];
    const executions = new Map<number, number | null>();
    let refused = 0;
    const round = async (numbers: readonly number[]) => {
      const answers = await Promise.all(numbers.map((n) => send(token, n)));
      expect(answers.filter(({ status }) => ![200, 202, 429].includes(status))).toEqual([]);
      const again: number[] = [];
      for (const { n, status, retryAfter, body } of answers) {
        if (status === 429) {
          refused++;
          expect(Number(retryAfter)).toBeGreaterThan(0);
          again.push(n);
        } else {
          expect(executions.get(n) ?? body.executionId).toBe(body.executionId);
          executions.set(n, body.executionId);
        }
      }
      return again;
    };
    let left = await round(wanted);
    expect(refused).toBeGreaterThan(0);
    const started = async () => {
      const rows = await triggers.db.query<{ input: { n: number } }>(
        "select input from workflow_executions where workflow_id = $1",
        [workflowId],
      );
      return rows.map(({ input }) => input.n).sort((a, b) => a - b);
    };
    // Nobody was told yes whose run is not there, nor no whose run is.
    expect(await started()).toEqual([...executions.keys()].sort((a, b) => a - b));
    await triggers.oven.call("PUT", `module-configs/${limited.body.id}`, { value: 1_000_000 });
    for (let rounds = 0; left.length > 0 && rounds < 30; rounds++) left = await round(left);
    expect(left).toEqual([]);
    expect(await started()).toEqual(Array.from({ length: DELIVERIES }, (_, n) => n));
    // A delivery that is still being decided is answered without its run.
    const told = [...executions.values()].filter((executionId) => executionId !== null);
    expect(new Set(told).size).toBe(told.length);
    const [row] = await triggers.db.query<{ count: number }>(
      "select count(*)::int as count from trigger_deliveries where trigger_id = $1 and decision = 'started'",
      [id],
    );
    expect(row?.count).toBe(DELIVERIES);
  });
});
