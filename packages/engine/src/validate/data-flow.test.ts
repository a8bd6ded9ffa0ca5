import type { Json, JsonObject } from "@oven/contract";
import { expect, it } from "vitest";
import { z } from "zod";
import type { CatalogEntry, NodeCatalog } from "../ports.ts";
import { validateDefinition } from "./validate-definition.ts";

const MODEL: CatalogEntry = {
  id: "test.model",
  version: 1,
  effect: "pure",
  input: z.looseObject({}) as CatalogEntry["input"],
  outputSchema: () => ({
    type: "object",
    properties: { text: { type: "string" }, object: { "x-type-from": { schema: "outputSchema" } } },
    required: ["text"],
    additionalProperties: false,
  }),
};
const CATALOG: NodeCatalog = { get: (src) => (src === MODEL.id ? MODEL : undefined), names: () => [MODEL.id] };
const CATEGORY = { type: "object", properties: { category: { type: "string" }, amount: { type: "number" } } };

const model = (input: JsonObject, onDone: Json, more: JsonObject = {}): JsonObject => ({
  invoke: { src: "test.model", input, onDone, ...more },
});

/** `classify`, then `ask` or not, then `use` with the given input. */
function warnings(use: JsonObject, guard: JsonObject = { type: "cel", params: { expression: "true" } }): string[][] {
  const definition = {
    initial: "classify",
    states: {
      classify: model({ outputSchema: CATEGORY }, [{ target: "ask", guard }, "use"]),
      ask: model({}, "use"),
      use: model(use, "end"),
      end: { type: "final" },
    },
  };
  const { problems } = validateDefinition(definition, CATALOG);
  return problems.map(({ rule, path, message, severity }) => [severity, rule, path, message]);
}

it("a field that the step's own schema does not have is a warning with the field that was meant", () => {
  expect(warnings({ prompt: "It is {{ $.classify_output.object.categorie }}" })).toEqual([
    [
      "warning",
      "unknown-field",
      "$.states.use.invoke.input.prompt",
      "$.classify_output.object.categorie: the output of classify has no categorie",
    ],
  ]);
  const typo = { type: "condition", params: { key: "output.object.categorie", operator: "==", value: "x" } };
  expect(warnings({}, { ...typo, params: { ...typo.params, key: "$.output.object.categorie" } })[0]?.[1]).toBe(
    "unknown-field",
  );
  expect(warnings({ prompt: "$.classify_output.txt | default(1)" })[0]?.[3]).toContain("has no txt");
  expect(warnings({ prompt: "$.classify_output.object.category", n: "$.classify_output.text" })).toEqual([]);
});

it("a result that is missing on one of the ways is a warning that names the way; a default answers it", () => {
  expect(warnings({ prompt: "{{ $.ask_output.text }}" })).toEqual([
    [
      "warning",
      "may-be-missing",
      "$.states.use.invoke.input.prompt",
      "$.ask_output.text: the result of ask is missing on the way classify → use",
    ],
  ]);
  expect(warnings({ prompt: "$.ask_output.text | default(null)" })).toEqual([]);
});

it("a result that no way leads over is a warning, an error that is handled elsewhere too", () => {
  expect(warnings({ prompt: "$.use_output.text" })[0]?.slice(1, 2)).toEqual(["never-there"]);
  expect(warnings({ prompt: "$.classify_error.message" })[0]?.slice(1, 2)).toEqual(["never-there"]);
});

it("a condition may ask about what is missing: it is false then", () => {
  const asks = { type: "condition", params: { key: "$.ask_output.text", operator: "==", value: "yes" } };
  expect(warnings({}, asks)).toEqual([]);
});

/** `classify`, then either `one` or `two`, which meet in `use`; `third` is on neither way. */
function warningsAfterTwoWays(prompt: string, between: JsonObject = {}): string[][] {
  const guard = { type: "cel", params: { expression: "true" } };
  const definition = {
    initial: "classify",
    states: {
      classify: model({}, [{ target: "one", guard }, "two"]),
      one: model({ outputSchema: CATEGORY }, "use"),
      two: model({}, "use"),
      ...between,
      use: model({ prompt }, "end"),
      end: { type: "final" },
    },
  };
  return validateDefinition(definition, CATALOG).problems.map(({ rule, message }) => [rule, message]);
}

