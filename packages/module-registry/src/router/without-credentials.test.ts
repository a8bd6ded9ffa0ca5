import type { Json } from "@oven/contract";
import { credential } from "@oven/contract/access";
import { expect, it } from "vitest";
import { z } from "zod";
import { withoutCredentials } from "./without-credentials.ts";

const Row = z.strictObject({ name: z.string(), token: credential(z.string().nullable()) });
const ROW = { name: "a", token: "let-me-in" };
const LEFT = { name: "a", token: null };

it.each<[string, z.ZodType, Json, Json]>([
  ["an object", Row, ROW, LEFT],
  ["a list", z.array(Row), [ROW, ROW], [LEFT, LEFT]],
  ["a record", z.record(z.string(), Row), { x: ROW }, { x: LEFT }],
  ["what may be absent", z.object({ row: Row.optional() }), { row: ROW }, { row: LEFT }],
  ["what may be null", z.object({ row: Row.nullable() }), { row: ROW }, { row: LEFT }],
  ["what has a default", z.object({ row: Row.default(ROW) }), { row: ROW }, { row: LEFT }],
  ["one of several", z.union([z.number(), z.object({ row: Row })]), { row: ROW }, { row: LEFT }],
  [
    "what is transformed",
    z
      .string()
      .transform((text): unknown => JSON.parse(text))
      .pipe(Row),
    ROW,
    LEFT,
  ],
  ["what refers to itself", z.lazy(() => Row), ROW, LEFT],
  ["an extended object", Row.extend({ more: z.string() }), { ...ROW, more: "m" }, { ...LEFT, more: "m" }],
])("leaves a credential out of %s", (_, schema, value, left) => {
  expect(withoutCredentials(schema, value)).toEqual(left);
});

it("leaves everything else as it is, fields that the schema does not know included", () => {
  const value = { name: "a", token: "x", toString: "own", list: [1, "two", null] };
  expect(withoutCredentials(z.looseObject({ name: z.string(), token: z.string() }), value)).toEqual(value);
  expect(withoutCredentials(z.string(), "text")).toBe("text");
  expect(withoutCredentials(z.unknown(), [ROW])).toEqual([ROW]);
});
