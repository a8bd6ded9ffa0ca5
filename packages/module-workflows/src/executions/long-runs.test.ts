import { RunExportSchema } from "@oven/contract/run";
import { type TestDatabase, testDatabases } from "@oven/db/testing";
import { createRuntime, createSystemModule } from "@oven/module-registry";
import { createRolesModule } from "@oven/module-roles";
import { startTestOven, type TestOven } from "@oven/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createWorkflowsModule } from "../workflows.module.ts";

const STEPS = 1_100;
/** Counts to `times`, one node run each; each answers `text` beside the number. */
const counting = (times: number, text: string) => ({
  initial: "count",
  maxSteps: times + 10,
  context: { n: 0 },
  states: {
    count: {
      invoke: {
        src: "core.transform",
        input: { mapping: { next: { $cel: "ctx.n + 1" }, text } },
        onDone: [
          {
            target: "count",
            guard: { type: "cel", params: { expression: `output.next < ${times}` } },
            actions: [{ type: "assign", params: { path: "$.n", add: 1 } }],
            reenter: true,
          },
          { target: "done" },
        ],
      },
    },
    done: { type: "final", output: "$.count_output.next" },
  },
});

describe.each(testDatabases(inject("postgresUrl")))("a run of many steps on $name", ({ open }) => {
  let test: TestDatabase;
  let oven: TestOven;
  let long: string;
  let large: string;
  beforeAll(async () => {
    test = await open();
    const modules = [createSystemModule(), createRolesModule(), createWorkflowsModule()];
    oven = await startTestOven({ createRuntime, db: test.db, modules });
    long = await run(counting(STEPS, ""), {});
    large = await run(counting(30, "{{ $.trigger.text }}"), { text: "x".repeat(300_000) });
  });
  afterAll(async () => {
    await oven.stop();
    await test.close();
  });

  let count = 0;
  async function run(definition: object, input: object): Promise<string> {
    count += 1;
    const made = await oven.call("POST", "workflows", { name: `Long ${count}`, definition });
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    const { body } = await oven.call("POST", `workflows/${made.body.id}/execute?wait=60`, { input });
    expect(body.status, JSON.stringify(body).slice(0, 500)).toBe("completed");
    return `workflow-executions/${body.id}`;
  }
  const list = async (path: string, range?: [number, number]) => {
    const query = range === undefined ? "" : `?range=${JSON.stringify(range)}`;
    const { status, body, headers } = await oven.call("GET", `${path}${query}`);
    expect(status, JSON.stringify(body).slice(0, 300)).toBe(200);
    return { rows: body, shown: headers.get("content-range"), size: JSON.stringify(body).length };
  };

  it("answers its node runs by range, and no more than a thousand without one", async () => {
    const page = await list(`${long}/nodes`, [10, 14]);
    expect(page.rows.map(({ visit }: { visit: number }) => visit)).toEqual([11, 12, 13, 14, 15]);
    expect(page.shown).toBe(`nodes 10-14/${STEPS}`);
    expect((await list(`${long}/nodes`)).shown).toBe(`nodes 0-999/${STEPS}`);
    expect((await list(`${long}/nodes`, [0, 9_999])).rows).toHaveLength(1_000);
    const rest = await list(`${long}/nodes`, [1_000, 1_999]);
    expect([rest.rows.length, rest.shown]).toEqual([100, `nodes 1000-1099/${STEPS}`]);
    expect((await list(`${long}/nodes`, [2_000, 2_010])).shown).toBe(`nodes */${STEPS}`);
    expect((await oven.call("GET", `${long}/nodes?range=[5,1]`)).body.error.code).toBe("INVALID_LIST_QUERY");
  });

  it("answers its checkpoints by range, and no more than a thousand without one", async () => {
    const { rows, shown } = await list(`${long}/checkpoints`);
    expect(rows).toHaveLength(1_000);
    const total = Number(shown?.split("/")[1]);
    expect(total).toBeGreaterThanOrEqual(STEPS);
    const rest = await list(`${long}/checkpoints`, [1_000, 1_999]);
    expect(rest.rows).toHaveLength(total - 1_000);
    expect(rest.rows.at(-1)).toMatchObject({ end: "completed", steps: STEPS });
    expect((await list(`${long}/checkpoints`, [7, 9])).rows).toEqual(rows.slice(7, 10));
  });

  it("shows the newest of its node runs in its row, and how many there are", async () => {
    const { body } = await oven.call("GET", long);
    expect(body.nodesTotal).toBe(STEPS);
    expect(body.nodes.map(({ visit }: { visit: number }) => visit)).toEqual(
      Array.from({ length: 1_000 }, (_, index) => index + 101),
    );
  });

  it("ends an answer where it becomes too large, and goes on from there", async () => {
    const visits: number[] = [];
    let pages = 0;
    while (visits.length < 30) {
      const { rows, size } = await list(`${large}/nodes`, [visits.length, 999]);
      expect(size).toBeLessThan(2_500_000);
      expect(rows.length).toBeGreaterThan(0);
      visits.push(...rows.map(({ visit }: { visit: number }) => visit));
      pages += 1;
    }
    expect(visits).toEqual(Array.from({ length: 30 }, (_, index) => index + 1));
    expect(pages).toBeGreaterThan(1);
    const { body } = await oven.call("GET", large);
    expect(body.nodesTotal).toBe(30);
    expect(body.nodes.at(-1)).toMatchObject({ visit: 30 });
    expect(JSON.stringify(body).length).toBeLessThan(3_500_000);
  });

  it("goes through it again, and exports all of it", async () => {
    const replayed = await oven.call("POST", `${long}/replay`, {});
    expect(replayed.body).toMatchObject({ same: true, divergence: null });
    const exported = await oven.fetch(`${long}/export`);
    const { runs } = RunExportSchema.parse(await exported.json());
    const [whole] = runs;
    expect(whole?.execution.nodes).toHaveLength(STEPS);
    expect(whole?.execution.nodesTotal).toBeUndefined();
    expect(whole?.log.map(({ seq }) => seq)).toEqual(whole?.log.map((_, index) => index + 1));
  });

  it("counts what a retry took over among its node runs", async () => {
    const [first] = (await list(`${long}/checkpoints`, [1_000, 1_000])).rows;
    const forked = await oven.call("POST", `${long}/fork`, { checkpoint: first.seq });
    expect(forked.status).toBe(202);
    const path = `workflow-executions/${forked.body.id}`;
    await expect.poll(async () => (await oven.call("GET", path)).body.status, { interval: 100 }).toBe("completed");
    const { rows, shown } = await list(`${path}/nodes`, [995, 1_999]);
    expect(shown).toBe(`nodes 995-1099/${STEPS}`);
    expect(rows.map(({ visit }: { visit: number }) => visit)).toEqual(
      Array.from({ length: 105 }, (_, index) => index + 996),
    );
    expect(new Set(rows.map(({ executionId }: { executionId: number }) => executionId)).size).toBe(2);
  });
});