it("another result as default answers it when on every way one of them is there", () => {
  expect(warningsAfterTwoWays("$.one_output.text | default($.two_output.text)")).toEqual([]);
  expect(warningsAfterTwoWays('$.one_output.text | default($.use_output.text | default("none"))')).toEqual([]);
  expect(warningsAfterTwoWays("$.one_output.text | default($.trigger.text)")).toEqual([]);
  expect(warningsAfterTwoWays("{{ $.one_output.text | default($.use_output.text) }}")).toEqual([
    [
      "may-be-missing",
      "$.one_output.text | default($.use_output.text): the result of one is missing on the way classify → two → use",
    ],
  ]);
});

it("a path that is a default is checked as any other", () => {
  expect(warningsAfterTwoWays("$.two_output.text | default($.one_output.object.categorie)")).toEqual([
    ["unknown-field", "$.one_output.object.categorie: the output of one has no categorie"],
  ]);
  expect(warningsAfterTwoWays("$.two_output.text | default($.on_output.text)")[0]?.[0]).toBe("unknown-path");
});

const TYPED = {
  type: "object",
  properties: { category: { type: "string", enum: ["bug", "praise"] }, amount: { type: "number" } },
};

/** The warnings of a choice that compares what `classify` answered. */
function comparing(guard: JsonObject): (string | undefined)[][] {
  const definition = {
    initial: "classify",
    states: {
      classify: model({ outputSchema: TYPED }, [{ target: "end", guard }, "other"]),
      other: model({}, "end"),
      end: { type: "final" },
    },
  };
  const { problems } = validateDefinition(definition, CATALOG);
  return problems.map(({ severity, rule, message, fix }) => [severity, rule, message, fix]);
}
const cel = (expression: string): JsonObject => ({ type: "cel", params: { expression } });
const condition = (key: string, operator: string, value: Json, more: JsonObject = {}): JsonObject => ({
  type: "condition",
  params: { key, operator, value },
  ...more,
});

it("CEL that reads a field or a step that is not there is told, wherever in the expression", () => {
  expect(comparing(cel('size(ctx.classify_output.object.categorie) > 0 || ctx.classify_output.text == "x"'))).toEqual([
    [
      "warning",
      "unknown-field",
      "ctx.classify_output.object.categorie: the output of classify has no categorie",
      "Did you mean category?",
    ],
  ]);
  expect(comparing(cel(`[{"object": {"nothing": 1}}].all(output, output.object.nothing == 1)`))).toEqual([]);
  expect(comparing(cel('output.object.categorie == "bug"'))[0]?.[1]).toBe("unknown-field");
  expect(comparing(cel('ctx.clasify_output.text == "x"'))).toEqual([
    ["warning", "unknown-path", "$.clasify_output: there is no state clasify", "Did you mean $.classify_output?"],
  ]);
  expect(warnings({ n: { $cel: "ctx.classify_output.object.categorie" } })[0]?.slice(1, 3)).toEqual([
    "unknown-field",
    '$.states.use.invoke.input.n["$cel"]',
  ]);
});

it("a comparison that has the same result in every run is told with what the values are", () => {
  const category = "$.classify_output.object.category";
  const amount = "$.classify_output.object.amount";
  expect(comparing(condition(category, "==", "bugs"))).toEqual([
    ["warning", "pointless-comparison", `${category} is never "bugs"`, 'Did you mean "bug"?'],
  ]);
  expect(comparing(condition("$.output.object.amount", ">", "100"))[0]?.[2]).toBe(
    '$.output.object.amount is number, which is compared with "100", a text: the result is always the same',
  );
  for (const guard of [
    condition(category, "in", ["question", "bug"]),
    condition(amount, "==", "7"),
    condition(amount, "contains", "7"),
    condition(amount, "matches", "7"),
    condition(category, "in", [1, 2]),
    cel('ctx.classify_output.object.category == "bugs"'),
    cel('"100" < ctx.classify_output.object.amount'),
    cel('output.object.category in ["bug", "question"]'),
  ])
    expect(comparing(guard).map(([, rule]) => rule)).toEqual(["pointless-comparison"]);
  for (const guard of [
    condition(category, "==", "bug"),
    condition(category, "!=", null),
    condition(category, "contains", "raise"),
    condition(amount, ">", "100", { loose: true }),
    condition(amount, ">", "$.classify_output.text"),
    condition("$.classify_output.object.other | default(1)", "==", "x", {}),
    cel("ctx.classify_output.object.amount > 100"),
    cel("ctx.classify_output.object.amount > double(ctx.classify_output.text)"),
  ])
    expect(comparing(guard).filter(([, rule]) => rule === "pointless-comparison")).toEqual([]);
});

