import { percentile } from "./figures.ts";
import { withOvenAndService } from "./oven-with-service.ts";

/** Steps after the review: half of them call a service. */
const STEPS = 50;
const EARLIER_RUNS = 50;

export interface ConsequenceCost {
  /** Milliseconds of one request for all buttons of a review. */
  p50Ms: number;
  p95Ms: number;
  /** Steps that were foreseen for the approval. */
  foreseen: number;
  /** Calls that the service got meanwhile: none. */
  calls: number;
}

function approved(origin: string): object {
  const states: Record<string, object> = {
    ask: {
      invoke: {
        src: "agent.humanReview",
        input: { title: "Go on?", show: "$.trigger.n" },
        onDone: "shape0",
      },
    },
    done: { type: "final" },
  };
  for (let step = 0; step < STEPS / 2; step += 1) {
    const next = step === STEPS / 2 - 1 ? "done" : `shape${step + 1}`;
    states[`shape${step}`] = {
      invoke: { src: "core.transform", input: { mapping: { n: "$.trigger.n" } }, onDone: `call${step}` },
    };
    states[`call${step}`] = {
      invoke: {
        src: "core.http",
        input: { url: `${origin}/${step}/{{$.shape${step}_output.n}}`, method: "POST" },
        onDone: next,
      },
    };
  }
  return { initial: "ask", states };
}

/** What the consequences of a review cost with fifty steps behind it, half of them calls whose answers were recorded. */
export async function measureConsequences(requests: number, postgresUrl: string): Promise<ConsequenceCost> {
  return withOvenAndService(postgresUrl, async ({ oven, origin, asked }) => {
    const { body: workflow } = await oven.call("POST", "agent-workflows", {
      name: "Reviewed",
      definition: approved(origin),
    });
    const path = `agent-workflows/${workflow.id}/execute?wait=60`;
    const pause = async (): Promise<{ id: number; digest: string }> => {
      const { body: run } = await oven.call("POST", path, { input: { n: 7 } });
      const { body } = await oven.call("GET", `reviews?filter={"executionId":${run.id},"status":"open"}`);
      return body[0];
    };
    for (let run = 0; run < EARLIER_RUNS; run += 1) {
      const { id, digest } = await pause();
      const { status } = await oven.call("POST", `reviews/${id}/decide`, { action: "approve", digest });
      if (status !== 200) throw new Error(`a decision was answered with ${status}`);
    }
    const list = 'agent-workflow-executions?filter={"status":"completed"}&range=[0,99]';
    while ((await oven.call("GET", list)).body.length < EARLIER_RUNS)
      await new Promise((resolve) => setTimeout(resolve, 50));
    const { id } = await pause();
    const before = asked();
    const times: number[] = [];
    let foreseen = 0;
    for (let request = 0; request < requests; request += 1) {
      const startedAt = performance.now();
      const { status, body } = await oven.call("GET", `reviews/${id}/consequences`);
      times.push(performance.now() - startedAt);
      if (status !== 200) throw new Error(JSON.stringify(body));
      foreseen = body.consequences[0].steps.length;
    }
    return { p50Ms: percentile(times, 0.5), p95Ms: percentile(times, 0.95), foreseen, calls: asked() - before };
  });
}
