import type { TestOven } from "../../../packages/testing/src/index.ts";
import { withOvenAndService } from "./oven-with-service.ts";

export interface RehearsalCost {
  name: string;
  seconds: number;
  /** Runs by verdict. */
  counts: Record<string, number>;
}

const PAIRS = 10;
const STARTS_AT_ONCE = 20;

/** Ten calls of a service, each with a step that computes behind it; the last one decides. */
function chain(origin: string, limit: number, label: string): object {
  const states: Record<string, object> = {};
  for (let step = 0; step < PAIRS; step += 1) {
    const next = step === PAIRS - 1 ? undefined : `call${step + 1}`;
    states[`call${step}`] = {
      label: `${label} ${step}`,
      invoke: { src: "core.http", input: { url: `${origin}/${step}/{{$.trigger.n}}` }, onDone: `shape${step}` },
    };
    states[`shape${step}`] = {
      invoke: {
        src: "core.transform",
        input: { mapping: { n: `$.call${step}_output.body.n` } },
        onDone: next ?? [
          { target: "large", guard: { type: "cel", params: { expression: `output.n > ${limit}.0` } } },
          "small",
        ],
      },
    };
  }
  states.large = { type: "final", outcome: "large" };
  states.small = { type: "final", outcome: "small" };
  return { initial: "call0", states };
}

/**
 * Records runs of 20 steps on PostgreSQL and goes through them on three definitions: the same, one with other labels, and one that decides
 * every tenth run otherwise.
 * @throws Error when a run does not complete
 */
export async function measureRehearsals(runs: number, postgresUrl: string): Promise<RehearsalCost[]> {
  return withOvenAndService(postgresUrl, async ({ oven, origin }) => {
    const made = await oven.call("POST", "workflows", { name: "Recorded", definition: chain(origin, 100, "Step") });
    const path = `workflows/${made.body.id}`;
    for (let first = 0; first < runs; first += STARTS_AT_ONCE) {
      await Promise.all(
        Array.from({ length: Math.min(STARTS_AT_ONCE, runs - first) }, async (_, at) => {
          const answer = await oven.call("POST", `${path}/execute?wait=60`, { input: { n: (first + at) % 10 } });
          if (answer.body.status !== "completed") throw new Error(JSON.stringify(answer.body));
        }),
      );
    }
    return [
      await measure(oven, path, "the same definition", chain(origin, 100, "Step")),
      await measure(oven, path, "other labels", chain(origin, 100, "Renamed")),
      await measure(oven, path, "another limit", chain(origin, 8, "Step")),
    ];
  });
}

async function measure(oven: TestOven, path: string, name: string, definition: object): Promise<RehearsalCost> {
  const startedAt = performance.now();
  const counts: Record<string, number> = {};
  for (let before: number | undefined; ; ) {
    const body = { definition, limit: 200, ...(before === undefined ? {} : { before }) };
    const answer = await oven.call("POST", `${path}/rehearse`, body);
    if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
    for (const [verdict, count] of Object.entries<number>(answer.body.counts))
      counts[verdict] = (counts[verdict] ?? 0) + count;
    if (answer.body.next === null) break;
    before = answer.body.next;
  }
  return { name, seconds: (performance.now() - startedAt) / 1_000, counts };
}