it.each([
  ["in", "bug"],
  ["in", 3],
  ["matches", 3],
  ["matches", ["a"]],
  ["<", [1]],
  [">=", null],
  [">", { $literal: {} }],
])("%s %j is refused: no run has a value that fits", (operator, operand) => {
  expect(comparing(condition("$.classify_output.text", operator, operand))).toEqual([
    expect.arrayContaining(["error", "guard"]),
  ]);
});

const ORDERS: JsonObject = {
  type: "object",
  properties: {
    customer: { type: "object", properties: { name: { type: "string" } } },
    extra: { type: "object", properties: { a: {} }, additionalProperties: true },
    orders: {
      type: "array",
      items: {
        type: "object",
        properties: {
          id: { type: "string" },
          lines: { type: "array", items: { type: "object", properties: { sku: { type: "string" } } } },
        },
      },
    },
  },
};

/** A loop over `collection` whose one step has the input. */
function inLoop(input: JsonObject, loop: JsonObject = {}, body: JsonObject = {}): string[] {
  const definition: JsonObject = {
    initial: "each",
    payloadSchema: ORDERS,
    states: {
      each: {
        loop: {
          ...{ type: "forEach", collection: "$.trigger.orders", bodyInitial: "use", ...loop },
          bodyStates: { use: model(input, "used"), used: { type: "final" }, ...body },
          onDone: "end",
        },
      },
      end: { type: "final" },
    },
  };
  return validateDefinition(definition, CATALOG).problems.map(({ rule, message }) => `${rule}: ${message}`);
}

it("a field that the items of a loop do not have is a warning, by either name, in templates and in CEL", () => {
  const unknown = "the items of each have no body";
  expect(inLoop({ prompt: "{{ $.item.body }}" })).toEqual([`unknown-field: $.item.body: ${unknown}`]);
  expect(inLoop({ prompt: "$.order.body" }, { itemVariable: "order" })).toEqual([
    `unknown-field: $.order.body: ${unknown}`,
  ]);
  expect(inLoop({ prompt: { $cel: "item.body" } })).toEqual([`unknown-field: item.body: ${unknown}`]);
  expect(inLoop({ prompt: "{{ $.item.id }} {{ $.index }} {{ $.item.lines[0].sku }}" })).toEqual([]);
  // Nothing is known of what a computed collection holds.
  expect(inLoop({ prompt: "$.item.body" }, { collection: { $cel: "trigger.orders" } })).toEqual([]);
});

it("of loops in each other `item` is of the innermost, and a name of its own loop", () => {
  const inner = {
    inner: {
      loop: {
        ...{ type: "forEach", collection: "$.trigger.orders[0].lines", bodyInitial: "look" },
        bodyStates: {
          look: model({ prompt: "{{ $.item.id }} {{ $.order.sku }} {{ $.item.sku }}" }, "seen"),
          seen: { type: "final" },
        },
        onDone: "used",
      },
    },
  };
  const input = { prompt: "$.item.id" };
  expect(
    inLoop(input, { itemVariable: "order", bodyInitial: "inner" }, { ...inner, use: model(input, "inner") }),
  ).toEqual(
    expect.arrayContaining([
      "unknown-field: $.item.id: the items of inner have no id",
      "unknown-field: $.order.sku: the items of each have no sku",
    ]),
  );
});

it("a field inside the payload that its schema does not have is a warning, unless the schema says that there are others", () => {
  const payload = (prompt: Json) => inLoop({ prompt });
  expect(payload("$.trigger.customer.nmae")).toEqual([
    "unknown-field: $.trigger.customer.nmae: the payloadSchema has no nmae",
  ]);
  expect(payload({ $cel: "trigger.customer.nmae" })).toEqual([
    "unknown-field: trigger.customer.nmae: the payloadSchema has no nmae",
  ]);
  expect(payload("$.trigger.extra.anything")).toEqual([]);
  expect(payload("$.trigger.customer.name")).toEqual([]);
  expect(payload("$.trigger.custmer.name")).toEqual(["unknown-path: $.trigger.custmer is not in the payloadSchema"]);
});
