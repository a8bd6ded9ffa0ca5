import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import type { GraphModel } from "../graph/graph-model.ts";
import { toGraph } from "../graph/to-graph.ts";
import { type Anchor, toAnchorPoint, toCardSize } from "./card-size.ts";
import type { Layout } from "./elk-layout.ts";
import { layoutGraph } from "./layout-in-worker.ts";
import { toRanks } from "./rank-layout.ts";
import { inReadingOrder } from "./reading-order.ts";
import { toRoundedPath } from "./rounded-path.ts";

// The states stand in no useful order, on purpose.
const LOOPING = {
  initial: "prompt",
  states: {
    failed: { type: "final", outcome: "failed" },
    review: {
      invoke: {
        src: "agent.humanReview",
        onDone: [{ target: "done", guard: { type: "cel", params: { expression: "ok" } } }, "draft"],
      },
    },
    done: { type: "final" },
    draft: { invoke: { src: "agent.llm", onDone: "review", onError: "failed" } },
    prompt: { invoke: { src: "agent.prompt", onDone: "draft" } },
  },
};
const NESTED = {
  initial: "group",
  states: {
    group: { initial: "inner", states: { inner: { always: "end" }, end: { type: "final" } }, onDone: "done" },
    done: { type: "final" },
  },
};

// Node has no web workers. ELK brings a class that does in this thread what its worker does in a browser.
beforeAll(async () => {
  const library = "elkjs/lib/elk-worker.min.js";
  const { Worker: LayoutWorker } = (await import(library)) as { Worker: new () => object }; // cast: the library has no types for it
  vi.stubGlobal(
    "Worker",
    class extends LayoutWorker {
      addEventListener(): void {}
    },
  );
});
afterAll(() => {
  vi.unstubAllGlobals();
});

describe("reading order", () => {
  it("follows a run from the start, errors last", () => {
    const order = inReadingOrder(toGraph(LOOPING)).nodes.map((node) => node.id);
    expect(order).toEqual(["(start)", "prompt", "draft", "review", "done", "failed"]);
  });

  it("puts an end after everything, also one that can be reached at once", () => {
    const definition = {
      initial: "a",
      states: { done: { type: "final" }, a: { always: ["done", "b"] }, b: { always: "done" } },
    };
    const order = inReadingOrder(toGraph(definition)).nodes.map((node) => node.id);
    expect(order).toEqual(["(start)", "a", "b", "done"]);
  });

  it("keeps states nobody reaches", () => {
    const order = inReadingOrder(toGraph({ initial: "a", states: { lost: {}, a: {} } })).nodes.map((node) => node.id);
    expect(order).toEqual(["(start)", "a", "lost"]);
  });
});

describe("layoutGraph", () => {
  it("goes left to right, and draws the way back as the way back", async () => {
    const { nodes, routes } = await layoutGraph(toGraph(LOOPING));
    const x = (id: string): number => nodes.get(id)?.position.x ?? Number.NaN;
    expect(x("prompt")).toBeLessThan(x("draft"));
    expect(x("draft")).toBeLessThan(x("review"));
    expect(x("review")).toBeLessThan(x("done"));
    expect(routes.size).toBe(toGraph(LOOPING).edges.length);
  });

  it("starts each line at its own handle", async () => {
    const model = toGraph(LOOPING);
    const { nodes, routes } = await layoutGraph(model);
    for (const edge of model.edges) {
      const source = model.nodes.find((node) => node.id === edge.source);
      const placed = nodes.get(edge.source);
      const start = routes.get(edge.id)?.[0];
      if (source === undefined || placed === undefined || start === undefined)
        throw new Error(`${edge.id} was not laid out`);
      const size = toCardSize(source);
      const handle = toAnchorPoint(size.handles[edge.sourceHandle] ?? { side: "top" }, size);
      expect(start.x).toBeCloseTo(placed.position.x + handle.x);
      expect(start.y).toBeCloseTo(placed.position.y + handle.y);
    }
  });

  it("makes a box large enough for what is in it", async () => {
    const { nodes } = await layoutGraph(toGraph(NESTED));
    const group = nodes.get("group");
    const inner = nodes.get("inner");
    const end = nodes.get("end");
    if (group === undefined || inner === undefined || end === undefined) throw new Error("not laid out");
    expect(inner.position.x).toBeGreaterThan(0);
    expect(end.position.x + end.width).toBeLessThan(group.width);
    expect(inner.position.y + inner.height).toBeLessThan(group.height);
  });

  it("leaves the cards where the author put them when all have a place", async () => {
    const positions = Object.fromEntries(
      Object.keys(LOOPING.states).map((id, index) => [id, { x: index * 300, y: 5 }]),
    );
    const { nodes, routes } = await layoutGraph(toGraph({ ...LOOPING, meta: { positions } }));
    expect(nodes.get("draft")?.position).toEqual({ x: 900, y: 5 });
    expect(routes.size).toBe(0);
  });

  it("lays out by itself when one has none", async () => {
    const { nodes } = await layoutGraph(
      toGraph({ ...LOOPING, meta: { positions: { draft: { x: 9_999, y: 9_999 } } } }),
    );
    expect(nodes.get("draft")?.position.x).toBeLessThan(5_000);
  });
});

