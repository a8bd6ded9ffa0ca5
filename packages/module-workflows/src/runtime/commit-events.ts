import { type JsonObject, type NewEvent, type Principal, toActor } from "@oven/contract";
import type { RunCommit } from "@oven/engine";
import type { UnwrittenEvent } from "@oven/module-registry";
import type { WrittenColumns } from "./commit-statement.ts";
import type { LeasedRun } from "./insert-execution.ts";
import type { RunKind } from "./run-kinds.ts";

/** What every commit of a run repeats; read once per claim. */
export interface RunOwner {
  kind: RunKind;
  tenantId: number;
  workflowId: number;
  workflowName: string;
  agentId: number | null;
  parentId: number | null;
  triggerEvent: string | null;
  principal: Principal;
  /** What this process wrote last. */
  written: WrittenColumns | undefined;
  /** The run as it was started, if that was here. */
  newRun: LeasedRun | undefined;
}

const BEGINS: ReadonlySet<string> = new Set(["execution.started", "execution.resumed"]);
const ENDS: ReadonlySet<string> = new Set([
  "execution.paused",
  "execution.completed",
  "execution.failed",
  "execution.cancelled",
]);

/** As the log tells it: that a run begins comes before what its nodes did, and that it ends after it. */
export function inOrder(drafts: RunCommit["outbox"], nodes: RunCommit["outbox"]): RunCommit["outbox"] {
  const isOf = (names: ReadonlySet<string>) => (draft: RunCommit["outbox"][number]) =>
    !draft.custom && names.has(draft.name);
  const [begins, ends] = [isOf(BEGINS), isOf(ENDS)];
  const between = drafts.filter((draft) => !begins(draft) && !ends(draft));
  return [...drafts.filter(begins), ...nodes, ...between, ...drafts.filter(ends)];
}

/** The payload of the domain event that a log entry of the same name becomes. */
export function toNodePayload({ nodeId, nodeType, durationMs, error }: JsonObject): JsonObject {
  return {
    nodeId: nodeId ?? null,
    nodeType: nodeType ?? null,
    ...(durationMs === undefined ? {} : { durationMs }),
    ...(error === undefined ? {} : { error }),
  };
}

export function reviewEvents({ reviews }: RunCommit): RunCommit["outbox"] {
  return reviews.flatMap((change): RunCommit["outbox"] => {
    if (change.type === "escalate") {
      const { id: reviewId, assignees, dueAt } = change;
      return [{ name: "review.escalated", custom: false, payload: { reviewId, assignees, dueAt } }];
    }
    if (change.type !== "open") return [];
    const { id: reviewId, nodeId, request } = change;
    const { title, assignees, dueAt } = request;
    return [{ name: "review.opened", custom: false, payload: { reviewId, nodeId, title, assignees, dueAt } }];
  });
}

/** Engine events get the kind's namespace and the run's ids; custom ones carry their full name already. */
export function toEvent(draft: RunCommit["outbox"][number], executionId: number, owner: RunOwner): NewEvent {
  const { kind } = owner.kind;
  const workflow = { [kind.workflowIdField]: owner.workflowId };
  const ids: JsonObject = {
    ...(/^(node|review)\./.test(draft.name) ? { executionId } : { id: executionId }),
    ...(draft.name.startsWith("node.") ? {} : workflow),
    ...(draft.name === "execution.started" ? { agentId: owner.agentId } : {}),
  };
  return {
    name: draft.custom ? draft.name : `${kind.namespace}.${draft.name}`,
    tenantId: owner.tenantId,
    actor: toActor(owner.principal),
    payload: draft.custom ? draft.payload : { ...ids, ...draft.payload },
    orderKey: `execution:${executionId}`,
  };
}

/** With what listeners may be asked. A custom event may tell of anything, also under the name of another run's. */
export function toUnwritten(
  event: NewEvent,
  { custom }: RunCommit["outbox"][number],
  { parentId, agentId, triggerEvent }: RunOwner,
): UnwrittenEvent {
  return custom ? event : { ...event, run: { parentId, agentId, triggerEvent } };
}
