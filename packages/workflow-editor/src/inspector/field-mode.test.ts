import type { Json } from "@oven/contract";
import { expect, it } from "vitest";
import { type FieldMode, modeOf } from "./field-mode.ts";
import type { Shape } from "./shape.ts";

const text: Shape = { kind: "text", long: false, limits: {} };
const number: Shape = { kind: "number", integer: false, limits: {} };
const free: Shape = { kind: "free", object: false };
const closed: Shape = { kind: "object", open: false, fields: [] };

it.each<[Shape, Json | undefined, FieldMode]>([
  [text, "Hello {{ $.trigger.name }}", "text"],
  [text, undefined, "text"],
  [text, { $cel: "ctx.a" }, "cel"],
  [text, { $literal: "{{ stays }}" }, "literal"],
  [text, 3, "json"],
  [number, 3, "fixed"],
  [number, "$.trigger.amount", "text"],
  [number, "$5", "json"],
  [number, undefined, "fixed"],
  [number, { $literal: 3 }, "json"],
  [free, "$.a", "text"],
  [free, { a: "$.a" }, "json"],
  [free, 100, "text"],
  // Shown as it is, it would come back as a number.
  [free, "100", "json"],
  [closed, {}, "fixed"],
  // A key that no control shows must not be hidden.
  [closed, { unknown: 1 }, "json"],
])("%j with %j is given as %s", (shape, value, mode) => {
  expect(modeOf(shape, value)).toBe(mode);
});

it("is fixed where it is picked from a list, until it is an expression", () => {
  expect(["fast", "$.trigger.model", undefined].map((value) => modeOf(text, value, true))).toEqual([
    "fixed",
    "text",
    "fixed",
  ]);
});
