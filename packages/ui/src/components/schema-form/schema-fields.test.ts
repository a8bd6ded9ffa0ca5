import type { Json } from "@oven/contract";
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

describe("parseField", () => {
  const field = (control: Parameters<typeof parseField>[0]["control"], required = false) => ({ control, required });
  it.each([
    ["integer", "42", { ok: true, value: 42 }],
    ["integer", "4.2", { ok: false, message: "Not a whole number" }],
    ["number", "4.2", { ok: true, value: 4.2 }],
    ["number", "four", { ok: false, message: "Not a number" }],
    ["json", '{"a":1}', { ok: true, value: { a: 1 } }],
    ["text", "a", { ok: true, value: "a" }],
    ["number", "", { ok: true, value: undefined }],
  ] as const)("%s takes %j", (control, text, result) => {
    expect(parseField(field(control), text)).toEqual(result);
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
