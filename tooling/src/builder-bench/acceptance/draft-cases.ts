import type { DraftCase } from "../../../../packages/contract/src/doors/workflow.ts";
import type { Json, JsonObject } from "../../../../packages/contract/src/index.ts";
import { indexStates } from "../../../../packages/scope/src/index.ts";
import type { TestOven } from "../../../../packages/testing/src/index.ts";
import type { AcceptanceCase, BenchTask } from "../task.ts";
import type { OutsideServices } from "./outside-services.ts";
import type { RunPlayer } from "./run-player.ts";
import { shortenDurations } from "./shorten-durations.ts";
import { must } from "./world.ts";

/*
 * Scripted models know the solution; this is how they know the test cases that belong to it. The reference really runs, the answers of what a dry run
 * does not do are pinned, and what the dry run comes to is what the case expects.
 */

/** What a dry run answers with an example or an approval. */
const PINNED = /^(agent\.(llm|humanReview)|core\.(http|callWorkflow|waitForEvent|requestInput)|tables\.\w+)$/;

interface Stage {
  oven: TestOven;
  player: RunPlayer;
  services: OutsideServices;
  publish(definition: JsonObject): Promise<number>;
  /** What models know from now on. */
  use(one: AcceptanceCase): void;
}

/** @throws Error where no case of the task can be tried without effect */
export async function writeDraftCases({ id, cases, reference }: BenchTask, stage: Stage): Promise<DraftCase[]> {
  const { oven, player, services } = stage;
  const normal = await stage.publish(reference);
  const fast = cases.some(({ late }) => late) ? await stage.publish(shortenDurations(reference)) : normal;
  const written: DraftCase[] = [];
  for (const one of cases.filter(({ expect }) => expect.status !== "failed")) {
    stage.use(one);
    services.begin(one.services);
    await player.fillTables(one.rows ?? {});
    const real = await player.play(one.late ? fast : normal, one);
    if (real.status !== "completed") continue;
    const pins = await pinsOf(oven, real.runId, reference);
    const dry = await must(oven, "POST", `agent-workflows/${normal}/draft/execute?wait=30`, {
      ...{ input: one.input, pins, dryRun: true, revision: 0 },
    });
    if (dry.status !== "completed" || dry.outcome !== real.outcome) continue;
    const { outcome, output } = dry;
    const expect = { status: "completed" as const, output, ...(outcome === null ? {} : { outcome }) };
    written.push({ name: one.name, input: one.input, pins, expect });
  }
  if (written.length === 0) throw new Error(`No case of ${id} can be tried without effect`);
  return written;
}

/** The last output of each step, also within loops. */
async function pinsOf(oven: TestOven, runId: number | null, definition: JsonObject): Promise<Record<string, Json>> {
  const { byId } = indexStates(definition);
  const rows = await oven.db.query<{ id: string; type: string; output: Json }>(
    `select n.node_id as id, n.node_type as type, n.output from agent_workflow_node_executions n
     join agent_workflow_executions e on e.id = n.execution_id where coalesce(e.root_id, e.id) = $1 and n.output is not null order by n.id`,
    [runId],
  );
  return Object.fromEntries(
    rows.filter(({ id, type }) => PINNED.test(type) && byId.has(id)).map(({ id, output }) => [id, output]),
  );
}
