import { rmSync } from "node:fs";
import { createTestDataDir } from "../../../packages/db/src/testing.ts";
import { CALLS_PER_RUN, CHAOS_DEFINITION } from "./chaos-definition.ts";
import { startChaosServer } from "./chaos-server.ts";
import { startLedger } from "./effect-ledger.ts";
import { seededRandom } from "./random.ts";

/** Cancels runs at random moments: what was cancelled calls nothing any more, and is cancelled for good. */
export async function cancelCampaign(runs: number, seed: number): Promise<{ cancelled: number; problems: string[] }> {
  const random = seededRandom(seed);
  const ledger = await startLedger();
  const dataDir = createTestDataDir("oven-cancel-");
  const server = await startChaosServer({ CHAOS_LEDGER_URL: ledger.url, OVEN_DATA_DIR: dataDir });
  const problems: string[] = [];
  let cancelled = 0;
  try {
    const made = await server.call("POST", "workflows", { name: "Chaos", definition: CHAOS_DEFINITION });
    for (let index = 0; index < runs; index += 1) {
      const at = Math.floor(random() * CALLS_PER_RUN);
      const reached = Promise.withResolvers<void>();
      let calls = 0;
      ledger.onEffect = async () => {
        calls += 1;
        if (calls >= at) reached.resolve();
      };
      const { body: run } = await server.call("POST", `workflows/${made.body.id}/execute`, {});
      if (at === 0) reached.resolve();
      const paused = server.call("POST", `workflows/${made.body.id}/execute?wait=1`, {});
      await Promise.race([reached.promise, paused]);
      const { status, body } = await server.call("POST", `workflow-executions/${run.id}/cancel`, {});
      const after = ledger.effects.length;
      if (status !== 200 || body.status !== "cancelled")
        problems.push(`cancelling ${run.id} was answered ${status}, ${body.status}`);
      else cancelled += 1;
      const { body: other } = await paused;
      await server.call("POST", `workflow-executions/${other.id}/cancel`, {});
      const late = ledger.effects.slice(after).filter(({ executionId }) => executionId === run.id);
      if (late.length > 0) problems.push(`${run.id} called ${late[0]?.nodeId} after it was cancelled`);
      const { body: shown } = await server.call("GET", `workflow-executions/${run.id}`);
      if (shown.status !== "cancelled") problems.push(`${run.id} was cancelled and is ${shown.status}`);
      const open = shown.nodes.filter(
        ({ status: node }: { status: string }) => node === "running" || node === "paused",
      );
      if (open.length > 0) problems.push(`${run.id} was cancelled and has ${open.length} open rows`);
    }
    return { cancelled, problems };
  } finally {
    server.signal("SIGKILL");
    await server.exited;
    await ledger.close();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
