import { createTestPglite } from "@oven/db/testing";
import { describe, expect, it } from "vitest";
import type { CaseWorker } from "./case-worker.ts";
import { EvalHost } from "./eval-host.ts";

describe("the work on evaluations on an embedded database", () => {
  it("goes on with a run when the claim of a process that has gone ends, though it rests while nothing happens", async () => {
    const db = await createTestPglite();
    const [dataset] = await db.query<{ id: number }>(
      `insert into eval_datasets (tenant_id, name, slug, target_kind, target_id) values (1, 'd', 'd', 'workflow', 1) returning id`,
    );
    await db.query(
      `insert into eval_runs (tenant_id, dataset_id, dataset_slug, target_kind, target_id, target_version, status, mode, concurrency,
         allow_effects, timeout_ms, principal, owner, claimed_until)
       values (1, $1, 'd', 'workflow', 1, 1, 'running', 'live', 1, false, 1000, '{}', 'gone', now() + interval '1 second')`,
      [dataset?.id],
    );
    const host = new EvalHost({ db, cases: {} as CaseWorker }); // cast: the run has no cases left
    // From here on nothing is written: its first look finds nothing to take, and it would rest for a minute.
    host.start();
    const read = "select status from eval_runs";
    await expect.poll(() => db.query(read), { timeout: 4_000 }).toEqual([{ status: "completed" }]);
    await host.stop();
    await db.close();
  });
});
