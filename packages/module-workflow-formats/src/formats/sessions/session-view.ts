import { getOwn, type Json, type JsonObject } from "@oven/contract";
import type { GraphSession, GraphSessionStatus, SessionState, SessionWait } from "@oven/contract/formats/sessions.ts";
import type { Review } from "@oven/contract/review";
import { type Execution, isTerminal, type NodeRun } from "@oven/contract/run";
import { getChild, isObject } from "@oven/engine";
import { toRunUuid } from "../../shared/source-ids.ts";
import type { GraphRow } from "./graph-store.ts";
import { CONTEXT_KEY, freshContext, type SessionContext } from "./session-context.ts";

/** What the definition's `meta.source` says. */
interface CompiledMeta {
  /** The state in which each step runs, in the order of the document. */
  steps: Record<string, string>;
  needs: Record<string, { source: string; step: string; index: number; field: (string | number)[] }[]>;
}

type Written = Pick<CompiledMeta, "needs"> & { steps: [step: string, run: string][] };

export interface RanSession {
  graph: GraphRow;
  /** The execution that it began with. */
  first: Execution;
  newest: Execution;
  /** Of all its executions, oldest first. */
  nodes: NodeRun[];
  /** Of the definition that the newest runs. */
  meta: CompiledMeta;
  /** What its user is asked. */
  reviews: Review[];
}

export function metaOf(definition: JsonObject): CompiledMeta | undefined {
  const source = isObject(definition.meta) ? definition.meta.source : undefined;
  if (!isObject(source) || source.format !== "session-graph") return undefined;
  const { steps, needs } = source as unknown as Written; // cast: we wrote it
  return { steps: Object.fromEntries(steps), needs };
}

export function contextOf({ newest, meta }: Pick<RanSession, "newest" | "meta">): SessionContext {
  const context = isObject(newest.context) ? newest.context[CONTEXT_KEY] : undefined;
  if (newest.status === "pending") {
    const given = isObject(newest.input) ? newest.input.session_state : undefined;
    if (isObject(given)) return given as unknown as SessionContext; // cast: we wrote it
  }
  if (!isObject(context)) return freshContext(Object.keys(meta.steps));
  return context as unknown as SessionContext; // cast: only compiled actions write it
}

export function toState(session: RanSession): SessionState {
  const { nodes, first, meta } = session;
  const { steps, outputs, errors, messages, written_at: written = 0 } = contextOf(session);
  const finished = new Map<string, number>();
  for (const { nodeId, status, completedAt } of nodes)
    if (status === "completed" && completedAt !== null) finished.set(nodeId, Date.parse(completedAt) / 1_000);
  const state: SessionState = {
    id: toRunUuid(first.id),
    workflow: {},
    // A write tries everything again, as a result does.
    last_evaluated: Math.max(written, ...finished.values()),
    data: { outputs: {}, messages },
  };
  for (const [step, run] of Object.entries(meta.steps)) {
    const status = getOwn(steps, step) ?? "none";
    const executed = finished.get(run);
    if (status !== "none")
      state.workflow[step] = {
        status: status === "follow" ? "complete" : status,
        error: getOwn(errors, step) ?? "",
        ...(executed === undefined ? {} : { last_executed: executed }),
      };
    const known = getOwn(outputs, step) ?? [];
    if (known.length > 0) state.data.outputs[step] = known;
  }
  return state;
}

export function toSession(session: RanSession): GraphSession {
  const { graph, first, newest } = session;
  const state = toState(session);
  const waiting = isTerminal(newest.status) ? [] : waitsOf(session, state);
  const failed = Object.entries(state.workflow).flatMap(([step, { status }]) => (status === "error" ? [step] : []));
  const status = toStatus(newest);
  return {
    id: state.id,
    state,
    created_at: first.createdAt,
    graph_id: graph.uuid,
    status,
    reason: reasonOf(status, { newest, waiting, failed }),
    waiting,
    failed_steps: failed,
    execution_id: newest.id,
  };
}

function toStatus({ status, outcome }: Execution): GraphSessionStatus {
  if (status === "paused") return "waiting";
  return status === "completed" && outcome === "partial_success" ? "completed_with_errors" : status;
}

function reasonOf(
  status: GraphSessionStatus,
  { newest, waiting, failed }: { newest: Execution; waiting: readonly SessionWait[]; failed: readonly string[] },
): string | null {
  if (status === "waiting") {
    const told = waiting.map(({ step, needs, prompt }) =>
      needs.length > 0 ? `${step} needs ${needs.join(" and ")}` : `${step} asks: ${prompt ?? "for input"}`,
    );
    return `Waiting: ${told.join("; ")}`;
  }
  if (status === "completed_with_errors") return `With errors: ${failed.join(", ")}`;
  return status === "failed" || status === "cancelled" ? newest.error : null;
}

function waitsOf({ meta, reviews }: RanSession, { workflow, data }: SessionState): SessionWait[] {
  return Object.entries(workflow).flatMap(([step, { status }]): SessionWait[] => {
    if (status === "pending") {
      const missing = (getOwn(meta.needs, step) ?? []).filter((need) => !isThere(need, data.outputs));
      const needs = missing.map(({ source }) => source);
      return [{ step, for: "variables", needs, prompt: null, schema: null }];
    }
    if (status !== "awaiting_input") return [];
    const review = reviews.find(({ nodeId }) => nodeId === getOwn(meta.steps, step));
    return [{ step, for: "input", needs: [], prompt: review?.title ?? null, schema: review?.schema ?? null }];
  });
}

function isThere(
  { step, index, field }: CompiledMeta["needs"][string][number],
  outputs: Record<string, Json[]>,
): boolean {
  let value: Json | undefined = getOwn(outputs, step)?.at(index);
  for (const part of field) value = getChild(value, part);
  return value !== undefined;
}
