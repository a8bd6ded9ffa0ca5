import type { RunEvent } from "@oven/contract/run";
import { describe, expect, it } from "vitest";
import { foldRunEvent, type LiveRun, NOTHING_YET, toOpenTexts } from "./fold-run-events.ts";

type Event = { event: RunEvent["event"]; [key: string]: unknown };

function fold(events: readonly Event[], from: LiveRun = NOTHING_YET): LiveRun {
  return events.reduce<LiveRun>(
    (live, event, index) =>
      foldRunEvent(live, { seq: from.lastSeq + index + 1, executionId: 1, at: "2026-03-10T12:00:00Z", ...event }),
    from,
  );
}

const started = (nodeId: string, more: object = {}): Event => ({
  event: "node.started",
  nodeId,
  nodeType: "agent.llm",
  visit: 1,
  attempt: 1,
  ...more,
});
const delta = (text: string, offset: number, more: object = {}): Event => ({
  event: "text.delta",
  nodeId: "draft.llm",
  visit: 1,
  attempt: 1,
  partId: "p",
  offset,
  text,
  ...more,
});

describe("the live state of a run", () => {
  it("holds the nodes that have started and not ended", () => {
    const live = fold([
      started("prompt"),
      started("draft.llm"),
      { event: "node.completed", nodeId: "prompt", visit: 1 },
    ]);
    expect(Object.values(live.nodes).map((node) => node.nodeId)).toEqual(["draft.llm"]);
  });

  it.each(["node.failed", "node.cancelled", "node.paused"] as const)("takes a node off at %s", (event) => {
    expect(fold([started("a"), { event, nodeId: "a", visit: 1 }]).nodes).toEqual({});
  });

  it("tells visits and tool calls of one node apart", () => {
    const live = fold([
      started("a", { item: "c1" }),
      started("a", { item: "c2" }),
      started("a", { visit: 2 }),
      { event: "node.completed", nodeId: "a", visit: 1, item: "c1" },
    ]);
    expect(Object.values(live.nodes).map(({ visit, item }) => [visit, item])).toEqual([
      [1, "c2"],
      [2, null],
    ]);
  });

  it("writes text at its offset, so that a repeated piece changes nothing", () => {
    const live = fold([delta("Hel", 0), delta("lo", 3), delta("lo", 3)]);
    expect(Object.values(live.texts).map((part) => part.text)).toEqual(["Hello"]);
  });

  it("drops the text of a failed attempt", () => {
    const live = fold([
      delta("bad", 0),
      delta("good", 0, { attempt: 2 }),
      { event: "text.discarded", nodeId: "draft.llm", visit: 1, attempt: 1 },
    ]);
    expect(Object.values(live.texts).map((part) => part.text)).toEqual(["good"]);
  });

  it("ignores events it has seen", () => {
    const live = fold([started("a")]);
    expect(foldRunEvent(live, { seq: 1, executionId: 1, at: "", event: "end" })).toBe(live);
  });

  it("keeps a log without the pieces of text", () => {
    const live = fold([started("a"), delta("x", 0), { event: "log", message: "m" }]);
    expect(live.events.map((event) => event.event)).toEqual(["node.started", "log"]);
    expect(live.lastSeq).toBe(3);
  });

  it("knows the end", () => {
    expect(fold([started("a"), { event: "end" }])).toMatchObject({ ended: true, nodes: {} });
    expect(fold([started("a"), { event: "execution.cancelled" }]).nodes).toEqual({});
  });
});

describe("text still being written", () => {
  const live = fold([delta("Hello", 0)]);
  it("is shown until its node has a finished row", () => {
    const row = { nodeId: "draft.llm", visit: 1, attempt: 1 };
    expect(toOpenTexts(live, []).map((part) => part.text)).toEqual(["Hello"]);
    expect(toOpenTexts(live, [{ ...row, status: "running" }])).toHaveLength(1);
    expect(toOpenTexts(live, [{ ...row, status: "completed" }])).toEqual([]);
    expect(toOpenTexts(live, [{ ...row, visit: 2, status: "completed" }])).toHaveLength(1);
  });
});
