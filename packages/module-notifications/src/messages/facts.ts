import type { JsonObject } from "@oven/contract";
import type { ExecutionKind } from "@oven/contract/run";
import type { NotificationKind } from "@oven/contract/system";

/** What a message is about: what templates read, and what webhooks carry. */
export type Facts = {
  kind: NotificationKind;
  at: string;
  /** null where it is about a budget. */
  workflow: { kind: ExecutionKind; id: number; name: string } | null;
  /** null where it is not about one, nor about a review of one. */
  execution: { id: number; status: string; error: string | null; link: string } | null;
  /** null where it is not about one. */
  review: { id: number; title: string; nodeId: string; dueAt: string | null; assignees: string[]; link: string } | null;
  /** null where it is not about one. Money is in 10⁻⁶ USD. */
  budget: BudgetFacts | null;
  /** null where it is not about one. `$.trigger` is all of this in templates, so it has a name of its own. */
  unusableTrigger: TriggerFacts | null;
  /** null where it is not about tools of a connected MCP server or operations of a connected API. */
  changedTools: ChangedToolsFacts | null;
  /** null where it is not about a version that took a part of the runs. */
  stoppedCandidate: StoppedCandidateFacts | null;
  /** Of the page that the message leads to: a review's, else the run's, the trigger's or the connection's, else the log of events. */
  link: string;
};

export type TriggerFacts = { id: number; name: string; type: string; problem: string; link: string };

/** `names`: of the tools as runs call them, with commas between. */
export type ChangedToolsFacts = { connectionId: number; connection: string; names: string; link: string };

export type StoppedCandidateFacts = { version: number; why: string; link: string };

export type BudgetFacts = {
  id: number;
  name: string;
  /** `tenant`, `run:12`, `agent-workflow:7`, `agent:3`, `key:4`. */
  subject: string;
  /** `run`, `2026-01-31` or `2026-01`. */
  period: string;
  limitMicros: number | null;
  limitTokens: number | null;
  spentMicros: number;
  spentTokens: number;
};

const EXAMPLE_LINK = "/agent-workflow-executions/7";
const EXAMPLE_BUDGET: BudgetFacts = {
  id: 1,
  name: "Support",
  subject: "tenant",
  period: "2026-01",
  limitMicros: 50_000_000,
  limitTokens: null,
  spentMicros: 50_120_000,
  spentTokens: 1_680_000,
};
const EXAMPLE_TRIGGER: TriggerFacts = {
  id: 3,
  name: "Every morning",
  type: "schedule",
  problem: "The workflow needs order, which this trigger does not hand over",
  link: "/triggers/3/show",
};
const EXAMPLE_TOOLS: ChangedToolsFacts = {
  connectionId: 4,
  connection: "Shop",
  names: "mcp.shop.pay",
  link: "/mcp-connections/4/show",
};
const EXAMPLE_CANDIDATE: StoppedCandidateFacts = {
  version: 8,
  why: "6 of 20 runs failed",
  link: "/agent-workflows/1/show?tab=versions",
};
const EXAMPLE = {
  at: "2026-01-31T12:00:00.000Z",
  workflow: { kind: "agent-workflow", id: 1, name: "Support reply" },
  execution: { id: 7, status: "failed", error: "The model did not answer", link: EXAMPLE_LINK },
  review: {
    id: 12,
    title: "Refund 240 to order 8841",
    nodeId: "review",
    dueAt: "2026-01-31T13:00:00.000Z",
    assignees: ["role:support-lead"],
    link: "/reviews/12",
  },
  budget: null,
  unusableTrigger: null,
  changedTools: null,
  stoppedCandidate: null,
  link: "/reviews/12",
} satisfies Omit<Facts, "kind">;

/** Facts as they come with an event of this kind, to try templates on. */
export function exampleFacts(kind: NotificationKind): Facts {
  if (kind === "budget.exhausted")
    return { ...EXAMPLE, kind, workflow: null, execution: null, review: null, budget: EXAMPLE_BUDGET, link: "/events" };
  if (kind === "trigger.unusable")
    return {
      ...EXAMPLE,
      kind,
      execution: null,
      review: null,
      unusableTrigger: EXAMPLE_TRIGGER,
      link: EXAMPLE_TRIGGER.link,
    };
  if (kind === "canary.stopped")
    return {
      ...EXAMPLE,
      kind,
      execution: null,
      review: null,
      stoppedCandidate: EXAMPLE_CANDIDATE,
      link: EXAMPLE_CANDIDATE.link,
    };
  if (kind === "mcp-tool.changed" || kind === "api-operation.changed" || kind === "a2a-agent.changed")
    return {
      ...EXAMPLE,
      kind,
      workflow: null,
      execution: null,
      review: null,
      changedTools: EXAMPLE_TOOLS,
      link: EXAMPLE_TOOLS.link,
    };
  return kind.startsWith("review.") ? { kind, ...EXAMPLE } : { kind, ...EXAMPLE, review: null, link: EXAMPLE_LINK };
}

export function reviewPath(id: number): string {
  return `/reviews/${id}`;
}

/** With addresses instead of paths, as it leaves OVEN. */
export function withAddresses(facts: Facts, publicUrl: string): JsonObject {
  const { execution, review, unusableTrigger, changedTools, stoppedCandidate } = facts;
  return {
    ...facts,
    execution: execution === null ? null : { ...execution, link: publicUrl + execution.link },
    review: review === null ? null : { ...review, link: publicUrl + review.link },
    unusableTrigger: unusableTrigger === null ? null : { ...unusableTrigger, link: publicUrl + unusableTrigger.link },
    changedTools: changedTools === null ? null : { ...changedTools, link: publicUrl + changedTools.link },
    stoppedCandidate:
      stoppedCandidate === null ? null : { ...stoppedCandidate, link: publicUrl + stoppedCandidate.link },
    link: publicUrl + facts.link,
  };
}
