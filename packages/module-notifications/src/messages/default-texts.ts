import type { NotificationKind } from "@oven/contract/system";

export interface MessageTemplate {
  subject: string;
  text: string;
}

/** What is said where a rule has no words of its own. */
export const DEFAULT_TEXTS: Record<NotificationKind, MessageTemplate> = {
  "run.completed": {
    subject: "{{ $.workflow.name }} has completed",
    text: "Run {{ $.execution.id }} of {{ $.workflow.name }} has completed.",
  },
  "run.failed": {
    subject: "{{ $.workflow.name }} has failed",
    text: "Run {{ $.execution.id }} of {{ $.workflow.name }} has failed: {{ $.execution.error }}",
  },
  "budget.exhausted": {
    subject: "The budget {{ $.budget.name }} is spent",
    text: "Nothing is left of the budget {{ $.budget.name }} of {{ $.budget.subject }} ({{ $.budget.period }}): calls of models are refused.",
  },
  "trigger.unusable": {
    subject: "The trigger {{ $.unusableTrigger.name }} no longer works",
    text: "{{ $.workflow.name }} was changed, and each firing of {{ $.unusableTrigger.name }} will be refused: {{ $.unusableTrigger.problem }}",
  },
  "mcp-tool.changed": {
    subject: "{{ $.changedTools.connection }} changed tools that were approved",
    text: "The server {{ $.changedTools.connection }} changed {{ $.changedTools.names }}. They are not called until a person compares them and approves them again.",
  },
  "api-operation.changed": {
    subject: "The document of {{ $.changedTools.connection }} changed operations that were approved",
    text: "The document of {{ $.changedTools.connection }} changed {{ $.changedTools.names }}. They are not called until a person compares them and approves them again.",
  },
  "a2a-agent.changed": {
    subject: "The card of {{ $.changedTools.connection }} is no longer the one that was approved",
    text: "The agent {{ $.changedTools.connection }} shows another card. It is not asked until a person compares the cards and approves it again.",
  },
  "canary.stopped": {
    subject: "The candidate of {{ $.workflow.name }} was stopped",
    text: "New runs of {{ $.workflow.name }} no longer take version {{ $.stoppedCandidate.version }}: {{ $.stoppedCandidate.why }}",
  },
  "review.opened": {
    subject: "Review: {{ $.review.title }}",
    text: "{{ $.workflow.name }} waits for a decision: {{ $.review.title }}",
  },
  "review.deadline": {
    subject: "Due soon: {{ $.review.title }}",
    text: "{{ $.workflow.name }} waits for a decision until {{ $.review.dueAt }}: {{ $.review.title }}",
  },
  "review.assigned": {
    subject: "Handed on to you: {{ $.review.title }}",
    text: "{{ $.workflow.name }} waits for a decision that was handed on to you: {{ $.review.title }}",
  },
};
