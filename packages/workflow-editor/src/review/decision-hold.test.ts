import type { Review } from "@oven/contract/review";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DecisionHold, GRACE_MS, type HeldDecision, type Refusal } from "./decision-hold.ts";

// cast: of a review only its id and digest matter here
const review = (id: number, digest = "d"): Review => ({ id, digest, title: `Review ${id}` }) as Review;
const approve = { action: "approve", reason: "" };

describe("a decision that can be taken back", () => {
  let sent: [ids: number[], leaving: boolean][];
  let refuse: (held: HeldDecision) => Refusal[];
  let hold: DecisionHold;
  beforeEach(() => {
    vi.useFakeTimers();
    sent = [];
    refuse = () => [];
    hold = new DecisionHold(async (held, leaving) => {
      sent.push([held.reviews.map(({ id }) => id), leaving]);
      return refuse(held);
    });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it("is sent once, when the time is over and not before", async () => {
    hold.hold([review(1), review(2)], approve);
    expect(hold.isTaken(review(2))).toBe(true);
    await vi.advanceTimersByTimeAsync(GRACE_MS - 1);
    expect(sent).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    hold.flush();
    await vi.advanceTimersByTimeAsync(GRACE_MS);
    expect(sent).toEqual([[[1, 2], false]]);
    expect(hold.state()).toMatchObject({ held: null, sent: 1 });
    expect(hold.isTaken(review(1))).toBe(true);
    expect(hold.isTaken(review(1, "edited since"))).toBe(false);
  });

  it("is never sent once it was taken back, and what was typed is kept until the next", async () => {
    const draft = { action: "reject", reason: "too much" };
    hold.hold([review(1)], draft);
    expect(hold.undo()).toMatchObject({ id: 1 });
    await vi.advanceTimersByTimeAsync(2 * GRACE_MS);
    expect(sent).toEqual([]);
    expect(hold.isTaken(review(1))).toBe(false);
    expect(hold.undone(review(1))).toEqual(draft);
    expect(hold.undone(review(2))).toBeNull();
    expect(hold.undo()).toBeNull();
    await vi.advanceTimersByTimeAsync(GRACE_MS);
    sent = [];
    hold.hold([review(2)], approve);
    hold.undo();
    await vi.advanceTimersByTimeAsync(GRACE_MS - 1);
    hold.hold([review(3)], approve);
    expect(hold.undone(review(1))).toBeNull();
    // The time of the one that was taken back is over now, that of this one is not.
    await vi.advanceTimersByTimeAsync(1);
    expect(sent).toEqual([]);
  });

  it("goes out at once with the next one, and when the page is left", () => {
    hold.hold([review(1)], approve);
    hold.hold([review(2)], approve);
    expect(sent).toEqual([[[1], false]]);
    hold.flush(true);
    expect(sent.at(-1)).toEqual([[2], true]);
  });

  it("says what was refused, and lets that be decided again", async () => {
    refuse = ({ reviews: [first], draft }) => [{ review: first, draft, error: new Error("no"), late: false }];
    let told = 0;
    hold.subscribe(() => {
      told += 1;
    });
    hold.hold([review(1), review(2)], approve);
    hold.flush();
    await vi.advanceTimersByTimeAsync(0);
    expect(hold.state().refused.map((refusal) => refusal.review.id)).toEqual([1]);
    expect([hold.isTaken(review(1)), hold.isTaken(review(2))]).toEqual([false, true]);
    expect(told).toBe(3);
    hold.forgetRefusals();
    expect(hold.state().refused).toEqual([]);
  });

  it("leaves it to the review's page to say that somebody was faster", async () => {
    refuse = ({ reviews: [first], draft }) => [{ review: first, draft, error: new Error("decided"), late: true }];
    hold.hold([review(1)], approve);
    hold.flush();
    await vi.advanceTimersByTimeAsync(0);
    expect(hold.state()).toMatchObject({ refused: [], sent: 1 });
    expect(hold.isTaken(review(1))).toBe(false);
  });

  it("keeps what was typed for a decision that was refused", async () => {
    const draft = { action: "submit", reason: "", data: { amount: -1 } };
    refuse = (held) =>
      held.reviews.map((one) => ({ review: one, draft: held.draft, error: new Error("no"), late: false }));
    hold.hold([review(1)], draft);
    await vi.advanceTimersByTimeAsync(GRACE_MS);
    expect(hold.undone(review(1))).toEqual(draft);
    hold.forgetRefusals();
    expect(hold.undone(review(1))).toBeNull();
  });
});
