import type { NodeType } from "@oven/contract/node";
import type { NodeRun } from "@oven/contract/run";
import { describe, expect, it } from "vitest";
import { toBars, toProgress, toTimeline } from "./timeline.ts";

const T0 = Date.parse("2026-03-10T12:00:00Z");
let nextId = 1;

function run(nodeId: string, start: number, durationMs: number | null, more: Partial<NodeRun> = {}): NodeRun {
  nextId += 1;
  return {
    id: nextId,
    executionId: 1,
    nodeId,
    parentNodeId: null,
    nodeType: "agent.llm",
    nodeVersion: 1,
    visit: 1,
    attempt: 1,
    item: null,
    status: durationMs === null ? "paused" : "completed",
    input: {},
    output: {},
    tokenUsage: null,
    toolCalls: null,
    costMicros: 0,
    error: null,
    errorInfo: null,
    durationMs,
    startedAt: new Date(T0 + start).toISOString(),
    completedAt: durationMs === null ? null : new Date(T0 + start + durationMs).toISOString(),
    ...more,
  };
}

const HUMAN = { id: "agent.humanReview", kind: "human" } as NodeType; // cast: only these two are read
const timeline = (nodes: NodeRun[], live: Parameters<typeof toTimeline>[0]["live"] = []) =>
  toTimeline({ nodes, live, nodeTypes: [HUMAN], labels: { draft: "Draft a reply" } });

// The row of a composite is written after those inside it.
const LOOP = [
  run("prompt", 0, 15),
  run("draft.llm", 20, 1_000),
  run("draft.tools", 1_030, 200, { nodeType: "agent.toolExecutor" }),
  run("draft.tools", 1_040, 30, { item: "c1", nodeType: "orders.get", input: { tool: "orders.get" } }),
  run("draft.llm", 1_240, 700, { visit: 2 }),
  run("draft", 20, 1_920, { nodeType: "agent.toolLoop" }),
];

describe("the timeline", () => {
  it("shows nodes in the order they began, a composite before what is inside it", () => {
    expect(timeline(LOOP).map((row) => [row.label, row.depth, row.visit])).toEqual([
      ["prompt", 0, 1],
      ["Draft a reply", 0, 1],
      ["llm", 1, 1],
      ["tools", 1, 1],
      ["orders.get", 2, 1],
      ["llm", 1, 2],
    ]);
  });

  it("names the items of a loop by their number, as runs of their own", () => {
    const items = [0, 1].map((item) =>
      run("each", 5 + item, 30, { item: String(item), nodeType: "core.forEach", input: 7 }),
    );
    const rows = timeline([run("each", 0, 50, { nodeType: "core.forEach" }), ...items]);
    expect(rows.map(({ label, kind, depth }) => [label, kind, depth])).toEqual([
      ["each", "flow", 0],
      ["item 1", "child", 1],
      ["item 2", "child", 1],
    ]);
  });

  it("shows what was taken over from an earlier run right before this one, its node before its items", () => {
    const day = 86_400_000;
    const taken = [run("first", 0, 10), run("each", 20, 30, { item: "0", nodeType: "core.forEach", input: 7 })];
    const own = [run("each", day, 1, { nodeType: "core.forEach" }), run("report", day + 5, 4)];
    const rows = timeline([...taken, ...own.map((node) => ({ ...node, executionId: 2 }))]);
    expect(rows.map(({ label, start }) => [label, start - T0])).toEqual([
      ["first", day - 50],
      ["each", day],
      ["item 1", day - 30],
      ["report", day + 5],
    ]);
  });

  it("adds what only the stream knows, and its composite meanwhile", () => {
    const live = [
      {
        nodeId: "draft.llm",
        nodeType: "agent.llm",
        visit: 1,
        attempt: 1,
        item: null,
        startedAt: new Date(T0 + 20).toISOString(),
      },
    ];
    const rows = timeline([run("prompt", 0, 15)], live);
    expect(rows.map((row) => [row.label, row.status, row.end === null])).toEqual([
      ["prompt", "completed", false],
      ["Draft a reply", "running", true],
      ["llm", "running", true],
    ]);
  });

  it("does not show a node twice once its row has come", () => {
    const row = run("prompt", 0, 15);
    expect(timeline([row], [{ ...row, startedAt: row.startedAt }])).toHaveLength(1);
  });

  it("knows waiting from working", () => {
    const rows = timeline([run("a", 0, 10), run("b", 10, null), run("c", 10, 99, { nodeType: "agent.humanReview" })]);
    expect(rows.map((row) => row.waiting)).toEqual([false, true, true]);
  });
});

describe("the bars", () => {
  const widthOf = (rows: ReturnType<typeof timeline>, label: string, now: number): number => {
    const row = rows.find((entry) => entry.label === label);
    return (row === undefined ? undefined : toBars(rows, now).get(row.key)?.width) ?? Number.NaN;
  };

  it("are as long as their share of the time", () => {
    const rows = timeline([run("a", 0, 250), run("b", 250, 750)]);
    expect(widthOf(rows, "a", T0 + 1_000)).toBeCloseTo(25);
    expect(widthOf(rows, "b", T0 + 1_000)).toBeCloseTo(75);
  });

  it("do not vanish beside a review of two hours", () => {
    const rows = timeline([
      run("a", 0, 1_000),
      run("wait", 1_000, 7_200_000, { nodeType: "agent.humanReview" }),
      run("b", 7_201_000, 1_000),
    ]);
    expect(widthOf(rows, "a", T0 + 7_202_000)).toBeGreaterThan(40);
    expect(widthOf(rows, "wait", T0 + 7_202_000)).toBeLessThan(15);
    expect(widthOf(rows, "b", T0 + 7_202_000)).toBeGreaterThan(40);
  });

  it("grow while a node is running inside a composite", () => {
    const live = [
      {
        nodeId: "draft.llm",
        nodeType: "agent.llm",
        visit: 1,
        attempt: 1,
        item: null,
        startedAt: new Date(T0 + 10).toISOString(),
      },
    ];
    const rows = timeline([run("prompt", 0, 10)], live);
    expect(widthOf(rows, "llm", T0 + 1_000)).toBeGreaterThan(90);
  });

  it("stay inside the track, and visible", () => {
    const rows = timeline([...LOOP, run("last", 1_940, 0)]);
    for (const { left, width } of toBars(rows, T0 + 1_940).values()) {
      expect(left).toBeGreaterThanOrEqual(0);
      expect(left + width).toBeLessThanOrEqual(100.0001);
      expect(width).toBeGreaterThan(0.5);
    }
  });
});

describe("the overlay of the graph", () => {
  it("shows each state's newest visit, its duration and how many there were", () => {
    const rows = timeline([run("a", 0, 10), run("a", 20, 1_240, { visit: 2 }), run("b", 1_300, null)]);
    expect(toProgress(rows, { status: "paused", currentState: "b" })).toEqual({
      a: { status: "completed", label: "1.2 s", visits: 2 },
      b: { status: "paused", label: "waiting", visits: 1 },
    });
  });

  it("marks the final that was reached", () => {
    expect(toProgress([], { status: "completed", currentState: "done" })).toEqual({ done: { status: "completed" } });
    expect(toProgress([], { status: "running", currentState: "done" })).toEqual({});
  });

  it("does not count tool calls as states", () => {
    expect(Object.keys(toProgress(timeline(LOOP), { status: "running", currentState: "" }))).toEqual([
      "prompt",
      "draft",
    ]);
  });
});
