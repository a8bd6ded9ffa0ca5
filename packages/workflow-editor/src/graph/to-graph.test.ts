import type { NodeType } from "@oven/contract/node";
import { describe, expect, it } from "vitest";
import { START, toGraph } from "./to-graph.ts";

function nodeType(id: string, kind: NodeType["kind"], outcomes: NodeType["outcomes"] = []): NodeType {
  return {
    id,
    version: 1,
    title: `Title of ${id}`,
    docs: "",
    category: "agent",
    kind,
    module: "test",
    effect: "pure",
    composite: false,
    inputSchema: {},
    outputSchema: {},
    outcomes,
    permissions: [],
    timeoutMs: null,
    isWait: false,
  };
}

const TYPES = [
  nodeType("agent.llm", "model"),
  nodeType("agent.humanReview", "human", [
    { id: "ok", title: "Approved or edited", guard: { key: "output.action", operator: "!=", value: "reject" } },
  ]),
];

const REFUND = {
  initial: "draft",
  states: {
    draft: {
      label: "Draft",
      invoke: { src: "agent.llm", input: { model: "fast" }, onDone: "review", onError: "failed" },
    },
    review: {
      invoke: {
        src: "agent.humanReview",
        onDone: [
          {
            target: "done",
            guard: {
              type: "condition",
              params: { key: "$.review_output.action", operator: "!=", value: "reject" },
            },
          },
          { target: "draft" },
        ],
      },
    },
    done: { type: "final" },
    failed: { type: "final", outcome: "failed" },
  },
};

function nodeOf(definition: unknown, id: string) {
  const node = toGraph(definition, TYPES).nodes.find((entry) => entry.id === id);
  if (node === undefined) throw new Error(`no node ${id}`);
  return node;
}

const edgesOf = (definition: unknown) =>
  toGraph(definition, TYPES).edges.map((edge) => [edge.source, edge.target, edge.tone, edge.label]);

describe("toGraph", () => {
  it("draws every transition with its tone and the name of its branch", () => {
    expect(edgesOf(REFUND)).toEqual([
      [START, "draft", "start", ""],
      ["draft", "review", "done", ""],
      ["draft", "failed", "error", "error"],
      ["review", "done", "done", "Approved or edited"],
      ["review", "draft", "done", "otherwise"],
    ]);
  });

  it("names a card by its label and its type, and says which kind it is", () => {
    expect(nodeOf(REFUND, "draft")).toMatchObject({
      label: "Draft",
      title: "Title of agent.llm",
      kind: "model",
      summary: "fast",
      known: true,
      initial: true,
    });
    expect(nodeOf(REFUND, "review").label).toBe("review");
  });

  it("tells finals and their outcome", () => {
    expect(nodeOf(REFUND, "done")).toMatchObject({ shape: "final", outcome: null });
    expect(nodeOf(REFUND, "failed")).toMatchObject({ shape: "final", outcome: "failed" });
  });

  it("marks a node type the server does not have, but not while the types are still loading", () => {
    const definition = { initial: "a", states: { a: { invoke: { src: "acme.unknown" } } } };
    expect(nodeOf(definition, "a")).toMatchObject({ known: false, nodeType: "acme.unknown" });
    expect(toGraph(definition).nodes.find((node) => node.id === "a")?.known).toBe(true);
  });

  it("shows a target that does not exist as a node of its own", () => {
    const { nodes, edges } = toGraph({ initial: "a", states: { a: { invoke: { src: "agent.llm", onDone: "gone" } } } });
    expect(nodes.find((node) => node.id === "gone")?.shape).toBe("missing");
    expect(edges.map((edge) => edge.target)).toContain("gone");
    const twice = { initial: "a", states: { a: { invoke: { src: "agent.llm", onDone: "gone", onError: "gone" } } } };
    expect(toGraph(twice).nodes.filter((node) => node.id === "gone")).toHaveLength(1);
  });

  it("puts inner states of groups and loops into their parent, parents first", () => {
    const definition = {
      initial: "each",
      states: {
        each: {
          loop: {
            type: "forEach",
            collection: "$.trigger.orders",
            bodyInitial: "one",
            bodyStates: { one: {} },
            onDone: "both",
          },
        },
        both: { type: "parallel", states: { left: { initial: "deep", states: { deep: {} } } } },
      },
    };
    const { nodes, edges } = toGraph(definition, TYPES);
    const parents = Object.fromEntries(nodes.map((node) => [node.id, node.parentId]));
    expect(parents).toMatchObject({ each: null, one: "each", both: null, left: "both", deep: "left" });
    expect(nodes.map((node) => node.id).indexOf("both")).toBeLessThan(nodes.map((node) => node.id).indexOf("deep"));
    expect(nodeOf(definition, "each")).toMatchObject({
      shape: "group",
      title: "Loop",
      summary: "for each of $.trigger.orders",
    });
    expect(nodeOf(definition, "both").title).toBe("Parallel");
    expect(edges.map((edge) => [edge.source, edge.target])).toContainEqual(["each", "both"]);
  });

  it("keeps events, timers and eventless moves apart", () => {
    const definition = {
      initial: "wait",
      states: {
        wait: { on: { PAID: "done" }, after: { PT15M: "late", 500: "late" } },
        late: { always: [{ target: "done" }] },
        done: { type: "final" },
      },
    };
    expect(edgesOf(definition).slice(1)).toEqual([
      ["wait", "done", "event", "PAID"],
      ["wait", "late", "timer", "after 500 ms"],
      ["wait", "late", "timer", "after PT15M"],
      ["late", "done", "always", ""],
    ]);
  });

  it("takes positions from meta", () => {
    const definition = { ...REFUND, meta: { positions: { draft: { x: 12, y: 34 }, review: { x: "no", y: 1 } } } };
    expect(nodeOf(definition, "draft").position).toEqual({ x: 12, y: 34 });
    expect(nodeOf(definition, "review").position).toBeNull();
  });

  it("gives every edge a handle of its source and a path into the definition", () => {
    const { nodes, edges } = toGraph(REFUND, TYPES);
    for (const edge of edges) {
      expect(nodes.find((node) => node.id === edge.source)?.handles.map((handle) => handle.id)).toContain(
        edge.sourceHandle,
      );
    }
    expect(edges.find((edge) => edge.target === "done")?.path).toBe("$.states.review.invoke.onDone[0]");
  });

  it.each([null, 7, "text", [], {}, { states: 3 }, { states: { a: null, b: { invoke: 4, on: [] } }, initial: 9 }])(
    "never throws on what is half typed: %j",
    (definition) => {
      expect(() => toGraph(definition, TYPES)).not.toThrow();
    },
  );
});

