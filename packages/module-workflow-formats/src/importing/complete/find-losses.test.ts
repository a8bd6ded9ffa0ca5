import type { Definition, ImportedElement } from "@oven/contract/workflow";
import { describe, expect, it } from "vitest";
import { findLosses } from "./find-losses.ts";
import { refuseLosses } from "./refuse-losses.ts";
import type { SourceEdge, SourceGraph, SourceNode } from "./source-graph.ts";

const step = (key: string): SourceNode => ({ key, name: key, path: `$.${key}`, kind: "step" });
const edge = (from: string, to: string, output = "main"): SourceEdge => ({ path: `$.${from}.${to}`, from, to, output });
const told = (key: string, more: Partial<ImportedElement> = {}): ImportedElement => ({
  ...{ name: key, type: "step", outcome: "mapped", state: key, notes: [], path: `$.${key}`, line: 1, column: 1 },
  ...more,
});
const to = (...targets: string[]) => ({ always: targets.map((target) => ({ target })) });
const end = { type: "final" as const };

/** A start, a step that goes on at once to two that come together, and a way back. */
const source: SourceGraph = {
  nodes: [
    { key: "start", name: "start", path: "$.start", kind: "start" },
    ...["a", "b", "c", "d"].map(step),
    { key: "note", name: "note", path: "$.note", kind: "aside" },
  ],
  edges: [edge("start", "a"), edge("a", "b"), edge("a", "c"), edge("b", "d"), edge("c", "d"), edge("d", "a")],
};
const elements = [
  told("start", { state: null }),
  told("note", { state: null }),
  ...["a", "b", "c", "d"].map((key) => told(key)),
];
const definition = {
  initial: "a",
  states: {
    a: to("both"),
    both: {
      type: "parallel" as const,
      states: {
        one: { initial: "b", states: { b: to("b_done"), b_done: end } },
        two: { initial: "c", states: { c: to("c_done"), c_done: end } },
      },
      onDone: "d",
    },
    d: to("a", "done"),
    done: end,
  },
} satisfies Definition;
const messages = (changed: Partial<Parameters<typeof findLosses>[0]>) =>
  findLosses({ source, definition, report: { elements }, ...changed }).map(({ message }) => message);

