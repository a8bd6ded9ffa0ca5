import { type EventEnvelope, isOvenError, SYSTEM_PRINCIPAL } from "@oven/contract";
import { type ExecutionKind, ExecutionKindSchema, executionPath } from "@oven/contract/run";
import type { NotificationKind } from "@oven/contract/system";
import type { Database } from "@oven/db";
import type { ServiceMap } from "@oven/module-registry";
import { z } from "zod";
import { type Facts, reviewPath } from "../messages/facts.ts";

export interface Happening {
  facts: Facts;
  /** The same happening has the same key, however often its event is delivered. */
  eventKey: string;
  /** Who started the run or the candidate, or whose trigger it is. */
  starter: number | null;
}

interface ReviewRow extends Record<string, unknown> {
  execution_id: number;
  execution_kind: ExecutionKind;
  workflow_id: number;
  workflow_name: string;
  node_id: string;
  title: string;
  due_at: Date | null;
  assignees: string[];
  requested_by: number | null;
  status: string;
}

const BudgetPayload = z.looseObject({
  budgetId: z.int(),
  name: z.string(),
  subject: z.string(),
  period: z.string(),
  limitMicros: z.int().nullable(),
  limitTokens: z.int().nullable(),
  spentMicros: z.int(),
  spentTokens: z.int(),
  executionKind: ExecutionKindSchema.nullable(),
  executionId: z.int().nullable(),
});

const TriggerPayload = z.looseObject({
  triggerId: z.int(),
  name: z.string(),
  type: z.string(),
  kind: ExecutionKindSchema,
  workflowId: z.int(),
  workflowName: z.string(),
  version: z.int(),
  problem: z.looseObject({ message: z.string() }),
  ownerId: z.int().nullable(),
});

const ChangedToolsPayload = z.looseObject({
  connectionId: z.int(),
  connection: z.string(),
  tools: z.array(z.string()),
});

const StoppedCanaryPayload = z.looseObject({
  id: z.int(),
  name: z.string(),
  version: z.int(),
  why: z.string(),
  startedBy: z.int().nullable(),
});

/** What an event is about, without secrets; undefined when nobody is to be told: of parts of a run, and of what is gone. */
export async function readFacts(
  { db, services }: { db: Database; services: ServiceMap },
  kind: NotificationKind,
  event: EventEnvelope,
): Promise<Happening | undefined> {
  const found =
    kind === "budget.exhausted"
      ? readBudget(event)
      : kind === "trigger.unusable"
        ? readTrigger(event)
        : isChangedTool(kind)
          ? readChangedTools(kind, event)
          : kind === "canary.stopped"
            ? readStoppedCanary(event)
            : kind.startsWith("review.")
              ? await readReview(db, kind, event)
              : await readRun(services, kind, event);
  return found && { ...found, facts: services.secrets.redact(event.tenantId, found.facts) };
}

async function readRun(
  services: ServiceMap,
  kind: NotificationKind,
  event: EventEnvelope,
): Promise<Happening | undefined> {
  const executionKind = kindOfRun(event.name);
  const id = Number(event.payload.id);
  const by = { ...SYSTEM_PRINCIPAL, tenantId: event.tenantId };
  const { reader } = services.workflowPlatform.face(executionKind).runs;
  try {
    const [row, summary] = [await reader.row(by, id), await reader.summary(by, id)];
    if (row.parentId !== null) return undefined;
    const link = executionPath(executionKind, id);
    const status = kind === "run.completed" ? "completed" : "failed";
    return {
      eventKey: `${executionKind}:${id}:${status}`,
      starter: row.principal.userId,
      facts: {
        kind,
        at: event.at,
        workflow: { kind: executionKind, id: row.workflowId, name: summary.workflowName },
        execution: { id, status, error: row.error ?? textOf(event.payload.error), link },
        review: null,
        budget: null,
        unusableTrigger: null,
        changedTools: null,
        stoppedCandidate: null,
        link,
      },
    };
  } catch (error) {
    // Removed since.
    if (isOvenError(error) && error.status === 404) return undefined;
    throw error;
  }
}

