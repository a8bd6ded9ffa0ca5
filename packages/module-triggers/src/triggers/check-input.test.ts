import { expect, it } from "vitest";
import { checkInput } from "./check-input.ts";

const SCHEMA = {
  type: "object",
  properties: { topic: { type: "string" }, count: { type: "integer", maximum: 5 } },
  required: ["topic"],
};
const check = (input: Parameters<typeof checkInput>[0]["input"], arriving?: readonly string[]) => () =>
  checkInput({ input, arriving }, SCHEMA);

it("refuses an input that lacks what the workflow needs", () => {
  expect(check({ count: 1 })).toThrow("The workflow needs topic, which this trigger does not hand over");
  expect(check(null, ["scheduledAt", "timezone"])).toThrow("needs topic");
});

it("refuses a fixed value that does not fit, with its place", () => {
  expect(check({ topic: "news", count: 7 })).toThrow(expect.objectContaining({ path: "$.input.count" }));
});

it("takes what only a firing can tell", () => {
  for (const given of [check({ topic: "$.trigger.body.topic" }), check(null), check({ $cel: "trigger.body" })])
    expect(given).not.toThrow();
  expect(check("$.trigger.body", ["body"])).not.toThrow();
  expect(() => checkInput({ input: {}, arriving: undefined }, undefined)).not.toThrow();
});
