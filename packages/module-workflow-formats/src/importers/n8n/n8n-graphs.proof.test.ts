import { describe, it } from "vitest";
import { expectSameRuns } from "../../importing/testing/expect-same-runs.ts";
import { expectSoundGraphs } from "../../importing/testing/expect-sound-graphs.ts";
import { graphs } from "./testing/generated-graphs.ts";
import { runs } from "./testing/generated-runs.ts";

describe("generated workflows of n8n", () => {
  it("lose nothing, and become drafts with placeholders as their only problems", () =>
    expectSoundGraphs(graphs, [8_074, 8_157, 15_776, 18_924, 30_730, 32_951, 36_844]));

  it("run as their product says that they run there", () => expectSameRuns(runs));
});
