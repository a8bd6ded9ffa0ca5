import type { TestOven } from "../../../packages/testing/src/index.ts";
import { withOvenAndService } from "./oven-with-service.ts";

export interface MigrationCost {
  /** Of the plan over all runs. */
  planSeconds: number;
  /** From the request to the last moved run, while people decide. */
  moveSeconds: number;
  moved: number;
  skipped: number;
  /** Decisions that were taken while runs moved. */
  decided: number;
  completed: number;
  /** Decisions beyond one for each review. */
  twice: number;
  lost: number;
}

const STARTS_AT_ONCE = 20;
/** Every so many runs are decided while they move. */
const DECIDED_EACH = 20;

/** A step, a question to a person, a step. */
function asks(question: string, last: string): object {
  const input = { title: "Go on?", schema: { type: "object" } };
  return {
    initial: "one",
    states: {
      one: { invoke: { src: "core.transform", input: { mapping: { n: "$.trigger.n" } }, onDone: question } },
      [question]: { invoke: { src: "core.requestInput", input, onDone: last } },
      [last]: { invoke: { src: "core.transform", input: { mapping: { n: "$.one_output.n" } }, onDone: "end" } },
      end: { type: "final", output: `$.${last}_output` },
    },
  };
}

/**
 * Pauses runs at a question, publishes a version in which it has another name, and moves them, while some are answered, twice at once each.
 * Then all are answered.
 */
export async function measureMigration(runs: number, postgresUrl: string): Promise<MigrationCost> {
  return withOvenAndService(postgresUrl, async ({ oven }) => {
    const made = await oven.call("POST", "workflows", { name: "Waits", definition: asks("ask", "two") });
    if (made.status !== 201) throw new Error(JSON.stringify(made.body));
    const path = `workflows/${made.body.id}`;
    for (let first = 0; first < runs; first += STARTS_AT_ONCE) {
      const count = Math.min(STARTS_AT_ONCE, runs - first);
      await Promise.all(
        Array.from({ length: count }, (_, at) =>
          oven.call("POST", `${path}/execute?wait=60`, { input: { n: first + at } }),
        ),
      );
    }
    const definition = asks("question", "three");
    await oven.call("PUT", path, { definition, version: 1 });
    const mapping = { ask: "question" };
    const planned = await timed(() => oven.call("POST", `${path}/migrations/plan`, { mapping }));
    if (planned.value.body.counts?.mapped !== runs) throw new Error(JSON.stringify(planned.value.body));

    const reviews = await openReviews(oven);
    let [decided, twice] = [0, 0];
    const moved = await timed(async () => {
      const begun = await oven.call("POST", `${path}/migrations`, { mapping });
      if (begun.status !== 202) throw new Error(JSON.stringify(begun.body));
      const deciding = (async () => {
        for (const review of reviews.filter((_, index) => index % DECIDED_EACH === 0)) {
          const answers = await Promise.all([answer(oven, review), answer(oven, review)]);
          const taken = answers.filter(Boolean).length;
          [decided, twice] = [decided + Math.min(1, taken), twice + Math.max(0, taken - 1)];
        }
      })();
      while (true) {
        const { body } = await oven.call("GET", `${path}/migrations/${begun.body.id}`);
        if (body.status === "done") {
          await deciding;
          return body;
        }
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
    });
    const left = await openReviews(oven);
    for (let first = 0; first < left.length; first += STARTS_AT_ONCE)
      await Promise.all(left.slice(first, first + STARTS_AT_ONCE).map((review) => answer(oven, review)));
    const completed = await waitForEnds(oven, runs);
    const { counts } = moved.value;
    return {
      planSeconds: planned.seconds,
      moveSeconds: moved.seconds,
      ...{ moved: counts.moved, skipped: counts.skipped, decided, completed, twice, lost: runs - completed },
    };
  });
}

async function openReviews({ db }: TestOven): Promise<number[]> {
  const rows = await db.query<{ id: number }>("select id from reviews where status = 'open' order by id");
  return rows.map(({ id }) => id);
}

async function answer(oven: TestOven, review: number): Promise<boolean> {
  const { status } = await oven.call("POST", `reviews/${review}/decide`, { action: "submit", data: {} });
  return status === 200;
}

/** @returns how many have completed once none goes on any more */
async function waitForEnds({ db }: TestOven, runs: number): Promise<number> {
  for (let looks = 0; ; looks += 1) {
    const [row] = await db.query<{ ended: number; completed: number }>(
      `select count(*) filter (where status in ('completed', 'failed', 'cancelled'))::int as ended,
         count(*) filter (where status = 'completed')::int as completed from workflow_executions`,
    );
    if (row?.ended === runs || looks > 600) return row?.completed ?? 0;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function timed<T>(work: () => Promise<T>): Promise<{ value: T; seconds: number }> {
  const startedAt = performance.now();
  const value = await work();
  return { value, seconds: (performance.now() - startedAt) / 1_000 };
}
