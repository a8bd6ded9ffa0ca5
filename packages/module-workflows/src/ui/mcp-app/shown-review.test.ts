import type { McpReviewView } from "@oven/contract/mcp";
import { expect, it } from "vitest";
import { nextShown } from "./shown-review.ts";

const review = (id: number, digest: string, mayDecide = true) => ({ id, digest, mayDecide }) as McpReviewView; // cast: what is looked at

it("shows the first review that the reader may decide, and nothing where none is open", () => {
  expect(nextShown(undefined, [])).toBeUndefined();
  expect(nextShown(undefined, [review(1, "a", false), review(2, "b")])?.review.id).toBe(2);
  expect(nextShown(undefined, [review(1, "a", false)])?.review.id).toBe(1);
});

it("stays with the proposal that was shown when it changes, and says what it has become", () => {
  const before = { review: review(1, "a"), changed: undefined };
  expect(nextShown(before, [review(0, "z"), review(1, "a", false)])).toEqual({
    review: review(1, "a", false),
    changed: undefined,
  });
  expect(nextShown(before, [review(1, "b")])).toEqual({ review: review(1, "a"), changed: review(1, "b") });
});

it("goes on to the next one when the shown one is decided", () => {
  const before = { review: review(1, "a"), changed: review(1, "b") };
  expect(nextShown(before, [review(2, "c")])).toEqual({ review: review(2, "c"), changed: undefined });
  expect(nextShown(before, [])).toBeUndefined();
});
