import { type Artifact, type Message, type Part, Role, type Task, TaskState, type TaskStatus } from "@a2a-js/sdk";
import { isObject, type Json } from "@oven/contract";
import type { McpPending } from "@oven/contract/mcp";
import { isTerminal } from "@oven/contract/run";
import { hashJson } from "@oven/engine";
import { toText } from "@oven/module-agent-core";
import { type SeenRun, toReviewMessage } from "@oven/module-workflows";
import type { TaskFile } from "./task-files.ts";
import type { TaskRow } from "./task-rows.ts";

const JSON_TYPE = "application/json";
const TEXT_TYPE = "text/plain";

export interface SeenTask {
  row: TaskRow;
  run: SeenRun;
  /** The open reviews that the caller may decide, the oldest first. */
  answerable: readonly McpPending[];
  /** Of a completed run. */
  files: readonly TaskFile[];
}

/** A run as a task. @param history what caller and agent have said so far */
export function toTask(seen: SeenTask, history: Message[] = []): Task {
  const { taskId, contextId } = seen.row;
  return {
    id: taskId,
    contextId,
    status: toStatus(seen),
    artifacts: toArtifacts(seen),
    history,
    metadata: { "oven/run": seen.run.envelope.run },
  };
}

export function toStatus(seen: SeenTask): TaskStatus {
  const { run } = seen;
  const { status, completedAt, createdAt } = run.summary;
  const at = (isTerminal(status) ? completedAt : run.changedAt) ?? createdAt;
  return { state: toState(seen), message: toMessage(seen), timestamp: at };
}

export function isInterrupted(state: TaskState | undefined): boolean {
  return state === TaskState.TASK_STATE_INPUT_REQUIRED;
}

export function toArtifacts({ row, run, files }: SeenTask): Artifact[] {
  const { status, output } = run.envelope;
  if (status !== "completed" || output === undefined || output === null) return [];
  const artifact = { artifactId: "result", name: "Result", description: "", metadata: undefined, extensions: [] };
  const result = row.agentId === null ? output : toAnswer(output);
  const said = typeof result === "string" ? textPart(result) : dataPart(result);
  return [{ ...artifact, parts: [said, ...files.map(filePart)] }];
}

/** What an agent says: its answer in the form that it has for one, else as a text. */
function toAnswer(output: Json): Json {
  const object = isObject(output) ? output.object : undefined;
  return object ?? toText(output);
}

/** Where people must decide whom the caller is not one of, the task works on: there is nothing that the caller could send. */
function toState({ run, answerable }: SeenTask): TaskState {
  switch (run.summary.status) {
    case "pending":
      return TaskState.TASK_STATE_SUBMITTED;
    case "running":
    case "paused":
      return answerable.length > 0 ? TaskState.TASK_STATE_INPUT_REQUIRED : TaskState.TASK_STATE_WORKING;
    case "completed":
      return TaskState.TASK_STATE_COMPLETED;
    case "failed":
      return run.summary.errorInfo?.code === "REVIEW_REJECTED"
        ? TaskState.TASK_STATE_REJECTED
        : TaskState.TASK_STATE_FAILED;
    case "cancelled":
      return TaskState.TASK_STATE_CANCELED;
  }
}

function toMessage({ row, run, answerable }: SeenTask): Message | undefined {
  const [asked] = answerable;
  if (asked !== undefined) return toQuestion(row, asked);
  const [waiting] = run.pending;
  const { error, status } = run.summary;
  const text = isTerminal(status)
    ? error
    : waiting === undefined
      ? run.progress
      : `People must decide: ${waiting.shown.title}`;
  return text ? agentMessage(row, text, [textPart(text)]) : undefined;
}

/** What an agent asks: words for people, and the review as data. */
export function toQuestion(row: TaskRow, asked: McpPending): Message {
  const parts = [textPart(toReviewMessage(asked)), question(asked)];
  return agentMessage(row, `${asked.reviewId} ${asked.digest}`, parts);
}

/** The same message has the same id, however often it is read. */
function agentMessage(row: TaskRow, about: string, parts: Part[]): Message {
  return messageOf(row, { messageId: hashJson([row.taskId, about]), role: Role.ROLE_AGENT, parts });
}

export function messageOf(
  { taskId, contextId }: TaskRow,
  said: Pick<Message, "messageId" | "role" | "parts">,
): Message {
  return { ...said, taskId, contextId, metadata: undefined, extensions: [], referenceTaskIds: [] };
}

/** What is proposed, and what an answer takes. */
function question(pending: McpPending): Part {
  const { reviewId, digest, title, proposal, context, warning, actions, schema, dueAt, url } = pending;
  return dataPart({
    ...{ reviewId, digest, title, proposal, actions, schema, dueAt, url },
    ...(context === undefined ? {} : { context }),
    ...(warning === undefined ? {} : { warning }),
  });
}

export function textPart(value: string): Part {
  return { content: { $case: "text", value }, metadata: undefined, filename: "", mediaType: TEXT_TYPE };
}

function filePart({ name, mediaType, content }: TaskFile): Part {
  const held: Part["content"] =
    typeof content === "string" ? { $case: "url", value: content } : { $case: "raw", value: content };
  return { content: held, metadata: undefined, filename: name, mediaType };
}

export function dataPart(value: Json): Part {
  return { content: { $case: "data", value }, metadata: undefined, filename: "", mediaType: JSON_TYPE };
}