/** A thousand states in a row, every second with a way for errors 25 further on. */
function chain(length: number): object {
  const states = Array.from({ length }, (_, index): [string, object] => {
    if (index === length - 1) return [`s${index}`, { type: "final" }];
    const onError = index % 2 === 0 ? { onError: `s${Math.min(length - 1, index + 25)}` } : {};
    return [`s${index}`, { invoke: { src: "core.log", onDone: `s${index + 1}`, ...onError } }];
  });
  return { initial: "s0", states: Object.fromEntries(states) };
}

/** All of a container's nodes stand apart from each other. */
function overlaps(model: GraphModel, { nodes }: Layout): string[] {
  const found: string[] = [];
  for (const one of model.nodes)
    for (const other of model.nodes) {
      const [a, b] = [nodes.get(one.id), nodes.get(other.id)];
      if (one.id >= other.id || one.parentId !== other.parentId || a === undefined || b === undefined) continue;
      const apart =
        a.position.x + a.width <= b.position.x ||
        b.position.x + b.width <= a.position.x ||
        a.position.y + a.height <= b.position.y ||
        b.position.y + b.height <= a.position.y;
      if (!apart) found.push(`${one.id} covers ${other.id}`);
    }
  return found;
}

describe("the layout of a large graph", () => {
  const inGroups = {
    initial: "g",
    states: {
      g: { ...chain(130), onDone: "h" },
      h: { initial: "a", states: { a: { always: "b" }, b: {} }, onDone: "z" },
      ...Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`f${index}`, { always: "z" }])),
      z: { type: "final" },
    },
  };

  it.each([
    ["in a row", chain(300)],
    ["from top to bottom", { ...chain(300), meta: { direction: "down" } }],
    ["with a large container", inGroups],
  ])("gives every node a place of its own: %s", async (_, definition) => {
    const model = toGraph(definition);
    const layout = await layoutGraph(model);
    expect(model.nodes.filter(({ id }) => !layout.nodes.has(id))).toEqual([]);
    expect(overlaps(model, layout)).toEqual([]);
    for (const { id, parentId } of model.nodes) {
      const [inner, outer] = [layout.nodes.get(id), parentId === null ? undefined : layout.nodes.get(parentId)];
      if (inner === undefined || outer === undefined) continue;
      expect(inner.position.x + inner.width).toBeLessThanOrEqual(outer.width);
      expect(inner.position.y + inner.height).toBeLessThanOrEqual(outer.height);
    }
  });

  it("is read like a text, in lines, and no wider than it can be looked at", async () => {
    const model = toGraph(chain(300));
    const { nodes } = await layoutGraph(model);
    const right = Math.max(...[...nodes.values()].map(({ position, width }) => position.x + width));
    const bottom = Math.max(...[...nodes.values()].map(({ position, height }) => position.y + height));
    expect(right / bottom).toBeGreaterThan(0.5);
    expect(right / bottom).toBeLessThan(3);
    expect(nodes.get("s1")?.position.x).toBeGreaterThan(nodes.get("s0")?.position.x ?? Number.NaN);
  });

  it("tells how far it is, and can be given up", async () => {
    const shares: number[] = [];
    await layoutGraph(toGraph(chain(300)), { onProgress: (share) => shares.push(share) });
    expect(shares.length).toBeGreaterThan(3);
    expect(shares).toEqual([...shares].sort((one, other) => one - other));
    expect(shares.at(-1)).toBe(1);
    const giveUp = new AbortController();
    const given = layoutGraph(toGraph(chain(300)), {
      signal: giveUp.signal,
      onProgress: (share) => {
        if (share > 0.3) giveUp.abort(new Error("enough"));
      },
    });
    await expect(given).rejects.toThrow("enough");
  });
});

