import type { Json } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { readForeign } from "../../importing/read-foreign.ts";
import { expectRefusals } from "../../importing/testing/damaged-documents.ts";
import { documentAt, outcomesOf, statesOf } from "../../importing/testing/read-imports.ts";
import { DAMAGED, SOUND } from "./testing/damaged-langgraph.ts";

describe("a graph of LangGraph", () => {
  it("keeps its ways, and a placeholder for each function", async () => {
    const read = await readForeign(documentAt("testing/langgraph-react.json", import.meta.url));
    expect(outcomesOf(read)).toEqual({
      __start__: "mapped",
      agent: "placeholder",
      tools: "placeholder",
      "research:search": "placeholder",
      "research:read": "placeholder",
      __end__: "mapped",
    });
    expect(statesOf(read).agent?.invoke).toMatchObject({
      src: "core.placeholder",
      input: { name: { $literal: "agent" }, product: "LangGraph" },
      onDone: [
        { target: "tools", guard: { params: { key: "$.output.branch", value: "continue" } } },
        { target: "research_search", guard: { params: { value: "look it up" } } },
        { target: "done" },
      ],
    });
    expect(statesOf(read).tools?.invoke?.onDone).toEqual([{ target: "agent" }]);
    expect(read.report.elements[3]?.notes).toContain("It is search of the subgraph research.");
  });
});

it("a document that is not sound is refused at its place", () => expectRefusals(SOUND, DAMAGED));

describe("edges of a graph of LangGraph", () => {
  const graph = (nodes: Json[], edges: Json[]) => readForeign(JSON.stringify({ nodes, edges }));
  const ids = (...names: string[]) => names.map((id) => ({ id, type: "runnable" }));

  it("are gone along beside the one that is chosen, where they always hold", async () => {
    const read = await graph(ids("__start__", "a", "b", "c", "always", "__end__"), [
      { source: "__start__", target: "a" },
      { source: "a", target: "always" },
      { source: "a", target: "b", conditional: true, data: "left" },
      { source: "a", target: "c", conditional: true },
      { source: "b", target: "__end__" },
      { source: "c", target: "__end__" },
      { source: "always", target: "__end__" },
    ]);
    const both = statesOf(read).a_parallel;
    expect(Object.values(both?.states ?? {}).map(({ initial }) => initial)).toEqual(["always", "a_choice"]);
    expect(both?.states?.a_which_way_way?.states).toMatchObject({
      a_choice: {
        always: [{ target: "b", guard: { params: { key: "$.a_output.branch", value: "left" } } }, { target: "c" }],
      },
    });
  });

  it("are gone along beside the end that may be chosen, and at the start", async () => {
    const read = await graph(ids("__start__", "a", "b", "always", "__end__"), [
      { source: "__start__", target: "always" },
      { source: "__start__", target: "a", conditional: true },
      { source: "__start__", target: "__end__", conditional: true },
      { source: "a", target: "b" },
      { source: "a", target: "__end__", conditional: true },
      { source: "b", target: "__end__" },
      { source: "always", target: "__end__" },
    ]);
    const reached = JSON.stringify(statesOf(read));
    for (const state of ["a", "b", "always", "start_choice", "a_choice"]) expect(reached).toContain(`"${state}":{`);
  });

  it("lead to a step in one place only: what several forks share is for somebody to say", async () => {
    const read = await graph(ids("__start__", "a", "b", "c", "d", "e", "__end__"), [
      { source: "__start__", target: "a", conditional: true },
      { source: "__start__", target: "e", conditional: true },
      ...["b", "c"].map((target) => ({ source: "a", target })),
      ...["c", "d"].map((target) => ({ source: "e", target })),
      ...["b", "c", "d"].map((source) => ({ source, target: "__end__" })),
    ]);
    expect(outcomesOf(read)).toMatchObject({ "After a": "placeholder", "After e": "placeholder" });
    expect(JSON.stringify(read.definition).split('"c":{').length).toBe(2);
  });

  it("come together once all ways have ended, which is told", async () => {
    const read = await graph(ids("__start__", "a", "b", "c", "d", "__end__"), [
      { source: "__start__", target: "a" },
      ...["b", "c"].map((target) => ({ source: "a", target })),
      ...["b", "c"].map((source) => ({ source, target: "d" })),
      { source: "d", target: "__end__" },
    ]);
    expect(statesOf(read).a_parallel).toMatchObject({ type: "parallel", onDone: { target: "d" } });
    expect(read.report.notes.join()).toContain("“d” runs once here");
  });

  it("that always hold may come after a choice whose every way leads to the same", async () => {
    const read = await graph(ids("__start__", "a", "b", "c", "__end__"), [
      { source: "__start__", target: "a" },
      { source: "a", target: "c" },
      { source: "a", target: "b", conditional: true },
      { source: "b", target: "c" },
      { source: "c", target: "__end__" },
    ]);
    expect(statesOf(read).a?.invoke?.onDone).toMatchObject([{ target: "a_choice" }]);
    expect(statesOf(read).b?.invoke?.onDone).toMatchObject([{ target: "c" }]);
  });

  it("go to a node whose id looks like a choice", async () => {
    const read = await graph(ids("__start__", "a", "a#choice", "b", "__end__"), [
      { source: "__start__", target: "a" },
      { source: "a", target: "a#choice" },
      { source: "a", target: "b", conditional: true },
      { source: "a#choice", target: "__end__" },
      { source: "b", target: "__end__" },
    ]);
    expect(JSON.stringify(statesOf(read)).split('"a_choice":{')).toHaveLength(2);
    expect(outcomesOf(read)).toMatchObject({ a: "placeholder", "a#choice": "placeholder", b: "placeholder" });
  });

  it("say that somebody is asked, where the graph stops for that", async () => {
    const nodes = [
      ...ids("__start__", "__end__"),
      { id: "pay", type: "runnable", metadata: { __interrupt: "before,after" } },
    ];
    const read = await graph(nodes, [
      { source: "__start__", target: "pay" },
      { source: "pay", target: "__end__" },
    ]);
    expect(JSON.stringify(read.report)).toContain("The graph stops before and after it for somebody");
  });
});
