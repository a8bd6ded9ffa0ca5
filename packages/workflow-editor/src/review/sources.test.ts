import type { Json } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { toSources } from "./sources.ts";

const match = (key: string, title: string | null): Json => ({
  ...{ id: 1, key, text: `text of ${key}`, metadata: {}, score: 1, similarity: 1 },
  source: title === null ? null : { documentId: 1, title, chunk: 0, start: 0, end: 9, headings: ["Returns"] },
});
const node = (more: object) => ({
  ...{ nodeType: "agent.rag", status: "completed" as const, input: {}, output: null, toolCalls: null },
  ...more,
});

describe("the sources of a proposal", () => {
  it("are the passages that were found, named by their document", () => {
    const output = { matches: [match("a", "Policy"), match("b", null)], citations: [] };
    expect(toSources([node({ output }), node({ output })])).toEqual([
      { kind: "passage", title: "Policy", headings: ["Returns"], text: "text of a" },
      { kind: "passage", title: "b", headings: [], text: "text of b" },
    ]);
  });

  it("are the cited ones alone where an answer cites any", () => {
    const output = { matches: [match("a", "Policy"), match("b", "Prices")], citations: [{ number: 2, key: "b" }] };
    expect(toSources([node({ output })])).toMatchObject([{ title: "Prices" }]);
  });

  it("are those that a tool of a model found, too", () => {
    const result = { matches: [match("a", "Policy")] };
    const toolCalls = [{ toolCallId: "c1", tool: "ai.retrieve", arguments: {}, result, durationMs: 1 }];
    expect(toSources([node({ nodeType: "agent.toolExecutor", toolCalls })])).toMatchObject([{ title: "Policy" }]);
  });

  it("are pages that were read, and none that was written to or failed", () => {
    const http = (input: object, status = "completed") => node({ nodeType: "core.http", input, status });
    const url = "https://example.com/orders/8841";
    expect(
      toSources([http({ url }), http({ url: `${url}/pay`, method: "POST" }), http({ url: `${url}/gone` }, "failed")]),
    ).toEqual([{ kind: "page", url }]);
  });
});
