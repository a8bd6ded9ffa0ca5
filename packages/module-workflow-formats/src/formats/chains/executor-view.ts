import type { Json, JsonObject } from "@oven/contract";
import type { ExecutorRun, ExecutorRunStatus, ExecutorSpec } from "@oven/contract/formats/chains.ts";
import { type Execution, isTerminal, type NodeRun } from "@oven/contract/run";
import { isObject } from "@oven/engine";
import { toRunUuid } from "../../shared/source-ids.ts";
import { keepState, mainState, placeOf, prepareState } from "./chain-states.ts";
import type { UsageOfNode } from "./chain-store.ts";
import { asLarge, refOfNodeRun, summaryOf } from "./payloads.ts";

/** An executor as it was when a run began. */
export type RanExecutor = Pick<ExecutorSpec, "executor_id" | "name" | "model" | "loop">;

/** A run with all executions that it went on in. */
export interface RanChain {
  first: number;
  /** As it is by now. */
  newest: Execution;
  /** Of all executions, oldest first, each once. */
  nodes: NodeRun[];
  /** Of single items of loops, in their order. */
  children: Execution[];
  usage: UsageOfNode[];
  executors: RanExecutor[];
}

/** Undefined: it was not reached yet. */
export function toExecutorRun(run: RanChain, place: number): ExecutorRun | undefined {
  const executor = run.executors[place];
  if (executor === undefined) return undefined;
  const now = run.newest.nodes.filter(({ nodeId }) => placeOf(nodeId) === place);
  const all = run.nodes.filter(({ nodeId }) => placeOf(nodeId) === place);
  const prepared = now.findLast(({ nodeId }) => nodeId === prepareState(place));
  const kept = now.findLast(({ nodeId, status }) => nodeId === keepState(place) && status === "completed");
  const status = statusOf(run.newest, now, prepared, kept);
  if (status === undefined) return undefined;
  const usage = run.usage.filter(({ node }) => placeOf(node) === place);
  const received = objectOf(prepared?.output).received ?? null;
  const given = asLarge(received);
  const output = status === "success" ? (objectOf(kept?.output).output ?? null) : null;
  const large = asLarge(output);
  const sum = (key: "input" | "output") => usage.reduce((total, { used }) => total + used[key], 0);
  const calls = toolRows(run, place);
  const finished = status === "running" ? null : (now.at(-1)?.completedAt ?? null);
  const started = all[0]?.startedAt ?? null;
  const error = status === "failed" ? errorOf(now, run.newest) : null;
  return {
    id: executorRunId(run.first, place),
    run_id: toRunUuid(run.first),
    executor_id: executor.executor_id,
    executor_name: executor.name,
    input_data: given === undefined ? received : null,
    input_ref: given?.output_ref ?? (prepared === undefined ? null : refOfNodeRun(prepared.id, "received")),
    input_summary: given?.summary ?? (prepared === undefined ? null : summaryOf(received)),
    model: usage.at(-1)?.model ?? executor.model,
    tools_used: [...new Set(calls.map(({ nodeType }) => nodeType))],
    status,
    structured_output: large === undefined ? output : null,
    structured_output_ref:
      status !== "success" || kept === undefined ? null : (large?.output_ref ?? refOfNodeRun(kept.id, "output")),
    structured_output_summary: status === "success" ? (large?.summary ?? summaryOf(output)) : null,
    total_tokens: sum("input") + sum("output"),
    prompt_tokens: sum("input"),
    completion_tokens: sum("output"),
    duration_ms: between(started, finished),
    error_message: error,
    retry_count: Math.max(0, usage.length - modelRows(run, place).length),
    started_at: started,
    completed_at: finished,
    iterations: iterationsOf(run, place),
    exhausted: objectOf(kept?.output).exhausted === true,
  };
}

export const executorRunId = (first: number, place: number): number => first * 1_000 + place;

/** One row per call of a tool, in the order in which they were made. */
export function toolRows({ nodes, children }: RanChain, place: number): NodeRun[] {
  return [...nodes, ...children.flatMap((child) => child.nodes)].filter(
    ({ nodeId, item }) => item !== null && nodeId.endsWith(".tools") && placeOf(nodeId) === place,
  );
}

function modelRows({ nodes, children }: RanChain, place: number): NodeRun[] {
  return [...nodes, ...children.flatMap((child) => child.nodes)].filter(
    ({ nodeId, nodeType }) => nodeType === "agent.llm" && placeOf(nodeId) === place,
  );
}

/** What is wrong with tools although the run went on. */
export function warningsOf({ nodes }: RanChain): string[] {
  const warnings = nodes.flatMap(
    ({ nodeType, output }) => (nodeType === "chain.prepare" ? ((objectOf(output).warnings ?? []) as string[]) : []), // cast: the node's own output
  );
  return [...new Set(warnings)];
}

function statusOf(
  run: Execution,
  rows: readonly NodeRun[],
  prepared: NodeRun | undefined,
  kept: NodeRun | undefined,
): ExecutorRunStatus | undefined {
  if (objectOf(prepared?.output).skipped === true) return "skipped";
  if (kept !== undefined && objectOf(kept.output).again !== true) return "success";
  if (!isTerminal(run.status)) return rows.length === 0 ? undefined : "running";
  return rows.length === 0 ? "skipped" : "failed";
}

function errorOf(rows: readonly NodeRun[], run: Execution): string | null {
  if (run.status === "cancelled") return run.error ?? "The run was cancelled";
  return rows.findLast(({ status, item }) => status === "failed" && item === null)?.error ?? run.error;
}

function iterationsOf(run: RanChain, place: number): ExecutorRun["iterations"] {
  const loop = run.executors[place]?.loop;
  if (loop?.type === "for_each") {
    const items = run.children.filter(({ part }) => part === mainState(place));
    // Of an item that was tried again the newest counts.
    const newest = new Map(items.map((child) => [Number(child.parentItem), child]));
    return [...newest]
      .toSorted(([one], [other]) => one - other)
      .map(([index, child]) => ({
        index,
        status: child.status === "completed" ? "success" : isTerminal(child.status) ? "failed" : "running",
        prompt_tokens: child.tokenUsage.input,
        completion_tokens: child.tokenUsage.output,
        duration_ms: between(child.startedAt, child.completedAt),
      }));
  }
  if (loop?.type !== "repeat_until") return [];
  const turns = run.nodes.filter(({ nodeId }) => nodeId === mainState(place));
  return turns.map((row, index) => ({
    index,
    status: row.status === "completed" ? "success" : row.status === "running" ? "running" : "failed",
    prompt_tokens: row.tokenUsage?.input ?? 0,
    completion_tokens: row.tokenUsage?.output ?? 0,
    duration_ms: row.durationMs ?? 0,
  }));
}

function between(from: string | null, to: string | null): number {
  return from === null || to === null ? 0 : Math.max(0, Date.parse(to) - Date.parse(from));
}

export function objectOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {};
}
