import type { EvalDatasetFile } from "@oven/contract/eval";

const urgent = (category: string) => [
  { type: "exact" as const, path: "$.queue", value: "urgent" },
  { type: "exact" as const, path: "$.category", value: category },
];

/** What order triage has to get right. */
export const orderTriageDataset: EvalDatasetFile = {
  format: "oven.eval-dataset",
  formatVersion: 1,
  slug: "order-triage",
  name: "Order triage",
  description: "Messages of customers, and the queue they belong in.",
  target: { kind: "agent-workflow", id: "order-triage" },
  allowEffects: false,
  timeoutMs: 60_000,
  cases: [
    {
      name: "A parcel that is late",
      input: { message: "My parcel has not arrived and it is a birthday present!", orderId: 8841 },
      expectations: [
        ...urgent("delivery"),
        { type: "contains", path: "$.summary", text: ["parcel", "late"], mode: "all", caseSensitive: false },
      ],
      ...{ decisions: [], pins: null, tags: ["urgent"], enabled: true },
    },
    {
      name: "Damaged goods",
      input: { message: "The lid arrived broken. What now?" },
      expectations: [...urgent("refund"), { type: "toolNotCalled", tool: "orders.refund" }],
      ...{ decisions: [], pins: null, tags: ["urgent"], enabled: true },
    },
    {
      name: "A question about flour",
      input: { message: "Which flour do you recommend for rye bread?" },
      expectations: [
        { type: "cel", expression: 'output.queue == "routine" && output.category == "question"' },
        { type: "atMost", measure: "tokens", value: 2_000 },
      ],
      ...{ decisions: [], pins: null, tags: ["routine"], enabled: true },
    },
  ],
};
