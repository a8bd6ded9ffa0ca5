import type { Json } from "@oven/contract";
import type { RunReading } from "../../rehearsal/recorded-run.ts";
import { RunBases } from "../../run/run-base.ts";
import type { EngineHarness } from "../../testing/engine-harness.ts";
import { type CameTrue, cameTrue } from "../came-true.ts";
import { type Followed, readUpTo } from "../follow.ts";
import { type AskedCall, type Forecast, forecast } from "../forecast.ts";

/** What a call is taken to answer; undefined: nothing is known. */
export type Answer = (call: AskedCall) => Json | undefined;

interface Asked {
  id: number;
  reviewId: number;
  action: string;
  /** What is released; left out: what is proposed. */
  data?: Json;
  answer: Answer;
}

/** What follows a decision in a run of the harness, and what came of it where it was decided. */
export async function forecastOf(
  harness: EngineHarness,
  { id, reviewId, action, data, answer }: Asked,
): Promise<{ forecast: Forecast; followed: Followed | undefined; came: { steps: CameTrue[]; end: CameTrue } | null }> {
  const { nodes, source, store, clock } = harness;
  const bases = new RunBases(store, source);
  const read = async (runId: number): Promise<RunReading> => {
    const record = await store.read(runId);
    if (record === undefined) throw new Error(`no run ${runId}`);
    const { compiled } = await source.load(record);
    return { record, compiled, ...(await bases.of(record)), history: await store.history(runId, record.seq) };
  };
  const reading = await read(id);
  const open = store.reviews.get(reviewId)?.open;
  if (open === undefined) throw new Error(`no review ${reviewId}`);
  const { paused, followed } = await readUpTo(reading, nodes, reviewId, read);
  const { nodeId, visit, item, request } = open;
  const at = followed === undefined ? clock.now() : paused.at;
  const decision = {
    ...{ reviewId, nodeId, visit, item, action, data: data ?? request.proposal, reason: null, reviewer: null },
    decidedAt: new Date(at).toISOString(),
  };
  const { workflowId } = reading.record;
  const world = {
    catalog: nodes,
    nodes,
    content: undefined,
    workflowName: "Test",
    compile: async (part: string | null) => ({
      compiled: (await source.load({ ...reading.record, part })).compiled,
      outline: await source.outline("workflow", workflowId, 1, part),
    }),
    answer: async (call: AskedCall) => {
      const output = answer(call);
      return output === undefined ? undefined : { origin: "recorded" as const, result: { output } };
    },
  };
  const made = await forecast(world, { ...paused, event: { type: "decision", decision }, at });
  return { forecast: made, followed, came: followed === undefined ? null : cameTrue(made, followed) };
}
