import { TokenUsageSchema } from "@oven/contract/node";
import { z } from "zod";
import type { WorkflowKind } from "./workflow-kind.ts";

const id = z.int();

/** The events of one kind, as the outbox delivers them. */
export function workflowEvents(kind: WorkflowKind): Record<string, z.ZodObject> {
  const workflow = { id, name: z.string(), slug: z.string() };
  const execution = { id, [kind.workflowIdField]: id };
  const node = { executionId: id, nodeId: z.string(), nodeType: z.string() };
  const events: Record<string, z.ZodObject> = {
    "workflow.created": z.looseObject(workflow).describe("When a workflow was created"),
    "workflow.updated": z.looseObject({ ...workflow, version: z.int() }).describe("When a workflow was changed"),
    "workflow.canary-stopped": z
      .looseObject({
        ...workflow,
        version: z.int(),
        failed: z.int(),
        ended: z.int(),
        why: z.string(),
        startedBy: z.int().nullable(),
      })
      .describe("When a candidate was stopped because too many of its runs failed, or were scored too low"),
    "workflow.deleted": z.looseObject({ id, slug: z.string() }).describe("When a workflow was deleted"),
    "execution.started": z
      .looseObject({ ...execution, agentId: id.nullish() })
      .describe("When a run's first node starts"),
    "execution.paused": z
      .looseObject({ ...execution, nodeId: z.string(), reason: z.string() })
      .describe("When a run waits for a person"),
    "execution.resumed": z.looseObject({ ...execution, decision: z.string() }).describe("When a paused run goes on"),
    "execution.completed": z
      .looseObject({ ...execution, status: z.string(), tokenUsage: TokenUsageSchema })
      .describe("When a run has completed"),
    "execution.failed": z.looseObject({ ...execution, error: z.string() }).describe("When a run has failed"),
    "execution.cancelled": z.looseObject(execution).describe("When a run was cancelled"),
    "review.opened": z
      .looseObject({
        reviewId: id,
        executionId: id,
        [kind.workflowIdField]: id,
        nodeId: z.string(),
        title: z.string(),
        assignees: z.array(z.string()),
        dueAt: z.string().nullable(),
      })
      .describe("When a review was opened: a person is asked"),
    "review.escalated": z
      .looseObject({
        reviewId: id,
        executionId: id,
        [kind.workflowIdField]: id,
        assignees: z.array(z.string()),
        dueAt: z.string(),
      })
      .describe("When the deadline of a review has passed and others are asked"),
    "review.advanced": z
      .looseObject({
        reviewId: id,
        executionId: id,
        [kind.workflowIdField]: id,
        assignees: z.array(z.string()),
        stage: z.int(),
      })
      .describe("When a stage of a review has approved it, or it was edited, and those of another stage are asked"),
    "review.delegated": z
      .looseObject({
        reviewId: id,
        executionId: id,
        [kind.workflowIdField]: id,
        assignees: z.array(z.string()),
        to: z.string(),
        by: id.nullable(),
      })
      .describe("When a review was handed on to another person or role"),
    "node.started": z.looseObject(node).describe("When a node starts"),
    "node.completed": z.looseObject({ ...node, durationMs: z.int() }).describe("When a node has completed"),
    "node.failed": z.looseObject({ ...node, error: z.string() }).describe("When a node has failed"),
  };
  return Object.fromEntries(Object.entries(events).map(([name, schema]) => [`${kind.namespace}.${name}`, schema]));
}