describe("what the definition handles itself", () => {
  const definition = {
    initial: "a",
    on: { stop: "done", "orders.*": [{ target: "a", guard: { type: "cel", params: { expression: "ctx.x" } } }, {}] },
    states: { a: { entry: [{ type: "log", params: { message: "x" } }] }, done: { type: "final" } },
  };

  it("is a card of its own with a row for each handler", () => {
    const { nodes, edges } = toGraph(definition);
    const card = nodes.find(({ shape }) => shape === "workflow");
    expect(card?.handles.map(({ label }) => label)).toEqual(["stop", "orders.*: ctx.x", "orders.*: otherwise"]);
    expect(edges.filter(({ source }) => source === card?.id).map(({ target }) => target)).toEqual(["done", "a"]);
    expect(toGraph({ ...definition, on: {} }).nodes.some(({ shape }) => shape === "workflow")).toBe(false);
  });

  it("tells that a state acts when it is entered", () => {
    expect(toGraph(definition).nodes.find(({ id }) => id === "a")?.title).toBe("State · acts on entry");
  });
});

describe("what a line can still be drawn from", () => {
  const offered = (onDone?: unknown) =>
    toGraph({ initial: "a", states: { a: { invoke: { src: "agent.humanReview", onDone } }, b: {} } }, TYPES, {
      offer: true,
    })
      .nodes.find(({ id }) => id === "a")
      ?.handles.filter((handle) => handle.offered)
      .map(({ label }) => label);

  it("is each outcome, all of them as one while none has a line, and the error", () => {
    expect(offered()).toEqual(["Approved or edited", "otherwise", "any outcome", "error"]);
    expect(offered("b")).toEqual(["error"]);
    expect(offered([{ target: "b", guard: { type: "cel", params: { expression: "ctx.x" } } }])).toEqual([
      "Approved or edited",
      "otherwise",
      "error",
    ]);
  });

  const branchesOf = (always: unknown) =>
    toGraph({ initial: "a", states: { a: { always }, b: {}, c: {} } }, TYPES, { offer: true })
      .nodes.find(({ id }) => id === "a")
      ?.handles.map(({ label, offered: isOffered }) => [label, isOffered]);
  const guard = { type: "cel", params: { expression: "ctx.x" } };

  it("is one more branch of a choice at all times: what takes everything else, or one before it", () => {
    expect(branchesOf(undefined)).toEqual([["", true]]);
    expect(branchesOf("b")).toEqual([
      ["", false],
      ["another branch", true],
    ]);
    expect(branchesOf([{ target: "b", guard }])).toEqual([
      ["ctx.x", false],
      ["otherwise", true],
    ]);
    expect(branchesOf([{ target: "b", guard }, "c"])).toEqual([
      ["ctx.x", false],
      ["otherwise", false],
      ["another branch", true],
    ]);
  });
});
