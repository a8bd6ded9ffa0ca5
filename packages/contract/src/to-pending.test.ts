import { describe, expect, it } from "vitest";
import type { Review } from "./review.ts";
import { ReviewPolicySchema } from "./review-policy.ts";
import { toPending } from "./to-pending.ts";

const REVIEW: Review = {
  id: 7,
  tenantId: 1,
  executionId: 3,
  executionKind: "agent-workflow",
  workflowId: 2,
  workflowName: "Support reply",
  nodeId: "review",
  visit: 1,
  item: null,
  status: "open",
  title: "Send it?",
  proposal: "Dear Ada",
  schema: null,
  context: {},
  tool: null,
  risk: null,
  digest: "f7ed",
  assignees: [],
  actions: ["approve"],
  dueAt: null,
  escalation: null,
  policy: ReviewPolicySchema.parse({}),
  stage: 0,
  stages: [],
  requestedBy: null,
  requestedByName: null,
  votes: [],
  mayDecide: true,
  action: null,
  data: null,
  reason: null,
  decidedBy: null,
  decidedByName: null,
  decidedAt: null,
  createdAt: "2026-03-01T12:30:00.000Z",
};
const pendingOf = (context: Review["context"]) => toPending({ ...REVIEW, context }, "http://localhost:3000");

describe("the context of what is pending", () => {
  it.each([[null], [{}], [[]]])("is left out where there is none: %j", (context) => {
    expect(pendingOf(context)).not.toHaveProperty("context");
  });

  it("is whole where it is short", () => {
    const context = { reason: "x".repeat(7_000), rows: [1, { deep: [true] }] };
    expect(pendingOf(context)).toMatchObject({ context });
    expect(pendingOf(context)).not.toHaveProperty("shortened");
  });

  it("has the beginning of each text where it is long, and is the beginning of its JSON where it is longer still", () => {
    const long = "x".repeat(9_000);
    expect(pendingOf({ long, deep: [{ long }], short: "is seen" })).toMatchObject({
      context: { long: `${"x".repeat(1_000)}…`, deep: [{ long: `${"x".repeat(1_000)}…` }], short: "is seen" },
      shortened: ["context"],
    });
    const { context, shortened } = pendingOf(Array.from({ length: 5_000 }, (_, index) => index));
    expect(shortened).toEqual(["context"]);
    expect(context).toMatch(/^\[0,1,2,.*…$/);
    expect(String(context)).toHaveLength(8_001);
  });

  it("is looked through for characters that are not seen", () => {
    expect(pendingOf({ note: "a\u202eb" }).warning).toContain("U+202E");
    expect(pendingOf({ note: "ab" })).not.toHaveProperty("warning");
  });
});
