import { getOwn, type Json, type JsonObject } from "@oven/contract";
import type { Message } from "@oven/contract/ai";
import type {
  LinearInstance,
  LinearMessage,
  LinearStepInstance,
  LinearStepStatus,
  LinearStepType,
} from "@oven/contract/formats/linear.ts";
import { type Execution, isTerminal, type NodeRun } from "@oven/contract/run";
import { isObject } from "@oven/engine";
import { toRunUuid, toStepInstanceUuid, toUserUuid } from "../../shared/source-ids.ts";
import { outputState, stepState } from "./compile-linear.ts";
import { contentOf, type DataInstanceRow, referenceOf } from "./data-instances.ts";
import { containersIn, escapeTemplate, fillTemplate } from "./placeholders.ts";

/** The workflow and its steps as they were when a run began. */
export interface RanSource {
  workflow: string;
  steps: { uuid: string; type: LinearStepType; system: string | null }[];
}

/** Undefined: the definition was not compiled from a linear workflow. */
export function readSource(definition: JsonObject): RanSource | undefined {
  const { meta } = definition;
  const source = isObject(meta) ? meta.source : undefined;
  if (!isObject(source) || source.format !== "linear" || typeof source.workflow !== "string") return undefined;
  const steps = source.steps as unknown as Omit<RanSource["steps"][number], "system">[]; // cast: we wrote it
  const states = isObject(definition.states) ? definition.states : {};
  return {
    workflow: source.workflow,
    steps: steps.map((step, place) => ({ ...step, system: systemTemplate(states[stepState(place)]) })),
  };
}

function systemTemplate(state: Json | undefined): string | null {
  const invoke = isObject(state) ? state.invoke : undefined;
  const input = isObject(invoke) ? invoke.input : undefined;
  const system = isObject(input) ? input.system : undefined;
  if (typeof system === "string") return system;
  return isObject(system) && typeof system.$literal === "string" ? escapeTemplate(system.$literal) : null;
}

export interface RunView {
  run: Execution;
  source: RanSource;
  data: readonly DataInstanceRow[];
  userId: number;
}

/** A run of the engine as the document shows it. @param more records that clients keep of their own steps */
export function toInstance(view: RunView, more: readonly LinearStepInstance[]): LinearInstance {
  const { run, source, userId } = view;
  const input = run.input as JsonObject; // cast: its payload schema says so
  return {
    uuid: toRunUuid(run.id),
    user_id: toUserUuid(userId),
    workflow_definition_uuid: source.workflow,
    status: statusOf(run),
    stop_reason: run.status === "cancelled" ? "cancelled" : run.outcome === "stopped" ? "condition" : null,
    error_message: run.error,
    triggering_data: input.data ?? null,
    step_instances: [...source.steps.map((_, place) => toStepInstance(view, place)), ...more],
    execution_id: run.id,
    created_at: run.createdAt,
    updated_at: run.completedAt ?? lastChange(run),
  };
}

/** A person may cancel, and a condition may stop: both are `stopped`. What waits is still running. */
function statusOf({ status, outcome }: Execution): LinearInstance["status"] {
  if (status === "cancelled" || outcome === "stopped") return "stopped";
  if (status === "completed" || status === "failed") return status;
  return "running";
}

function lastChange({ nodes, startedAt, createdAt }: Execution): string {
  const moments = nodes.flatMap((node) => [node.startedAt, node.completedAt ?? node.startedAt]);
  return [createdAt, startedAt ?? createdAt, ...moments].toSorted().at(-1) ?? createdAt;
}