describe("the check that an import is complete", () => {
  it("finds nothing where everything is there", () => expect(messages({})).toEqual([]));

  describe("where a node is several states, and a way to it comes after another one", () => {
    const both = { nodes: ["a", "b", "d"].map(step), edges: [edge("a", "b"), edge("a", "d"), edge("b", "d")] };
    const states = { a: to("b"), b: to("asked"), d: to("done"), done: end };
    const asked = { invoke: { src: "core.http", input: {}, onDone: "found", onError: "done" } };
    const check = (more: Definition["states"]) =>
      messages({
        source: both,
        definition: { initial: "a", states: { ...states, ...more } },
        report: { elements: ["a", "b", "d"].map((key) => told(key)) },
      });

    it("takes what comes to the first of them as having come to it, also where it fails or ends there", () =>
      expect(check({ asked, found: to("d", "done") })).toEqual([]));

    it("finds the way lost where the first state leads elsewhere", () => {
      const lost = ["The connection from “a” to “d” is lost"];
      expect(check({ asked: to("found", "done"), found: to("d", "b") })).toEqual(lost);
      expect(check({ b: to("asked", "done"), asked, found: to("d") })).toEqual(lost);
    });
  });

  it.each<[string, Partial<Parameters<typeof findLosses>[0]>, string[]]>([
    [
      "a node that the report does not name",
      { report: { elements: elements.filter(({ name }) => name !== "note") } },
      ["“note” is lost: the report does not name it"],
    ],
    [
      "a node whose state is not there",
      { definition: { ...definition, states: { ...definition.states, d: to("done"), both: to("d") } } },
      [
        "“b” is lost: the definition has no states “b”",
        "“c” is lost: the definition has no states “c”",
        "The connection from “a” to “b” is lost",
        "The connection from “a” to “c” is lost",
        "The connection from “b” to “d” is lost",
        "The connection from “c” to “d” is lost",
        "The connection from “d” to “a” is lost",
      ],
    ],
    [
      "a connection whose end can only be come to through another step",
      { source: { ...source, edges: [...source.edges, edge("d", "b", "other")] } },
      ["The connection from “d” to “b” is lost"],
    ],
    [
      "a connection that is gone from the definition",
      { definition: { ...definition, states: { ...definition.states, d: to("done") } } },
      ["The connection from “d” to “a” is lost"],
    ],
    [
      "a connection of a node that is not there",
      { source: { ...source, edges: [...source.edges, edge("d", "nobody")] } },
      ["The connection from “d” to “nobody” is lost"],
    ],
    [
      "a node that is reported twice",
      { report: { elements: [...elements, told("c", { outcome: "ignored", state: null, notes: ["Not needed."] })] } },
      ["“c” is in the report 2 times"],
    ],
    [
      "a state that is there twice",
      { definition: { ...definition, states: { ...definition.states, again: { initial: "b", states: { b: end } } } } },
      ["“b” is lost: the definition has 2 states “b”"],
    ],
    [
      "two nodes that became one state",
      {
        source: { ...source, nodes: [...source.nodes, step("e")] },
        report: { elements: [...elements, told("e", { state: "d" })] },
      },
      ["“e” and “d” are one state, “d”"],
    ],
    [
      "a step without a state",
      {
        source: { ...source, nodes: [...source.nodes, step("e")] },
        report: { elements: [...elements, told("e", { state: null })] },
      },
      ["“e” is lost: the report says mapped, and names no state"],
    ],
    [
      "a step that is left out without a reason",
      {
        source: { ...source, nodes: [...source.nodes, step("e")] },
        report: { elements: [...elements, told("e", { outcome: "ignored", state: null })] },
      },
      ["“e” is left out without a reason"],
    ],
    [
      "a connection to a step that is left out",
      {
        source: { nodes: [...source.nodes, step("e")], edges: [...source.edges, edge("d", "e")] },
        report: {
          elements: [...elements, told("e", { outcome: "ignored", state: null, notes: ["Nothing leads to it."] })],
        },
      },
      ["The connection from “d” to “e” is lost"],
    ],
  ])("finds %s", (_what, changed, losses) => {
    expect(messages(changed).sort()).toEqual(losses.sort());
  });

  it("takes a reason for what is left out", () => {
    const left = told("e", { outcome: "ignored", state: null, notes: ["Nothing leads to it."] });
    const changed = {
      source: { nodes: [...source.nodes, step("e")], edges: [...source.edges, edge("e", "a"), edge("d", "nobody")] },
      report: { elements: [...elements, left, { ...left, name: "d to nobody", path: "$.d.nobody" }] },
    };
    expect(messages(changed)).toEqual([]);
  });

  it("follows the bodies of loops there and back", () => {
    const loop = { type: "while" as const, bodyInitial: "b", bodyStates: { b: to("round"), round: end }, onDone: "c" };
    const looped = { initial: "a", states: { a: { loop }, c: to("done"), done: end } };
    const edges = [edge("a", "b"), edge("b", "a"), edge("a", "c", "done")];
    const nodes = ["a", "b", "c"].map(step);
    const report = { elements: elements.filter(({ name }) => ["a", "b", "c"].includes(name)) };
    expect(messages({ source: { nodes, edges }, definition: looped, report })).toEqual([]);
    const past = [...edges, edge("b", "c")];
    expect(messages({ source: { nodes, edges: past }, definition: looped, report })).toEqual([
      "The connection from “b” to “c” is lost",
    ]);
  });

  it("lets one of several ways come after another that always leads to it, and not after one that may end", () => {
    const nodes = ["a", "b", "c"].map(step);
    const edges = [edge("a", "b"), edge("a", "c"), edge("b", "c")];
    const report = { elements: elements.filter(({ name }) => ["a", "b", "c"].includes(name)) };
    const states = (...of: string[]) => ({ initial: "a", states: { a: to("b"), b: to(...of), c: to("end"), end } });
    expect(messages({ source: { nodes, edges }, definition: states("c"), report })).toEqual([]);
    expect(messages({ source: { nodes, edges }, definition: states("c", "end"), report })).toEqual([
      "The connection from “a” to “c” is lost",
    ]);
  });

  it("takes what follows a group as come to whatever its steps do, and not where something leads out of it", () => {
    const nodes = ["a", "b", "c"].map(step);
    const edges = [edge("a", "b"), edge("a", "c")];
    const report = { elements: elements.filter(({ name }) => ["a", "b", "c"].includes(name)) };
    const fails = { invoke: { src: "core.fail", input: {} } };
    const states = (out: string) => ({
      initial: "a",
      states: {
        a: to("group"),
        group: { initial: "b", states: { b: to("fails", out), fails, b_done: end }, onDone: "c" },
        ...{ c: to("end"), end },
      },
    });
    expect(messages({ source: { nodes, edges }, definition: states("b_done"), report })).toEqual([]);
    expect(messages({ source: { nodes, edges }, definition: states("end"), report })).toEqual([
      "The connection from “a” to “c” is lost",
    ]);
  });

  it("lets what always follows come after a choice whose every way leads to it, and not after one of them", () => {
    const nodes = ["a", "b", "c", "d"].map(step);
    const edges = [
      edge("a", "b", "choice 1"),
      edge("a", "c", "choice 2"),
      { ...edge("a", "d"), isBeside: true },
      ...[edge("b", "d"), edge("c", "d")],
    ];
    const report = { elements: elements.filter(({ name }) => ["a", "b", "c", "d"].includes(name)) };
    const states = (...of: string[]) => ({
      initial: "a",
      states: { a: to("b", "c"), b: to("d"), c: to(...of), d: to("end"), end },
    });
    expect(messages({ source: { nodes, edges }, definition: states("d"), report })).toEqual([]);
    expect(messages({ source: { nodes, edges }, definition: states("d", "end"), report })).toEqual([
      "The connection from “a” to “d” is lost",
    ]);
    const alone = edges.map(({ isBeside: _, ...one }) => one);
    expect(messages({ source: { nodes, edges: alone }, definition: states("d"), report })).toEqual([
      "The connection from “a” to “d” is lost",
    ]);
  });

  it("refuses with all places", () => {
    const report = { elements: elements.filter(({ name }) => name !== "d"), settings: [], notes: [] };
    expect(() => refuseLosses(source, { ...definition }, report)).toThrow(
      expect.objectContaining({
        code: "IMPORT_INCOMPLETE",
        path: "$.d",
        message: expect.stringContaining("“d” is lost"),
        fix: expect.stringContaining("Report the document"),
      }),
    );
  });
});
