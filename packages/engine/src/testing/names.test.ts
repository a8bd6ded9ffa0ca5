import type { Json, JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { setOwn } from "../expressions/json-access.ts";
import { validateDefinition } from "../validate/validate-definition.ts";
import { EngineHarness } from "./engine-harness.ts";
import { type ScriptedNode, ScriptedNodes } from "./scripted-nodes.ts";

const NAMES = [
  ...Object.getOwnPropertyNames(Object.prototype),
  "prototype",
  "then",
  "length",
  "",
  "é".normalize("NFC"),
  "é".normalize("NFD"),
  "🚀",
  "a b",
  "a.b",
  '"',
  "n".repeat(200),
];
const echo: ScriptedNode = { run: ({ input }) => ({ type: "done", output: input as JsonObject }) };
const waits: ScriptedNode = {
  run: () => ({ type: "wait", for: "event", request: { event: "go", correlation: null, dueAt: null } }),
  resume: (_call, signal) => ({ type: "done", output: { said: signal.type === "event" ? signal.payload : null } }),
};
const nodes = { echo, waits };
const keyed = (name: string, value: Json): JsonObject => {
  const made: JsonObject = {};
  setOwn(made, name, value);
  return made;
};
const at = (name: string): string => `[${JSON.stringify(name)}]`;

/** Each place that takes a name: a definition with it there, and the input whose `x` the run must hand back. */
const PLACES: Record<string, (name: string) => { definition: JsonObject; input?: JsonObject }> = {
  "a state": (name) => ({
    definition: {
      initial: name,
      states: {
        ...keyed(name, { invoke: { src: "echo", input: { x: "$.trigger.x" }, onDone: "again" } }),
        again: { invoke: { src: "echo", input: { x: `$${at(`${name}_output`)}.x` }, onDone: "done" } },
        done: { type: "final", output: "$.again_output.x" },
      },
    },
  }),
  "a state that is visited twice": (name) => ({
    definition: {
      initial: name,
      context: { n: 0 },
      states: {
        ...keyed(name, {
          invoke: {
            src: "echo",
            input: { x: "$.trigger.x" },
            onDone: [
              { target: "done", guard: { type: "condition", params: { key: "$.n", operator: ">", value: 0 } } },
              { target: name, reenter: true, actions: [{ type: "assign", params: { path: "$.n", add: 1 } }] },
            ],
          },
        }),
        done: { type: "final", output: `$${at(`${name}_output`)}.x` },
      },
    },
  }),
  "a region": (name) => ({
    definition: {
      initial: "both",
      states: {
        both: {
          type: "parallel",
          states: {
            ...keyed(name, {
              initial: "inner",
              states: {
                inner: { invoke: { src: "echo", input: { x: "$.trigger.x" }, onDone: "end" } },
                end: { type: "final" },
              },
            }),
            other: { initial: "idle", states: { idle: { type: "final" } } },
          },
          onDone: "done",
        },
        done: { type: "final", output: "$.inner_output.x" },
      },
    },
  }),
  "a variable": (name) => ({
    definition: {
      initial: "set",
      context: keyed(name, null),
      states: {
        set: {
          invoke: {
            src: "echo",
            input: { x: "$.trigger.x" },
            onDone: [
              { target: "done", actions: [{ type: "assign", params: { path: `$${at(name)}`, value: "$.output.x" } }] },
            ],
          },
        },
        done: { type: "final", output: `$${at(name)}` },
      },
    },
  }),
  "a key of the input": (name) => ({
    input: keyed(name, "the value"),
    definition: {
      initial: "done",
      payloadSchema: { type: "object", properties: keyed(name, { type: "string" }), required: [name] },
      states: { done: { type: "final", output: `$.trigger${at(name)}` } },
    },
  }),
  "a key of an output": (name) => ({
    definition: {
      initial: "one",
      states: {
        one: { invoke: { src: "echo", input: { all: keyed(name, "$.trigger.x") }, onDone: "done" } },
        done: { type: "final", output: `$.one_output.all${at(name)}` },
      },
    },
  }),
  "an input of a node": (name) => ({
    definition: {
      initial: "one",
      states: {
        one: { invoke: { src: "echo", input: keyed(name, "$.trigger.x"), onDone: "done" } },
        done: { type: "final", output: `$.one_output${at(name)}` },
      },
    },
  }),
  "the item of a loop": (name) => ({
    definition: {
      initial: "each",
      states: {
        each: {
          loop: {
            type: "forEach",
            collection: ["$.trigger.x"],
            itemVariable: name,
            bodyInitial: "one",
            bodyStates: {
              one: { invoke: { src: "echo", input: { x: `$${at(name)}` }, onDone: "end" } },
              end: { type: "final" },
            },
            onDone: "done",
          },
        },
        done: { type: "final", output: "$.each_output.items[0].output.x" },
      },
    },
  }),
  "an event": (name) => ({
    definition: {
      initial: "one",
      states: {
        one: {
          invoke: { src: "waits", onDone: "done" },
          on: keyed(name, { target: "done" }),
        },
        done: { type: "final", output: "$.trigger.x" },
      },
    },
  }),
  "an agent's variable in CEL": (name) => ({
    definition: {
      initial: "one",
      context: keyed(name, "the value"),
      states: {
        one: { invoke: { src: "echo", input: { x: { $cel: `ctx${at(name)}` } }, onDone: "done" } },
        done: { type: "final", output: "$.one_output.x" },
      },
    },
  }),
};

describe.each(Object.keys(PLACES))("as %s", (place) => {
  it.each(NAMES)("%j is refused at its place, or a run hands its value on", async (name) => {
    const { definition, input = { x: "the value" } } = PLACES[place]?.(name) ?? { definition: {} };
    const json = JSON.parse(JSON.stringify(definition)) as JsonObject; // cast: JSON, as it comes in from outside
    const { problems } = validateDefinition(json, new ScriptedNodes(nodes));
    const errors = problems.filter(({ severity }) => severity === "error");
    if (errors.length > 0) {
      // What is refused is the name, and a text for people.
      expect(errors.map(({ rule }) => rule)).not.toContain("compile");
      for (const { message, fix } of errors) expect(`${message} ${fix}`).not.toMatch(/undefined|\[native|\[object/);
      return;
    }
    const harness = new EngineHarness(json, nodes);
    const id = await harness.execute(input);
    if (place === "an event") {
      await harness.send(id, name);
    }
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: "the value" });
  });
});
