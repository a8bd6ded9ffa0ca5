import { expect, it } from "vitest";
import { reviewerFields } from "./reviewer-fields.ts";

const definition = (output: object) => ({
  initial: "review",
  states: {
    review: { invoke: { src: "agent.humanReview", input: { show: "x" }, onDone: "done" } },
    other: { invoke: { src: "core.transform", input: { mapping: { reviewer: 7 } }, onDone: "done" } },
    done: { type: "final", output: { ...output } },
  },
});

it("knows which fields of a result are people who decided", () => {
  expect([
    ...reviewerFields(
      definition({
        reply: "$.review_output.data",
        approvedBy: "$.review_output.reviewer",
        count: "$.other_output.reviewer",
      }),
    ),
  ]).toEqual(["approvedBy"]);
});

it("takes no field whose value is computed from something else", () => {
  expect([
    ...reviewerFields(definition({ by: "{{ $.review_output.reviewer }}", gone: "$.gone_output.reviewer" })),
  ]).toEqual([]);
  expect([...reviewerFields({})]).toEqual([]);
});
