import type { Json, JsonObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { describe, expect, it } from "vitest";
import { toCelText, valueIn, variablesAt } from "./variables.ts";

const step = (onDone: Json, more: JsonObject = {}): JsonObject => ({ invoke: { src: "core.log", onDone, ...more } });
const end = { type: "final" };
const nodeType = (id: string, properties: JsonObject) =>
  ({ id, outputSchema: { type: "object", properties } }) as unknown as NodeType; // cast: the parts that are read
/** The results in scope: `a` always, `a?` maybe, `!a` its error. */
function traces(definition: object, stateId: string): string[] {
  return variablesAt(definition as JsonObject, stateId, undefined) // cast: JSON
    .filter(({ keys }) => keys.length === 1 && /_(output|error)$/.test(keys[0] ?? ""))
    .map(
      ({ keys, always }) =>
        `${(keys[0] ?? "").replace("_output", "").replace(/^(.*)_error$/, "!$1")}${always ? "" : "?"}`,
    );
}

describe("results in scope", () => {
  it("are those before the state, never its own or later ones", () => {
    const definition = { initial: "a", states: { a: step("b"), b: step("c"), c: step("end"), end } };
    expect(["a", "b", "end"].map((id) => traces(definition, id))).toEqual([[], ["a"], ["a", "b", "c"]]);
  });

  it("are certain only where every branch has them", () => {
    const definition = {
      initial: "a",
      states: {
        a: step([{ target: "left", guard: {} }, "right"]),
        left: step("join"),
        right: step("join"),
        join: step("end"),
        end,
      },
    };
    expect(traces(definition, "join")).toEqual(["a", "left?", "right?"]);
  });

  it("are uncertain where a state is met again", () => {
    const definition = { initial: "a", states: { a: step("b"), b: step([{ target: "a", guard: {} }, "end"]), end } };
    expect(traces(definition, "a")).toEqual(["a?", "b?"]);
    expect(traces(definition, "b")).toEqual(["a", "b?"]);
  });

  it("of a failed step are not there, its error is", () => {
    const definition = {
      initial: "a",
      states: { a: step("b", { onError: "sorry" }), b: step("end"), sorry: step("end"), end },
    };
    expect(traces(definition, "sorry")).toEqual(["!a"]);
    expect(traces(definition, "end")).toEqual(["a?", "!a?", "b?", "sorry?"]);
  });

  it("of all regions are there after a parallel state, and of the others not within one", () => {
    const region = (name: string) => ({ initial: name, states: { [name]: step(`${name}End`), [`${name}End`]: end } });
    const definition = {
      initial: "a",
      states: {
        a: step("both"),
        both: { type: "parallel", states: { one: region("x"), two: region("y") }, onDone: "after" },
        after: step("end"),
        end,
      },
    };
    expect(traces(definition, "y")).toEqual(["a"]);
    expect(traces(definition, "after")).toEqual(["a", "both", "one", "x", "two", "y"]);
  });

  it("of a compound state's children are there once it is done; an event may come before they are", () => {
    const definition = {
      initial: "group",
      states: {
        group: {
          initial: "x",
          states: { x: step("y"), y: step("yEnd"), yEnd: end },
          onDone: "after",
          on: { "a.stop": "stopped" },
        },
        after: step("end"),
        stopped: step("end"),
        end,
      },
    };
    expect(traces(definition, "after")).toEqual(["group", "x", "y"]);
    expect(traces(definition, "stopped")).toEqual(["x?", "y?"]);
  });

  it("of a loop's body are uncertain after it, for it may have had no round, and stay with rounds side by side", () => {
    const loop = (more: object) => ({
      initial: "each",
      states: {
        each: {
          loop: {
            type: "forEach",
            collection: [],
            bodyInitial: "x",
            bodyStates: { x: step("xEnd"), xEnd: end },
            onDone: "after",
            ...more,
          },
        },
        after: step("end"),
        end,
      },
    });
    expect(traces(loop({}), "x")).toEqual(["each", "x?"]);
    expect(traces(loop({}), "after")).toEqual(["each", "x?"]);
    expect(traces(loop({ concurrency: 4 }), "after")).toEqual(["each"]);
  });

  it("leave out a disabled step; what no way leads to yet may be joined later", () => {
    const definition = {
      initial: "a",
      states: { a: { ...step("b"), disabled: true }, b: step("end"), lost: step("b"), end },
    };
    expect(traces(definition, "b")).toEqual(["lost?"]);
  });
});

describe("variables", () => {
  const definition: JsonObject = {
    initial: "each",
    payloadSchema: {
      type: "object",
      properties: {
        order: { type: "object", properties: { id: { type: "integer", description: "Its number" } }, required: ["id"] },
      },
      required: ["order"],
    },
    context: { tries: 0 },
    states: {
      each: {
        loop: {
          type: "forEach",
          collection: "$.trigger.lines",
          itemVariable: "line",
          bodyInitial: "x",
          bodyStates: { x: step("xEnd"), xEnd: end },
          onDone: "end",
        },
      },
      end: { type: "final", entry: [{ type: "assign", params: { path: "$.closed", value: true } }] },
    },
  };
  const at = (stateId: string) => variablesAt(definition, stateId, undefined);
  const find = (stateId: string, path: string) => at(stateId).find((variable) => variable.path === path);

  it("are the payload by its schema, with types", () => {
    expect(find("x", "$.trigger.order.id")).toMatchObject({
      type: "integer",
      description: "Its number",
      always: true,
      group: "Payload",
    });
  });

  it("are the context's, certain, and assigned ones, uncertain", () => {
    expect(find("x", "$.tries")).toMatchObject({ type: "number", always: true });
    expect(find("x", "$.closed")).toMatchObject({ always: false });
  });

  it("are an item and an index inside a loop only", () => {
    expect([find("x", "$.line"), find("x", "$.index")].map((variable) => variable?.group)).toEqual([
      "Loop each",
      "Loop each",
    ]);
    expect(find("end", "$.line")).toBeUndefined();
  });

  it("have types of the node's output schema", () => {
    const types = [
      {
        id: "core.log",
        outputSchema: { type: "object", properties: { message: { type: "string" } }, required: ["message"] },
      },
    ];
    const simple = { initial: "a", states: { a: step("b"), b: end } } as JsonObject; // cast: JSON
    const found = variablesAt(simple, "b", types as never); // cast: only these keys are read
    expect(found.find(({ path }) => path === "$.a_output.message")).toMatchObject({
      type: "string",
      always: true,
      group: "a",
    });
  });

  it("are what a condition follows: the result just produced, the error, or the event", () => {
    const steps = { initial: "a", states: { a: step("b", { onError: "b" }), b: end } } as JsonObject; // cast: JSON
    const roots = (after: "done" | "error" | "event" | null) =>
      variablesAt(steps, "a", undefined, { after })
        .filter(({ keys }) => keys.length === 1 && /^(output|event|a_.*)$/.test(keys[0] ?? ""))
        .map(({ path, always }) => `${path}${always ? "" : "?"}`);
    expect(roots(null)).toEqual([]);
    expect(roots("done")).toEqual(["$.output", "$.a_output"]);
    expect(roots("error")).toEqual(["$.a_error"]);
    expect(roots("event")).toEqual(["$.event"]);
    // Met again, its result of the time before is there already: it is listed once.
    const loop = { initial: "a", states: { a: step([{ target: "a", guard: {} }, "b"]), b: end } } as JsonObject; // cast: JSON
    const own = variablesAt(loop, "a", undefined, { after: "done" }).filter(({ path }) => path === "$.a_output");
    expect(own).toMatchObject([{ always: true }]);
  });

  it("are the conversation and the keys of the configuration, which CEL does not read", () => {
    const config = [{ key: "MAX_TOOL_ITERATIONS", schema: { type: "number" } }];
    const found = variablesAt(definition, "end", undefined, { config });
    expect(found.find(({ path }) => path === "$.messages")).toMatchObject({ type: "array", group: "Conversation" });
    const key = found.find(({ group }) => group === "Configuration");
    expect(key).toMatchObject({ path: "$config.MAX_TOOL_ITERATIONS", type: "number", always: true });
    expect(toCelText(key?.keys ?? [])).toBeNull();
  });

  it("have the types of what a tool declares, and of an output that was pinned", () => {
    const nodeTypes = [
      nodeType("core.http", { body: { "x-type-from": { sample: "body" } } }),
      nodeType("mcp.callTool", { structured: { "x-type-from": [{ called: "tool" }, { sample: "structured" }] } }),
    ];
    const steps = {
      initial: "ask",
      states: {
        ask: { invoke: { src: "core.http", input: {}, onDone: "find" } },
        find: { invoke: { src: "mcp.callTool", input: { tool: "mcp.shop.find" }, onDone: "end" } },
        end,
      },
    };
    const found = variablesAt(steps, "end", nodeTypes, {
      calledOutput: (called, { tool }) =>
        called === "tool" && tool === "mcp.shop.find"
          ? { type: "object", properties: { count: { type: "integer" } }, required: ["count"] }
          : undefined,
      sampleOf: (stateId) => (stateId === "ask" ? { status: 200, body: { order: { id: 7 } } } : undefined),
    });
    expect(found.find(({ path }) => path === "$.ask_output.body.order.id")).toMatchObject({
      type: "number",
      always: false,
    });
    expect(found.find(({ path }) => path === "$.find_output.structured.count")).toMatchObject({
      type: "integer",
      always: true,
    });
  });

  it("have the values of a run, and a spelling in CEL", () => {
    const run = { input: { order: { id: 8841 } }, context: { tries: 2, "odd key": 1 } };
    const order = find("x", "$.trigger.order.id");
    const tries = find("x", "$.tries");
    expect([order, tries].map((variable) => variable && valueIn(run, variable))).toEqual([8841, 2]);
    expect(toCelText(["odd key", "a-b", "c"])).toBe('ctx["odd key"]["a-b"].c');
    // These stand beside `ctx`, not in it.
    expect(toCelText(["trigger", "a-b"])).toBe('trigger["a-b"]');
    expect(toCelText(["output", "text"])).toBe("output.text");
  });
});
