import { getOwn, type Json } from "@oven/contract";
import type {
  ChainResult,
  ChainRun,
  ChainRunStatus,
  ChainToolCall,
  ChainTrace,
  ExecutorRun,
} from "@oven/contract/formats/chains.ts";
import { isTerminal } from "@oven/contract/run";
import { toRunUuid } from "../../shared/source-ids.ts";
import { placeOf } from "./chain-states.ts";
import type { ChainRow } from "./chain-store.ts";
import { executorRunId, objectOf, type RanChain, toExecutorRun, toolRows, warningsOf } from "./executor-view.ts";
import { asLarge, refOfNodeRun } from "./payloads.ts";

/** Whether calls of tools are shown with what went in and came out. */
export type ToolAudit = "full" | "summary";

const SLOW = /did not finish within|took longer than/;

export function executorRuns(run: RanChain): ExecutorRun[] {
  return run.executors.flatMap((_, place) => toExecutorRun(run, place) ?? []);
}

export function toChainRun(chain: ChainRow, run: RanChain): ChainRun {
  const { newest } = run;
  const executors = executorRuns(run);
  const last = executors.findLast(({ status }) => status === "success");
  const reached = Math.max(0, ...newest.nodes.map(({ nodeId }) => placeOf(nodeId) ?? 0));
  const status = runStatus(run);
  const failed = executors.find((executor) => executor.status === "failed");
  return {
    id: run.first,
    run_id: toRunUuid(run.first),
    workflow_id: chain.uuid,
    user_id: String(objectOf(newest.context).user_id ?? chain.userId),
    thread_id: String(objectOf(newest.context).thread_id ?? chain.threadId),
    status,
    current_executor: reached,
    total_executors: run.executors.length,
    result: last?.structured_output ?? null,
    final_output_ref: last?.structured_output_ref ?? null,
    final_output_summary: last?.structured_output_summary ?? null,
    error_message: status === "completed" ? null : (failed?.error_message ?? newest.error),
    started_at: newest.startedAt,
    completed_at: newest.completedAt,
    created_at: newest.createdAt,
    execution_id: newest.id,
  };
}

export function toToolCalls(run: RanChain, audit: ToolAudit): ChainToolCall[] {
  return run.executors.flatMap((_, place) =>
    toolRows(run, place).map((row): ChainToolCall => {
      const said = objectOf(row.output);
      const error = typeof said.error === "string" ? said.error : row.error;
      const isFull = audit === "full";
      const answered = Object.hasOwn(said, "result");
      return {
        id: row.id,
        executor_run_id: executorRunId(run.first, place),
        tool_name: row.nodeType,
        tool_input: isFull ? (said.arguments ?? objectOf(row.input).arguments ?? null) : null,
        tool_output: isFull ? (said.result ?? null) : null,
        tool_input_ref: isFull && answered ? refOfNodeRun(row.id, "arguments") : null,
        tool_output_ref: isFull && answered ? refOfNodeRun(row.id, "result") : null,
        status: error === null ? (isDone(row.status) ? "success" : "running") : SLOW.test(error) ? "timeout" : "failed",
        error_message: error,
        duration_ms: row.durationMs ?? 0,
        started_at: row.startedAt,
        completed_at: row.completedAt,
      };
    }),
  );
}

export function toTrace(chain: ChainRow, run: RanChain, audit: ToolAudit): ChainTrace {
  const row = toChainRun(chain, run);
  const calls = toToolCalls(run, audit);
  return {
    run_id: row.run_id,
    workflow_id: row.workflow_id,
    status: row.status,
    started_at: row.started_at,
    completed_at: row.completed_at,
    error_message: row.error_message,
    warnings: warningsOf(run),
    final_output: finalOutput(run),
    executor_runs: executorRuns(run).map((executor) => ({
      executor_id: executor.executor_id,
      name: executor.executor_name,
      model: executor.model,
      status: executor.status,
      duration_ms: executor.duration_ms,
      tokens: { prompt: executor.prompt_tokens, completion: executor.completion_tokens, total: executor.total_tokens },
      input: executor.input_data,
      structured_output: shownOutput(run, executor),
      tools_used: executor.tools_used,
      tool_calls: calls
        .filter(({ executor_run_id }) => executor_run_id === executor.id)
        .map(({ tool_name, tool_input, tool_output, duration_ms, status, error_message }) => ({
          ...{ tool: tool_name, input: tool_input, output: tool_output, duration_ms, status },
          ...(error_message === null ? {} : { error_message }),
        })),
      iterations: executor.iterations,
      exhausted: executor.exhausted,
      ...(executor.error_message === null ? {} : { error_message: executor.error_message }),
    })),
  };
}

export function toResult(chain: ChainRow, run: RanChain): ChainResult {
  return {
    workflow_id: chain.uuid,
    run_id: toRunUuid(run.first),
    status: runStatus(run),
    executor_results: executorRuns(run).map((executor) => ({
      executor_id: executor.executor_id,
      status: executor.status,
      ...(executor.status === "success" ? { output: shownOutput(run, executor) } : {}),
      ...(executor.error_message === null ? {} : { error: executor.error_message }),
    })),
    final_output: finalOutput(run),
  };
}

/** As it goes on: the value, or its summary with a reference. */
function shownOutput({ newest }: RanChain, { executor_id, status, structured_output }: ExecutorRun): Json {
  if (status !== "success") return null;
  const outputs = objectOf(objectOf(newest.context).outputs);
  const large = asLarge(getOwn(outputs, executor_id));
  return large === undefined ? structured_output : (getOwn(outputs, executor_id) ?? null);
}

function finalOutput(run: RanChain): Json {
  const last = executorRuns(run).findLast(({ status }) => status === "success");
  return last === undefined ? null : shownOutput(run, last);
}

/** What waits is still running. */
function runStatus({ newest: { status, outcome } }: RanChain): ChainRunStatus {
  if (status === "completed" && outcome === "partial_success") return "partial_success";
  return isTerminal(status) || status === "pending" ? (status as ChainRunStatus) : "running"; // cast: the others are the same words
}

const isDone = (status: string): boolean => status !== "running" && status !== "paused";