function toStepInstance({ run, source, data, userId }: RunView, place: number): LinearStepInstance {
  const { uuid: definition, type, system } = source.steps[place] ?? { uuid: "", type: "stop_checker", system: null };
  const main = stepState(place);
  const keep = outputState(place);
  const rows = run.nodes.filter(({ nodeId }) => nodeId === main || nodeId === keep || nodeId.startsWith(`${main}.`));
  const kept = rows.findLast(({ nodeId }) => nodeId === keep);
  const status = stepStatus(run, rows, type === "stop_checker" ? main : keep);
  const failed = rows.findLast((row) => row.status === "failed");
  const uuid = toStepInstanceUuid(run.id, place);
  const base = {
    uuid,
    user_id: toUserUuid(userId),
    workflow_instance_uuid: toRunUuid(run.id),
    status,
    started_at: rows[0]?.startedAt ?? null,
    finished_at: status === "completed" || status === "failed" ? (rows.at(-1)?.completedAt ?? null) : null,
    error_message: status === "failed" ? (failed?.error ?? run.error) : null,
    created_at: rows[0]?.startedAt ?? run.createdAt,
  };
  if (type === "stop_checker") {
    const output = rows.findLast((row) => row.status === "completed")?.output;
    const input_data = isObject(output) ? { results: output.results ?? [] } : null;
    return { ...base, type, checker_definition_uuid: definition, input_data };
  }
  const output = data.findLast((row) => row.stepInstanceUuid === uuid);
  const read = rows.length === 0 ? null : toInputData(kept, run, system, type, data);
  const more = {
    input_data: read,
    messages: read === null ? [] : [...toSystem(system, read), ...toMessages(output, run)],
    output_container_instance_uuid: output?.uuid ?? null,
  };
  if (type === "custom_llm") return { ...base, type, llm_definition_uuid: definition, ...more };
  return { ...base, type, agent_definition_uuid: definition, ...more };
}

function stepStatus(run: Execution, rows: readonly NodeRun[], last: string): LinearStepStatus {
  if (rows.length === 0) return isTerminal(run.status) ? "skipped" : "pending";
  if (rows.findLast(({ nodeId }) => nodeId === last)?.status === "completed") return "completed";
  if (run.status === "failed") return "failed";
  return isTerminal(run.status) ? "skipped" : "running";
}

/** What the step said and heard: kept with its output, or in the run's context while it goes on. */
function toMessages(output: DataInstanceRow | undefined, { context }: Execution): LinearMessage[] {
  const live = isObject(context) ? context.messages : undefined;
  const messages = (output?.messages ?? live ?? []) as Message[]; // cast: the engine's own conversation
  return messages.flatMap(toLinearMessages);
}

/** The system prompt as the model got it. */
function toSystem(template: string | null, read: JsonObject): LinearMessage[] {
  return template === null ? [] : [{ role: "system", content: fillTemplate(template, read), tool_calls: null }];
}

function toLinearMessages(message: Message): LinearMessage[] {
  if (message.role === "tool") {
    return message.content.flatMap((part) =>
      part.type === "tool-result"
        ? [{ role: "tool", content: JSON.stringify(part.output), tool_calls: null, tool_call_id: part.toolCallId }]
        : [],
    );
  }
  if (typeof message.content === "string") return [{ role: message.role, content: message.content, tool_calls: null }];
  const text = message.content.map((part) => (part.type === "text" ? part.text : "")).join("");
  const calls = message.content.flatMap((part): JsonObject[] =>
    part.type === "tool-call"
      ? [
          {
            id: part.toolCallId,
            type: "function",
            function: { name: part.toolName, arguments: JSON.stringify(part.input) },
          },
        ]
      : [],
  );
  return [{ role: message.role, content: text === "" ? null : text, tool_calls: calls.length === 0 ? null : calls }];
}

/** Container → what stood in its place in the prompt. */
function toInputData(
  kept: NodeRun | undefined,
  { context }: Execution,
  system: string | null,
  type: LinearStepType,
  data: readonly DataInstanceRow[],
): JsonObject {
  const held = isObject(context) && isObject(context.data) ? context.data : {};
  const recorded = isObject(kept?.input) && isObject(kept.input.read) ? kept.input.read : held;
  const injected = (reference: Json): Json => {
    const row = isObject(reference) ? data.find(({ uuid }) => uuid === reference.uuid) : undefined;
    if (row === undefined) return reference;
    return type === "custom_agent" ? referenceOf(row) : contentOf(row);
  };
  return Object.fromEntries(containersIn(system ?? "").map((uuid) => [uuid, injected(getOwn(recorded, uuid) ?? null)]));
}