describe("card size", () => {
  it("gives every named handle a row of its own below the header", () => {
    const draft = toGraph(LOOPING).nodes.find((node) => node.id === "draft");
    if (draft === undefined) throw new Error("no draft");
    const { height, handles, entry } = toCardSize(draft);
    const y = (anchor: Anchor | undefined): number => (anchor !== undefined && "y" in anchor ? anchor.y : Number.NaN);
    expect(handles["invoke.onDone.0"]).toEqual({ side: "right", y: y(entry) });
    expect(y(handles["invoke.onError.0"])).toBeGreaterThan(y(entry));
    expect(y(handles["invoke.onError.0"])).toBeLessThan(height);
  });

  it("leads in at the top and on at the bottom where the graph goes down", () => {
    const draft = toGraph({ ...LOOPING, meta: { direction: "down" } }).nodes.find((node) => node.id === "draft");
    if (draft === undefined) throw new Error("no draft");
    const { handles, entry } = toCardSize(draft);
    expect([entry.side, handles["invoke.onDone.0"]?.side, handles["invoke.onError.0"]?.side]).toEqual([
      "top",
      "bottom",
      "right",
    ]);
  });
});

describe("ranks of a thumbnail", () => {
  it("counts columns from the start and rows within them", () => {
    const { ranked, edges } = toRanks(toGraph(LOOPING));
    const place = Object.fromEntries(ranked.map((entry) => [entry.node.id, [entry.rank, entry.row]]));
    expect(place).toEqual({ prompt: [0, 0], draft: [1, 0], failed: [2, 0], review: [2, 1], done: [3, 0] });
    expect(edges).toContainEqual({ source: "review", target: "draft" });
  });

  it("puts an end behind the last state that leads to it", () => {
    const definition = {
      initial: "a",
      states: { a: { always: ["done", "b"] }, b: { always: "done" }, done: { type: "final" } },
    };
    expect(toRanks(toGraph(definition)).ranked.map((entry) => [entry.node.id, entry.rank])).toEqual([
      ["a", 0],
      ["b", 1],
      ["done", 2],
    ]);
  });

  it("counts a box as one", () => {
    expect(toRanks(toGraph(NESTED)).ranked.map((entry) => entry.node.id)).toEqual(["group", "done"]);
  });
});

describe("toRoundedPath", () => {
  it("rounds inner corners and keeps the ends", () => {
    expect(
      toRoundedPath([
        { x: 0, y: 0 },
        { x: 100, y: 0 },
        { x: 100, y: 50 },
      ]),
    ).toBe("M 0 0 L 92 0 Q 100 0 100 8 L 100 50");
  });

  it("never rounds by more than half a side", () => {
    expect(
      toRoundedPath([
        { x: 0, y: 0 },
        { x: 4, y: 0 },
        { x: 4, y: 50 },
      ]),
    ).toBe("M 0 0 L 2 0 Q 4 0 4 8 L 4 50");
  });

  it("is empty without points", () => {
    expect(toRoundedPath([])).toBe("");
  });
});
