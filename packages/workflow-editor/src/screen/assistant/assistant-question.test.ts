import { describe, expect, it } from "vitest";
import { readQuestion } from "./assistant-question.tsx";

const review = (answer: object, more: object = {}) => ({
  actions: ["submit", "decline"],
  schema: { type: "object", properties: { answer: { type: "string", ...answer }, ...more } },
  mayDecide: true,
});

describe("a question of the assistant", () => {
  it("has options, or takes any words", () => {
    expect(readQuestion(review({ enum: ["Hello", "Hi"] }))).toEqual({ options: ["Hello", "Hi"] });
    expect(readQuestion(review({}))).toEqual({ options: [] });
  });

  it("is no other form, nothing that is not asked of this person, and no approval", () => {
    expect(readQuestion(review({}, { note: { type: "string" } }))).toBeNull();
    expect(readQuestion(review({ type: "integer" }))).toBeNull();
    expect(readQuestion({ ...review({}), mayDecide: false })).toBeNull();
    expect(readQuestion({ ...review({}), actions: ["approve", "reject"] })).toBeNull();
    expect(readQuestion({ ...review({}), schema: null })).toBeNull();
  });
});
