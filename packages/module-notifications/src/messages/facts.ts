import type { ExecutionKind, JsonObject, NotificationKind } from "@oven/contract";

/** What a message is about: what templates read, and what webhooks carry. */
export type Facts = {
  kind: NotificationKind;
  at: string;
  workflow: { kind: ExecutionKind; id: number; name: string };
  execution: { id: number; status: string; error: string | null; link: string };
  /** null where it is about a run. */
  review: { id: number; title: string; nodeId: string; dueAt: string | null; assignees: string[]; link: string } | null;
  /** Of the page that the message leads to: a review's, else the run's. */
  link: string;
};

const EXAMPLE: Omit<Facts, "kind"> = {
  at: "2026-01-31T12:00:00.000Z",
  workflow: { kind: "agent-workflow", id: 1, name: "Support reply" },
  execution: { id: 7, status: "failed", error: "The model did not answer", link: "/agent-workflow-executions/7" },
  review: {
    id: 12,
    title: "Refund 240 to order 8841",
    nodeId: "review",
    dueAt: "2026-01-31T13:00:00.000Z",
    assignees: ["role:support-lead"],
    link: "/reviews/12",
  },
  link: "/reviews/12",
};

/** Facts as they come with an event of this kind, to try templates on. */
export function exampleFacts(kind: NotificationKind): Facts {
  return kind.startsWith("review.")
    ? { kind, ...EXAMPLE }
    : { kind, ...EXAMPLE, review: null, link: EXAMPLE.execution.link };
}

export function reviewPath(id: number): string {
  return `/reviews/${id}`;
}

/** With addresses instead of paths, as it leaves OVEN. */
export function withAddresses(facts: Facts, publicUrl: string): JsonObject {
  const { execution, review } = facts;
  return {
    ...facts,
    execution: { ...execution, link: publicUrl + execution.link },
    review: review === null ? null : { ...review, link: publicUrl + review.link },
    link: publicUrl + facts.link,
  };
}
