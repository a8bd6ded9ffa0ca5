import { connectDatabase, type Database } from "../../../packages/db/src/index.ts";
import { createTestPglite } from "../../../packages/db/src/testing.ts";
import { installedModules } from "../../../packages/installation/src/index.ts";
import { createRuntime } from "../../../packages/module-registry/src/index.ts";
import { startTestOven, type TestOven } from "../../../packages/testing/src/index.ts";

export interface ListCost {
  name: string;
  /** The middle one of five, total included. */
  milliseconds: number;
  total: number;
}

const LISTS: readonly [name: string, filter: object, sort?: [string, string], first?: number][] = [
  ["newest", {}],
  ["far down", {}, ["id", "DESC"], 50_000],
  ["of one workflow", { agentWorkflowId: 1 }],
  ["failed", { status: "failed" }],
  ["failed, of one workflow", { status: "failed", agentWorkflowId: 1 }],
  ["of one day", { createdAt_gte: "2026-02-01T00:00:00Z", createdAt_lt: "2026-02-02T00:00:00Z" }],
  ["took long", { durationMs_gte: 590_000 }],
  ["dearest", { costMicros_gte: 900_000 }, ["costMicros", "DESC"]],
  ["of one caller", { caller: "user:7" }],
  ["words of the input", { input: "order 4711" }],
];

/** What the home page asks for. */
const SUMS: readonly [name: string, path: string][] = [
  ["sums by day, a week", "stats?by=day&days=7"],
  ["sums by day, a year", "stats?by=day&days=366"],
  ["sums by workflow, a month", "stats?by=workflow&days=30"],
];

/** Runs of ten workflows over a year, every tenth failed, every third with a child; then each list, five times. */
export async function measureLists(runs: number, postgresUrl?: string): Promise<ListCost[]> {
  const db =
    postgresUrl === undefined ? await createTestPglite() : await connectDatabase({ dataDir: "", url: postgresUrl });
  const oven = await startTestOven({ createRuntime, db, modules: installedModules({ demo: false }) });
  try {
    const definition = { initial: "done", states: { done: { type: "final" } } };
    const workflows: number[] = [];
    for (let count = 0; count < 10; count += 1) {
      const { body } = await oven.call("POST", "agent-workflows", { name: `Listed ${count}`, definition });
      workflows.push(body.id);
    }
    await seed(db, runs, workflows);
    const costs: ListCost[] = [];
    for (const [name, filter, sort = ["id", "DESC"], first = 0] of LISTS) {
      const query = new URLSearchParams({
        filter: JSON.stringify({
          ...filter,
          ...("agentWorkflowId" in filter ? { agentWorkflowId: workflows[0] } : {}),
        }),
        sort: JSON.stringify(sort),
        range: JSON.stringify([first, first + 24]),
      });
      costs.push({ name, ...(await measure(oven, `agent-workflow-executions?${query}`)) });
    }
    for (const [name, path] of SUMS) {
      costs.push({ name, ...(await measure(oven, `agent-workflow-executions/${path}`)) });
    }
    return costs;
  } finally {
    await oven.stop();
    await db.close();
  }
}

/** The middle one of five times. */
async function measure(oven: TestOven, path: string): Promise<Pick<ListCost, "milliseconds" | "total">> {
  const times: number[] = [];
  let total = 0;
  for (let attempt = 0; attempt < 5; attempt += 1) {
    const before = performance.now();
    const { status, headers, body } = await oven.call("GET", path);
    times.push(performance.now() - before);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    total = Number(headers.get("content-range")?.split("/")[1] ?? body.length);
  }
  return { milliseconds: times.toSorted((a, b) => a - b)[2] ?? Number.NaN, total };
}

async function seed(db: Database, runs: number, workflows: readonly number[]): Promise<void> {
  await db.system.query(
    `insert into agent_workflow_executions
       (tenant_id, agent_workflow_id, workflow_version, parent_id, depth, triggered_by, principal, input, output, context, state,
        status, current_state, error, cost_micros, created_at, started_at, completed_at)
     select 1, ($2::bigint[])[1 + n % 10], 1, case when n % 4 = 3 then n - 1 end, case when n % 4 = 3 then 1 else 0 end,
       json_build_object('kind', 'user', 'id', 1 + n % 50), '{}',
       json_build_object('message', 'Where is my order ' || n || '? ' || repeat('x', 300)),
       json_build_object('reply', repeat('y', 600)), json_build_object('text', repeat('z', 1500)), 'null',
       case when n % 10 = 0 then 'failed' else 'completed' end, 'done', case when n % 10 = 0 then 'It did not work' end,
       n * 10, t.at, t.at, t.at + make_interval(secs => n % 600)
     from generate_series(1, $1::int) n, lateral (select '2026-01-01T00:00:00Z'::timestamptz + make_interval(mins => (n::bigint * 525600 / $1::int)::int)) t(at)`,
    [runs, workflows],
    "seed-runs",
  );
  await db.system.query("vacuum analyze agent_workflow_executions", [], "analyze-runs");
}