async function readReview(db: Database, kind: NotificationKind, event: EventEnvelope): Promise<Happening | undefined> {
  const id = Number(event.payload.reviewId);
  const [row] = await db.query<ReviewRow>(
    `select execution_id, execution_kind, workflow_id, workflow_name, node_id, title, due_at, assignees, requested_by, status
     from reviews where id = $1 and tenant_id = $2`,
    [id, event.tenantId],
    "notification-review",
  );
  if (row?.status !== "open") return undefined;
  const link = reviewPath(id);
  return {
    eventKey: toReviewKey(id, kind, event),
    starter: row.requested_by,
    facts: {
      kind,
      at: event.at,
      workflow: { kind: row.execution_kind, id: row.workflow_id, name: row.workflow_name },
      execution: {
        id: row.execution_id,
        status: "paused",
        error: null,
        link: executionPath(row.execution_kind, row.execution_id),
      },
      review: {
        id,
        title: row.title,
        nodeId: row.node_id,
        dueAt: row.due_at?.toISOString() ?? null,
        // Of what was delegated, the others know already.
        assignees:
          kind === "review.assigned" && typeof event.payload.to === "string" ? [event.payload.to] : row.assignees,
        link,
      },
      budget: null,
      unusableTrigger: null,
      changedTools: null,
      stoppedCandidate: null,
      link,
    },
  };
}

/** A review is opened once and its deadline comes near once, but it may be handed on often. */
function toReviewKey(id: number, kind: NotificationKind, event: EventEnvelope): string {
  return kind === "review.assigned"
    ? `review:${id}:assigned:${event.id}`
    : `review:${id}:${kind.slice("review.".length)}`;
}

/** It carries all there is to say. */
function readBudget({ at, payload }: EventEnvelope): Happening {
  const { budgetId, name, subject, period, limitMicros, limitTokens, spentMicros, spentTokens, ...run } =
    BudgetPayload.parse(payload);
  const { executionKind, executionId } = run;
  const hasRun = executionKind !== null && executionId !== null;
  const link = hasRun ? executionPath(executionKind, executionId) : "/events";
  return {
    eventKey: `budget:${budgetId}:${subject}:${period}`,
    starter: null,
    facts: {
      kind: "budget.exhausted",
      at,
      workflow: null,
      execution: null,
      review: null,
      budget: { id: budgetId, name, subject, period, limitMicros, limitTokens, spentMicros, spentTokens },
      unusableTrigger: null,
      changedTools: null,
      stoppedCandidate: null,
      link,
    },
  };
}

/** Its owner is the one whose rights its runs have. */
function readTrigger({ at, payload }: EventEnvelope): Happening {
  const {
    triggerId: id,
    name,
    type,
    kind,
    workflowId,
    workflowName,
    version,
    problem,
    ownerId,
  } = TriggerPayload.parse(payload);
  const link = `/triggers/${id}/show`;
  return {
    eventKey: `trigger:${id}:unusable:${version}`,
    starter: ownerId,
    facts: {
      kind: "trigger.unusable",
      at,
      workflow: { kind, id: workflowId, name: workflowName },
      execution: null,
      review: null,
      budget: null,
      unusableTrigger: { id, name, type, problem: problem.message, link },
      changedTools: null,
      stoppedCandidate: null,
      link,
    },
  };
}

const CONNECTION_PAGES = {
  "mcp-tool.changed": "mcp-connection",
  "api-operation.changed": "api-connection",
  "a2a-agent.changed": "a2a-connection",
} as const;

function isChangedTool(kind: NotificationKind): kind is keyof typeof CONNECTION_PAGES {
  return kind in CONNECTION_PAGES;
}

/** A server, or a document, that changes the same tool twice is reported twice. */
function readChangedTools(kind: keyof typeof CONNECTION_PAGES, { at, payload }: EventEnvelope): Happening {
  const { connectionId, connection, tools } = ChangedToolsPayload.parse(payload);
  const page = CONNECTION_PAGES[kind];
  const link = `/${page}s/${connectionId}/show`;
  return {
    eventKey: `${page}:${connectionId}:changed:${at}`,
    starter: null,
    facts: {
      kind,
      at,
      workflow: null,
      execution: null,
      review: null,
      budget: null,
      unusableTrigger: null,
      changedTools: { connectionId, connection, names: tools.join(", "), link },
      stoppedCandidate: null,
      link,
    },
  };
}

/** A version that begins anew may be stopped anew. */
function readStoppedCanary({ at, name: eventName, payload }: EventEnvelope): Happening {
  const { id, name, version, why, startedBy } = StoppedCanaryPayload.parse(payload);
  const kind = kindOfRun(eventName);
  const link = `/${kind}s/${id}/show?tab=versions`;
  return {
    eventKey: `canary:${kind}:${id}:${at}`,
    starter: startedBy,
    facts: {
      kind: "canary.stopped",
      at,
      workflow: { kind, id, name },
      execution: null,
      review: null,
      budget: null,
      unusableTrigger: null,
      changedTools: null,
      stoppedCandidate: { version, why, link },
      link,
    },
  };
}

export function kindOfRun(eventName: string): ExecutionKind {
  return eventName.startsWith("workflows.") ? "workflow" : "agent-workflow";
}

function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
