import type { McpPending } from "@oven/contract/mcp";
import { describe, expect, it } from "vitest";
import { toMessage } from "./review-words.ts";

const PENDING: McpPending = {
  reviewId: 7,
  title: "Pay it back?",
  proposal: { orderId: 8841, amountCents: 1200, lines: [{ sku: "bread" }] },
  context: { reason: "Lost on the way" },
  tool: "orders.refund",
  risk: { effect: "at-most-once", tags: ["money", "outbound", "slow"] },
  workflow: "Support reply",
  assignees: ["role:support-lead", "user:ada@example.com"],
  dueAt: "2026-03-01T12:30:00.000Z",
  schema: null,
  actions: ["approve", "reject"],
  digest: "f7ed",
  url: "http://localhost:3000/reviews/7",
};

describe("a review as a client's user reads it", () => {
  it("has the proposal, the reasons, what the call may do, for whom, until when, and the link", () => {
    expect(toMessage(PENDING)).toBe(
      [
        "Pay it back?",
        'Order id: 8841\nAmount cents: 1200\nLines: [{"sku":"bread"}]',
        "Why:\nReason: Lost on the way",
        [
          "Calls: orders.refund (moves money, reaches outside, is tagged slow, cannot be undone)",
          "For: support-lead, ada@example.com",
          "Due: 2026-03-01 12:30 UTC",
          "Workflow: Support reply",
          "All of it: http://localhost:3000/reviews/7",
        ].join("\n"),
      ].join("\n\n"),
    );
  });

  it.each([
    [{ effect: "pure" as const, tags: [] }, "changes nothing"],
    [{ effect: "idempotent" as const, tags: ["outside-content"] }, "reads what strangers wrote, changes something"],
    [null, "may have effects that cannot be undone"],
  ])("says what the call may do: %o", (risk, words) => {
    expect(toMessage({ ...PENDING, risk })).toContain(`Calls: orders.refund (${words})`);
  });

  it("leaves out what there is none of", () => {
    const { context: _none, ...bare } = PENDING;
    const message = toMessage({ ...bare, tool: null, risk: null, dueAt: null, assignees: [] });
    expect(message).toContain("For: anyone who may decide");
    expect(message).not.toMatch(/Why|Calls|Due/);
  });

  it("is no longer than a person reads, and shows the beginning of each reason", () => {
    const long = "x".repeat(50_000);
    const message = toMessage({ ...PENDING, proposal: long, context: { first: long, second: "is seen" } });
    expect(message).toContain("Second: is seen");
    expect(message).toContain(PENDING.url);
    expect(message.length).toBeLessThan(7_000);
  });

  it("marks characters that pass for others, wherever they are", () => {
    const message = toMessage({ ...PENDING, proposal: "p\u0430ypal", context: { note: "a\u202eb" } });
    expect(message).toContain("p⟨U+0430⟩ypal");
    expect(message).toContain("a⟨U+202E⟩b");
  });
});
