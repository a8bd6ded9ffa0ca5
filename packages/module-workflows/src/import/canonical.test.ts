import type { Json, JsonObject } from "@oven/contract";
import type { Definition, State } from "@oven/contract/workflow";
import { validateDefinition } from "@oven/engine";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { normalizeDialect } from "./normalize-dialect.ts";

/** A small generator of canonical definitions: every form of value, guard, transition and action. */
class Draw {
  #state: number;
  constructor(seed: number) {
    this.#state = seed * 2_654_435_761 + 1;
  }
  below(limit: number): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((this.#state / 2 ** 32) * limit);
  }
  of<T>(choices: readonly [T, ...T[]]): T {
    return choices[this.below(choices.length)] ?? choices[0];
  }
  chance(): boolean {
    return this.below(2) === 0;
  }
}

function value(draw: Draw, depth = 0): Json {
  const leaf: Json = draw.of<Json>([
    "$.trigger.text",
    '$.rows[0]["a.0.b"].name',
    "$.rows[-1] | default(0)",
    "Hi {{ $.trigger.text }}, \\{{ not }}",
    "{{$.trigger.text}}",
    { $literal: "$.a.0.b {{x}}" },
    { $cel: "ctx.n + 1" },
    "plain a.0.b text",
    0,
    null,
    true,
  ]);
  if (depth > 2 || draw.chance()) return leaf;
  return draw.chance()
    ? [value(draw, depth + 1), leaf]
    : { params: value(draw, depth + 1), body: leaf, id: value(draw, depth + 1), config: leaf };
}

function guard(draw: Draw, depth = 0): JsonObject {
  const leaf: JsonObject = draw.of<JsonObject>([
    { type: "condition", params: { key: "$.n", operator: "==", value: "5" } },
    { type: "condition", params: { key: "$.s0_output.rows[0].n", operator: "in", value: [1, "$.b"] } },
    { type: "condition", params: { key: "$.n", operator: "exists" } },
    { type: "condition", params: { key: "$.n", operator: ">=", value: 1 }, loose: true },
    { type: "cel", params: { expression: "ctx.n > 1" } },
  ]);
  if (depth > 1 || draw.chance()) return leaf;
  return draw.chance()
    ? { type: "not", guard: guard(draw, depth + 1) }
    : { type: draw.of(["all", "any"]), guards: [guard(draw, depth + 1), leaf] };
}

function transition(draw: Draw, target: string): Json {
  const actions: Json[] = [
    { type: "assign", params: { path: "$.n", value: value(draw) }, guard: guard(draw) },
    { type: "log", params: { message: "{{ $.n }}" } },
  ];
  return draw.of<Json>([
    target,
    { target },
    [{ target, guard: guard(draw), actions }, target],
    [
      { target, guard: guard(draw) },
      { target, meta: { "a.0": "$.x.0.y" } },
    ],
  ]);
}

function definition(seed: number): JsonObject {
  const draw = new Draw(seed);
  const count = 1 + draw.below(5);
  const states: JsonObject = {};
  for (let i = 0; i < count; i++) {
    const next = i + 1 < count ? `s${i + 1}` : "end";
    states[`s${i}`] = draw.of<() => JsonObject>([
      () => ({
        label: "Always {{ $.a.0 }}",
        invoke: {
          src: "core.transform",
          input: { mapping: { any: value(draw), other: value(draw) } },
          onDone: transition(draw, next),
          ...(draw.chance() ? { onError: transition(draw, next) } : {}),
        },
      }),
      () => ({ always: transition(draw, next), ...(draw.chance() ? { meta: { _meta: 1 } } : {}) }),
      () => ({ invoke: { src: "core.http", input: { url: "$.u", body: value(draw) }, onDone: next } }),
    ])();
  }
  states.end = { type: "final", output: value(draw) };
  return {
    initial: "s0",
    states,
    context: { n: 0, u: "$.a.0", a: ["{{$.b}}"], s0_rows: [], rows: [], b: 1 },
    payloadSchema: { type: "object", properties: { text: { type: "string" } } },
    meta: { positions: { s0: { x: 1, y: 2 } } },
  };
}

const catalog = {
  get: (src: string) => ({ id: src, version: 1, effect: "pure" as const, input: z.looseObject({}) }),
  names: () => ["core.transform", "core.http"],
};

describe("canonical definitions", () => {
  it("come back from an import as they were, whatever they are made of", () => {
    for (let seed = 1; seed <= 500; seed++) {
      const document = definition(seed);
      expect(normalizeDialect(document), `seed ${seed}`).toEqual({ definition: document, changes: [] });
    }
  });

  it("and what was generated is canonical", () => {
    for (let seed = 1; seed <= 500; seed++) {
      const { problems } = validateDefinition(definition(seed), catalog);
      expect(
        problems.filter(({ severity }) => severity === "error"),
        `seed ${seed}`,
      ).toEqual([]);
    }
  });

  it("what an import made is canonical: a second one changes nothing", () => {
    const dialects: JsonObject = {
      always: {
        invoke: { type: "llm", input: { systemPrompt: "{{$.a.0}}" } },
        always: [{ target: "ask", guard: { key: "n", operator: "==", value: 1 } }, "ask"],
      },
      ask: {
        invoke: { src: "human-review", input: { proposal: "{{ $.always.text }}" }, outputKey: "answer" },
        on: { done: "pick" },
      },
      pick: {
        invoke: { src: "switch", input: { field: "answer.decision", cases: { approved: "done" }, default: "always" } },
      },
      done: { type: "final", _meta: { x: 1 } },
    };
    const first = normalizeDialect({ initial: "always", states: dialects, payloadSchema: [{ name: "a" }] });
    expect(first.changes.length).toBeGreaterThan(8);
    expect(normalizeDialect(first.definition)).toEqual({ definition: first.definition, changes: [] });
    const { states } = first.definition as unknown as Definition; // cast: it was normalised
    expect(Object.keys(states satisfies Record<string, State>)).toEqual(["always", "ask", "pick", "done"]);
  });
});
