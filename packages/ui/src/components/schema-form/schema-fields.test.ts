import type { Json, JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { inferSchema, parseField, toChanges, toFields, toFieldText, toMissing } from "./schema-fields.ts";

describe("toFields", () => {
  it("keeps the order its author gave, and takes several lines where the schema says so", () => {
    const properties = { a: { type: "string", contentMediaType: "text/plain" }, b: { type: "string" } };
    expect(toFields({ type: "object", properties, "x-order": ["b", "a"] })).toMatchObject([
      { name: "b", control: "text" },
      { name: "a", control: "long-text" },
    ]);
  });

  it("offers a control per property, by its type", () => {
    const fields = toFields({
      type: "object",
      required: ["orderId"],
      properties: {
        orderId: { type: "integer", title: "Order", description: "Its number" },
        amount: { type: ["number", "null"] },
        express: { type: "boolean" },
        message: { type: "string" },
        email: { type: "string" },
        size: { enum: ["s", "m"] },
        lines: { type: "array" },
        either: { type: ["string", "number"] },
      },
    });
    expect(fields?.map(({ name, control }) => [name, control])).toEqual([
      ["orderId", "integer"],
      ["amount", "number"],
      ["express", "boolean"],
      ["message", "long-text"],
      ["email", "text"],
      ["size", "choice"],
      ["lines", "json"],
      ["either", "json"],
    ]);
    expect(fields?.[0]).toMatchObject({ label: "Order", description: "Its number", required: true });
    expect(fields?.[1]).toMatchObject({ label: "Amount", required: false });
  });

  it("is null where a value must be edited as a whole", () => {
    expect(toFields(null)).toBeNull();
    expect(toFields({ type: "string" })).toBeNull();
  });

  it("offers typed controls for a value nobody described", () => {
    const fields = toFields(inferSchema({ amount: 3, text: "a", ok: true, list: [], none: null }));
    expect(fields?.map(({ control }) => control)).toEqual(["number", "long-text", "boolean", "json", "json"]);
  });
});

const LONG = "7615917337495251231";

describe("parseField", () => {
  const field = (control: Parameters<typeof parseField>[0]["control"], required = false, schema: JsonObject = {}) => ({
    control,
    required,
    schema,
  });
  it.each([
    ["integer", "42", { ok: true, value: 42 }],
    ["integer", "4.2", { ok: false, message: "Not a whole number" }],
    ["number", "4.2", { ok: true, value: 4.2 }],
    ["number", "four", { ok: false, message: "Not a number" }],
    ["json", '{"a":1}', { ok: true, value: { a: 1 } }],
    ["text", "a", { ok: true, value: "a" }],
    ["number", "", { ok: true, value: undefined }],
    ["integer", LONG, { ok: false, message: expect.stringContaining("more digits") }],
    ["number", "0.1234567890123456789", { ok: false, message: expect.stringContaining("more digits") }],
    ["number", "1e400", { ok: false, message: expect.stringContaining("more digits") }],
    ["number", "1e30", { ok: true, value: 1e30 }],
    ["number", "-.5", { ok: true, value: -0.5 }],
    ["json", `{"id":${LONG}}`, { ok: false, message: expect.stringContaining("$.id has more digits") }],
    ["json", `{"id":"${LONG}"}`, { ok: true, value: { id: LONG } }],
  ] as const)("%s takes %j", (control, text, result) => {
    expect(parseField(field(control), text)).toEqual(result);
  });

  it("keeps a long number as text where the schema takes text", () => {
    const int64 = { type: "integer", format: "int64" };
    expect(parseField(field("integer", false, int64), LONG)).toEqual({ ok: true, value: LONG });
    expect(parseField(field("integer", false, int64), "7")).toEqual({ ok: true, value: 7 });
    const ids = { type: "array", items: int64 };
    expect(parseField(field("json", false, ids), `[${LONG}]`)).toEqual({ ok: true, value: [LONG] });
  });

  it("refuses what is needed and empty, and what is no JSON", () => {
    expect(parseField(field("number", true), "")).toEqual({ ok: false, message: "Needed" });
    expect(parseField(field("text", true), "")).toEqual({ ok: false, message: "Needed" });
    expect(parseField(field("json"), "{")).toMatchObject({ ok: false, message: expect.stringContaining("Not JSON") });
  });

  it.each<[Parameters<typeof parseField>[0]["control"], Json]>([
    ["number", 4.2],
    ["text", "a"],
    ["json", { a: [1] }],
  ])("shows again what it read: %s %j", (control, value) => {
    expect(parseField(field(control), toFieldText({ control }, value))).toEqual({ ok: true, value });
  });
});

describe("toChanges", () => {
  it("names only what differs, with both values", () => {
    expect(toChanges({ amount: 240, order: 1, gone: 2 }, { amount: 200, order: 1, added: true })).toEqual([
      { name: "amount", before: 240, after: 200 },
      { name: "gone", before: 2, after: undefined },
      { name: "added", before: undefined, after: true },
    ]);
  });

  it("compares texts as a whole", () => {
    expect(toChanges("a", "a")).toEqual([]);
    expect(toChanges("a", "b")).toEqual([{ name: "", before: "a", after: "b" }]);
  });
});

it("names what must be filled in and is not", () => {
  const schema = {
    type: "object",
    properties: { orderId: { type: "integer" }, note: { type: "string", title: "A note" }, more: { type: "string" } },
    required: ["orderId", "note"],
  };
  expect(toMissing(schema, { note: "" })).toEqual(["Order id", "A note"]);
  expect(toMissing(schema, { orderId: 0, note: "x" })).toEqual([]);
  expect(toMissing(null, null)).toEqual([]);
});
