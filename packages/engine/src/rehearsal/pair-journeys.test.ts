import type { Json } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { type Journey, type JourneyUnit, noJourney } from "./journey.ts";
import { pairJourneys } from "./pair-journeys.ts";
import type { Unknown } from "./rehearse.ts";

const unit = (nodeId: string, more: Partial<JourneyUnit> = {}): JourneyUnit => ({
  ...{ within: [], nodeId, visit: 1, item: null, src: "step", input: {}, output: nodeId as Json },
  ...{ status: "completed", error: null, isLive: false, tokens: 0, costMicros: 0, durationMs: 1 },
  ...more,
});
const journey = (...units: JourneyUnit[]): Journey => ({ ...noJourney(), units });
const pairs = (was: Journey, is: Journey, unknown: Unknown | null = null) =>
  pairJourneys(was, { journey: is, unknown }).map((pair) => [
    (pair.was ?? pair.is)?.nodeId,
    pair.change,
    pair.differs.join(" "),
  ]);

describe("two journeys beside each other", () => {
  it("come in the order of the first, and what only the second has where it did it", () => {
    const was = journey(unit("a"), unit("b"), unit("c"));
    expect(pairs(was, journey(unit("first"), unit("a"), unit("x"), unit("y"), unit("c")))).toEqual([
      ["first", "added", ""],
      ["a", "same", ""],
      ["x", "added", ""],
      ["y", "added", ""],
      ["b", "missing", ""],
      ["c", "same", ""],
    ]);
  });

  it("say what differs of a step that both have", () => {
    const error = { code: "NO", message: "no", nodeId: "d" } as JourneyUnit["error"]; // cast: all that is compared
    const was = journey(unit("a"), unit("b"), unit("c"), unit("d"), unit("e"));
    const is = journey(
      unit("a", { input: { n: 1 } }),
      unit("b", { output: "other" }),
      unit("c", { src: "ask" }),
      unit("d", { status: "failed", error }),
      unit("e", { durationMs: 900, costMicros: 5 }),
    );
    expect(pairs(was, is)).toEqual([
      ["a", "changed", "input"],
      ["b", "changed", "output"],
      ["c", "changed", "type"],
      ["d", "changed", "end"],
      ["e", "same", ""],
    ]);
  });

  it("do not know what comes behind an answer that was not recorded", () => {
    const was = journey(unit("a"), unit("b"), unit("c"));
    const is = journey(unit("a"), unit("b", { status: "running", output: null, input: { n: 1 } }));
    expect(pairs(was, is, { reason: "new-call", nodeId: "b" })).toEqual([
      ["a", "same", ""],
      ["b", "unknown", "input"],
      ["c", "unknown", ""],
    ]);
  });

  it("tell passes of a loop, items and visits apart", () => {
    const many = [unit("a", { within: ["l 1 0"] }), unit("a", { within: ["l 1 1"] }), unit("a", { item: "k" })];
    const was = journey(...many, unit("a", { visit: 2 }));
    expect(pairs(was, journey(...many.slice(1), unit("a", { visit: 2 })))).toEqual([
      ["a", "missing", ""],
      ["a", "same", ""],
      ["a", "same", ""],
      ["a", "same", ""],
    ]);
  });
});
