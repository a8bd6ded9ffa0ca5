import type { Guard } from "@oven/contract/workflow";
import { expect, it } from "vitest";
import { readsAction } from "./reads-action.ts";

const condition = (key: string): Guard => ({ type: "condition", params: { key, operator: "==", value: "reject" } });
const cel = (expression: string): Guard => ({ type: "cel", params: { expression } });

it.each<[Guard, boolean]>([
  [condition("$.review_output.action"), true],
  [condition('$["review_output"].action'), true],
  [condition("$.review.action"), true],
  [condition("$.output.action"), true],
  [condition("$.other_output.action"), false],
  [condition("$.review_output.data.action"), false],
  [condition("$.trigger.action"), false],
  [cel('ctx.review_output.action == "reject"'), true],
  [cel('ctx.trigger.action == "reject"'), false],
  [{ type: "not", guard: condition("$.review_output.action") }, true],
  [{ type: "all", guards: [condition("$.trigger.a"), { type: "any", guards: [cel("output.action == 'a'")] }] }, true],
  [{ type: "any", guards: [condition("$.trigger.a")] }, false],
])("%j reads the decision of `review`: %s", (guard, reads) => {
  expect(readsAction(guard, "review")).toBe(reads);
});
