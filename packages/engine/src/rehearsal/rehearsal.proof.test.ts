import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { compileDefinition } from "../compile/compile-definition.ts";
import { outlineOf } from "../compile/loop-part.ts";
import { initialContext } from "../plan/context.ts";
import { cases } from "../testing/simulation/shape.ts";
import { simulatedCatalog } from "../testing/simulation/simulated-nodes.ts";
import { SimulatedWorld } from "../testing/simulation/simulated-world.ts";
import { validateDefinition } from "../validate/validate-definition.ts";
import { compareJourneys } from "./compare-journeys.ts";
import { type RunReading, readRecordedRun } from "./recorded-run.ts";
import { rehearse } from "./rehearse.ts";

const SEEDS = 60;

/** One random run with random faults, and what its rehearsal on the same definition comes to. */
async function rehearseSeed(seed: number): Promise<unknown> {
  const [given] = fc.sample(cases, { seed, numRuns: 1 });
  if (!given) throw new Error("no case was drawn");
  const world = new SimulatedWorld(given);
  await world.run();
  const catalog = simulatedCatalog();
  const { definition } = validateDefinition(world.drawn.definition, catalog);
  if (!definition) throw new Error("the definition is not valid");
  const compile = (part: string | null) => compileDefinition(definition, catalog, { part });
  const read = async (id: number): Promise<RunReading> => {
    const record = await world.store.read(id);
    if (!record) throw new Error(`no run ${id}`);
    const history = await world.store.history(id, record.seq);
    return { record, compiled: compile(record.part), ...(await world.bases.of(record)), history };
  };
  const reading = await read(world.runId);
  if (!["completed", "failed", "cancelled"].includes(reading.record.status)) return "open";
  const recorded = await readRecordedRun(reading, catalog, read);
  const nothing = (): never => {
    throw new Error("a node was called");
  };
  const rehearsed = await rehearse(
    {
      catalog,
      nodes: { run: nothing, resume: nothing, runItem: nothing },
      content: undefined,
      workflowName: "Simulated",
      compile: async (part) => ({ compiled: compile(part), outline: outlineOf(definition, part) }),
    },
    recorded,
    initialContext(reading.compiled.variables, reading.record.input),
  );
  const { verdict, unknown, end, calls, steps } = compareJourneys(recorded.journey, rehearsed);
  return verdict === "same" ? "same" : { seed, verdict, unknown, end, calls, steps };
}

describe("a rehearsal on the definition that was recorded", () => {
  it(`comes out the same for ${SEEDS} random runs with random faults`, async () => {
    const different: unknown[] = [];
    let same = 0;
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      const came = await rehearseSeed(seed);
      if (came === "same") same += 1;
      else if (came !== "open") different.push(came);
    }
    expect(different).toEqual([]);
    expect(same).toBeGreaterThan(SEEDS / 2);
  });
});
