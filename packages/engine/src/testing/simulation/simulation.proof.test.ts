import { describe, expect, it } from "vitest";
import { simulateSeed, toReport } from "./simulate.ts";

/** The first of those that `pnpm simulate` goes through. */
const SEEDS = 340;
/** Files of one run share two cores; each part is a test of its own so that one that hangs is named. */
const PARTS = 4;

describe("random definitions with random faults", () => {
  it.each(Array.from({ length: PARTS }, (_, part) => 1 + (part * SEEDS) / PARTS))(
    "keep what is promised, and calm ones end as they do without faults, from seed %i on",
    async (from) => {
      const reports: string[] = [];
      for (let seed = from; seed < from + SEEDS / PARTS; seed += 1) {
        const failure = await simulateSeed(seed);
        if (!failure) continue;
        reports.push(toReport(failure));
        break;
      }
      expect(reports).toEqual([]);
    },
  );
});
