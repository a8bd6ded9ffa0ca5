import type { NodeType } from "@oven/contract/node";
import { describe, expect, it } from "vitest";
import { searchPalette, toInvokingState, toPalette } from "./new-states.ts";

function nodeType(id: string, title: string, category: NodeType["category"], docs = ""): NodeType {
  return {
    id,
    version: 1,
    title,
    docs,
    category,
    kind: "data",
    module: "test",
    effect: "pure",
    composite: false,
    inputSchema: {
      type: "object",
      required: ["level", "message"],
      properties: { level: { type: "string", default: "info" }, message: { type: "string" }, data: { default: 1 } },
    },
    outputSchema: {},
    outcomes: [],
    permissions: [],
    timeoutMs: null,
    isWait: false,
  };
}

const TYPES = [
  nodeType("core.log", "Log", "core", "Writes a line"),
  nodeType("agent.llm", "Model call", "agent", "Asks a model once"),
  nodeType("agent.toolLoop", "Tool loop", "agent", "Asks a model until it calls no tool"),
];

describe("the palette", () => {
  it("offers nodes by category, agents first, and the states of the format", () => {
    const items = toPalette(TYPES);
    expect(items.slice(0, 3).map(({ id }) => id)).toEqual(["agent.llm", "agent.toolLoop", "core.log"]);
    expect([...new Set(items.map(({ group }) => group))]).toEqual(["Agent", "Flow", "Structure"]);
  });

  it("finds by all words, in title and id before the description", () => {
    const found = (query: string) => searchPalette(toPalette(TYPES), query).map(({ id }) => id);
    expect(found("tool")).toEqual(["agent.toolLoop"]);
    expect(found("model")).toEqual(["agent.llm", "agent.toolLoop"]);
    expect(found("model until")).toEqual(["agent.toolLoop"]);
    expect(found("nothing like it")).toEqual([]);
    expect(found(" ")).toHaveLength(toPalette(TYPES).length);
  });

  it("finds by synonyms, with a letter wrong, and operations of modules last", () => {
    const items = toPalette([
      ...TYPES,
      { ...nodeType("agent.review", "Human review", "agent"), synonyms: ["approve", "human in the loop"] },
      nodeType("orders.approve", "Approve an order", "api"),
    ]);
    const found = (query: string) => searchPalette(items, query).map(({ id }) => id);
    expect(found("approve")).toEqual(["agent.review", "orders.approve"]);
    expect(found("human in the")).toEqual(["agent.review"]);
    expect(found("aprove")).toEqual(["agent.review", "orders.approve"]);
    expect(found("if")[0]).toBe("choice");
    expect(found("for each")).toEqual(["loop"]);
    expect(found("swithc")).toEqual(["choice"]);
    expect(found("merge")).toEqual(["parallel"]);
  });

  it("makes a state with the defaults of what is required", () => {
    expect(toInvokingState(nodeType("core.log", "Log", "core"))).toEqual({
      wish: "core.log",
      state: { label: "Log", invoke: { src: "core.log", input: { level: "info" } } },
    });
  });
});
