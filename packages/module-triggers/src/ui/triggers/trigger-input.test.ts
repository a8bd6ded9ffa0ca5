import { expect, it } from "vitest";
import { isReference, pathsOf, toFieldProblems, toInputWay } from "./trigger-input.ts";

const payloadSchema = {
  type: "object",
  properties: { order: { type: "integer" }, orderNote: { type: "string" } },
  required: ["order"],
};

it("asks for fields where what arrives cannot be enough, and hands it over as it is elsewhere", () => {
  expect(toInputWay(null, { payloadSchema, arriving: ["scheduledAt"] })).toBe("fields");
  expect(toInputWay(null, { payloadSchema, arriving: ["order"] })).toBe("arrives");
  expect(toInputWay(null, { payloadSchema, arriving: null })).toBe("arrives");
  expect(toInputWay({ order: 7 }, { payloadSchema, arriving: null })).toBe("fields");
});

it("shows as JSON what has no fields", () => {
  expect(toInputWay({ order: 7 }, { payloadSchema: null, arriving: null })).toBe("json");
  expect(toInputWay({ $cel: "ctx.body" }, { payloadSchema, arriving: null })).toBe("json");
});

it("tells what is read from what arrives from fixed texts", () => {
  expect(["$.body.order", "Order {{ $.id }}", '$["a b"]', "$config.SHOP"].map(isReference)).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(["$5 off", "order", 7, undefined].map(isReference)).toEqual([false, false, false, false]);
});

it("offers the paths of an example", () => {
  expect(pathsOf({ body: { order: 7 }, "x-id": "a" })).toEqual(["$.body", "$.body.order", '$["x-id"]']);
});

it("puts a problem at its field", () => {
  const refused = { path: "$.input", message: "The workflow needs order" };
  expect(toFieldProblems(refused, { orderNote: "a" }, payloadSchema)).toEqual({ order: "The workflow needs this" });
  const wrong = { path: "$.input.orderNote[0]", message: "must be text" };
  expect(toFieldProblems(wrong, {}, payloadSchema)).toEqual({ orderNote: "must be text" });
  expect(toFieldProblems({ path: "$.config.cron", message: "no" }, {}, payloadSchema)).toEqual({});
});
