import type { Json, JsonObject } from "@oven/contract";
import { outcomeOf } from "../simulation/outcome.ts";
import type { Case, Shape } from "../simulation/shape.ts";
import { SimulatedWorld } from "../simulation/simulated-world.ts";
import type { Drawn } from "../simulation/to-definition.ts";

/** A run as a release stored it while it waited, and how that release ended it. */
export interface CorpusFile {
  definition: JsonObject;
  /** How nodes behave, by state id. */
  shapes: Record<string, Shape>;
  isParallel: boolean;
  now: number;
  runs: Json[];
  reviews: Json[];
  expected: JsonObject;
}

const CALM = { calm: true, order: [], workers: 1 };

/** Runs a case to where it first waits, and then to its end. */
export async function recordCorpus(given: Pick<Case, "root" | "faults">): Promise<CorpusFile> {
  let waiting: Pick<CorpusFile, "now" | "runs" | "reviews"> | undefined;
  const world = new SimulatedWorld(
    { ...CALM, ...given },
    {
      onRest: ({ store, clock }) => {
        waiting ??= {
          now: clock.now(),
          runs: [...store.runs.values()].map(toJson),
          reviews: [...store.reviews.values()].map(toJson),
        };
      },
    },
  );
  await world.run();
  if (!waiting) throw new Error("the run never waited");
  const { definition, shapes, isParallel } = world.drawn;
  return { definition, shapes: Object.fromEntries(shapes), isParallel, ...waiting, expected: await outcomeOf(world) };
}

/** Takes a stored run up with the engine as it is now; answers how it ended. @throws Violation */
export async function resumeCorpus(file: CorpusFile): Promise<JsonObject> {
  const { definition, isParallel, now } = file;
  const drawn: Drawn = { definition, isParallel, shapes: new Map(Object.entries(file.shapes)) };
  const world = new SimulatedWorld({ ...CALM, root: [], faults: [] }, { drawn, now });
  const { store } = world;
  for (const stored of file.runs) {
    const run = stored as unknown as ReturnType<typeof store.run>; // cast: as a store of that release wrote it
    store.runs.set(run.id, { ...run, signalKeys: new Set(run.signalKeys) });
  }
  for (const stored of file.reviews) {
    const review = stored as unknown as Parameters<typeof store.reviews.set>[1]; // cast: as above
    store.reviews.set(review.id, review);
  }
  // Ids go on where they were.
  await store.ids.executions(Math.max(...store.runs.keys()));
  for (let id = 0; id < Math.max(0, ...store.reviews.keys()); id += 1) await store.ids.review();
  await world.goOn();
  return outcomeOf(world);
}

function toJson(value: object): Json {
  return JSON.parse(
    JSON.stringify(value, (_key, member: unknown) => (member instanceof Set ? [...member] : member)),
  ) as Json; // cast: what JSON.parse gives
}
