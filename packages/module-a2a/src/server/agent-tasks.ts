import type { Message, Task } from "@a2a-js/sdk";
import { TaskNotCancelableError, TaskNotFoundError, UnsupportedOperationError } from "@a2a-js/sdk/errors";
import { isGranted, isOvenError, type Principal } from "@oven/contract";
import type { McpPending } from "@oven/contract/mcp";
import { isTerminal } from "@oven/contract/run";
import { requirePermission, type ServiceMap } from "@oven/module-registry";
import { findOwnReview, RunCalls, type WorkflowFace } from "@oven/module-workflows";
import type { Contexts } from "./contexts.ts";
import { readMessage } from "./message-input.ts";
import { reviewNamedIn, toDecision } from "./review-answer.ts";
import type { TaskStarter } from "./served.ts";
import { readTaskFiles } from "./task-files.ts";
import { readHistory } from "./task-history.ts";
import { isStartedBy, type TaskOwner, type TaskRow, type TaskRows } from "./task-rows.ts";
import { isInterrupted, type SeenTask, toStatus, toTask } from "./to-task.ts";

export interface AgentTasksDeps {
  rows: TaskRows;
  face: WorkflowFace;
  services: ServiceMap;
  publicUrl: string;
  signingKey: Uint8Array;
  contexts: Contexts;
}

const LONGEST_ID = 200;

/** What one caller does with the tasks of one agent. A task is its run: it starts, waits, asks and ends as the run does. */
export class AgentTasks {
  readonly #deps: AgentTasksDeps;
  readonly #principal: Principal;
  readonly #owner: TaskOwner;
  readonly #calls: RunCalls;

  constructor(deps: AgentTasksDeps, principal: Principal, owner: TaskOwner) {
    const { face, services, publicUrl, signingKey } = deps;
    this.#deps = deps;
    this.#principal = principal;
    this.#owner = owner;
    const { reviews } = services.workflowPlatform;
    this.#calls = new RunCalls(principal, { runs: face.runs, reviews, services, publicUrl, signingKey });
  }

  /** Starts a run, or decides what a task asks. @throws OvenError, A2AError */
  async take(message: Message, starter: TaskStarter): Promise<SeenTask> {
    return message.taskId === "" ? this.#start(message, starter) : this.#answer(message);
  }

  /** @throws TaskNotFoundError, also for tasks of other callers, agents and tenants */
  async see(taskId: string): Promise<SeenTask> {
    const { row, executionId } = await this.#find(taskId);
    return this.#look(row, executionId);
  }

  /** @throws TaskNotCancelableError, TaskNotFoundError */
  async cancel(taskId: string, signal: AbortSignal): Promise<SeenTask> {
    const { row, executionId } = await this.#find(taskId, "executions.cancel");
    const { runs } = this.#deps.face;
    const { status } = await runs.reader.summary(this.#principal, executionId);
    if (isTerminal(status)) throw new TaskNotCancelableError(`The task has ${status} already`);
    try {
      await runs.cancel(this.#principal, executionId, "Its A2A client cancelled the task", signal);
    } catch (error) {
      if (isOvenError(error) && error.code === "ALREADY_ENDED") throw new TaskNotCancelableError(error.message);
      throw error;
    }
    return this.#look(row, executionId);
  }

  async list({
    withFiles,
    ...filter
  }: {
    contextId: string;
    before?: number;
    limit: number;
    withFiles: boolean;
  }): Promise<SeenTask[]> {
    const rows = await this.#deps.rows.list(this.#principal, { ...filter, owner: this.#owner });
    const seen = await Promise.all(
      rows.map(async (row) => {
        try {
          return await this.#look(row, row.executionId ?? 0, withFiles);
        } catch (error) {
          // Runs are removed when their time is over.
          if (isOvenError(error) && error.code === "NOT_FOUND") return [];
          throw error;
        }
      }),
    );
    return seen.flat();
  }

  /** Each state that a task goes through from now on, until one `isLast`. */
  async *follow(
    first: SeenTask,
    signal: AbortSignal,
    isLast: (seen: SeenTask) => boolean,
  ): AsyncGenerator<SeenTask, void, undefined> {
    let seen = first;
    let before = JSON.stringify(toStatus(seen));
    while (!signal.aborted && !isLast(seen)) {
      await this.#deps.face.runs.settle(this.#principal, seen.run.summary.id, LOOK_MS, signal, changedSince());
      if (signal.aborted) return;
      seen = await this.#look(seen.row, seen.run.summary.id);
      const now = JSON.stringify(toStatus(seen));
      if (now !== before) yield seen;
      before = now;
    }
  }

  /** As it is once it has settled, waits for people, or `milliseconds` are over. */
  async settle(first: SeenTask, milliseconds: number, signal: AbortSignal): Promise<SeenTask> {
    const { runs } = this.#deps.face;
    const { id } = first.run.summary;
    await runs.settle(this.#principal, id, milliseconds, signal);
    return this.#look(first.row, id);
  }

  /** As an answer. @param historyLength how many messages the client asks for @throws RequestMalformedError */
  async show(seen: SeenTask, historyLength: number | undefined): Promise<Task> {
    return toTask(seen, await readHistory(this.#deps, this.#principal, seen, historyLength));
  }

  async #start(message: Message, starter: TaskStarter): Promise<SeenTask> {
    const { rows } = this.#deps;
    requirePermission(this.#principal, starter.permission);
    const { messageId, contextId } = message;
    requireId(messageId, "messageId");
    requireId(contextId, "contextId", true);
    const input = starter.toInput(readMessage(message));
    const row = await rows.begin(this.#principal, { owner: this.#owner, messageId, contextId, input });
    if (row.executionId !== null) return this.see(row.taskId);
    try {
      const id = await starter.start(row, input);
      await rows.started(row, id);
      return await this.#look({ ...row, executionId: id }, id);
    } catch (error) {
      if (isOvenError(error) && error.status < 500) await rows.drop(row);
      throw error;
    }
  }

  async #answer(message: Message): Promise<SeenTask> {
    const { row, executionId } = await this.#find(message.taskId);
    const seen = await this.#look(row, executionId);
    if (message.contextId !== "" && message.contextId !== row.contextId)
      throw new UnsupportedOperationError("The task belongs to another context");
    const content = readMessage(message);
    await this.#requireUndecided(reviewNamedIn(content));
    if (!isInterrupted(toStatus(seen).state))
      throw new UnsupportedOperationError(
        isTerminal(seen.run.summary.status)
          ? "The task has ended: begin another one"
          : "The task asks this caller nothing",
      );
    const asked = isStartedBy(row, this.#principal) ? row.asked : null;
    const decision = toDecision(content, asked, seen.answerable);
    if (!seen.answerable.some(({ reviewId }) => reviewId === decision.reviewId)) throw otherReview();
    await this.#calls.decide({ ...decision });
    const { reviewId } = decision;
    const answered = await this.#deps.rows.answered(row, { reviewId, messageId: message.messageId });
    return this.#look({ ...row, answered }, executionId);
  }

  /** What was decided elsewhere meanwhile is answered as such: that the task asks nothing more does not say who was first. */
  async #requireUndecided(reviewId: number | undefined): Promise<void> {
    if (reviewId === undefined || !isGranted(this.#principal.permissions, "reviews.decide")) return;
    try {
      await this.#deps.services.workflowPlatform.reviews.requireUndecided(this.#principal, reviewId);
    } catch (error) {
      throw isOvenError(error) && error.code === "NOT_FOUND" ? otherReview() : error;
    }
  }

  async #find(taskId: string, permission = "executions.read"): Promise<{ row: TaskRow; executionId: number }> {
    const row = await this.#deps.rows.find(this.#principal, this.#owner, taskId);
    if (row?.executionId == null) throw new TaskNotFoundError();
    try {
      await this.#calls.requireOwn(row.executionId, permission);
    } catch (error) {
      throw isOvenError(error) && error.code === "NOT_FOUND" ? new TaskNotFoundError() : error;
    }
    return { row, executionId: row.executionId };
  }

  async #look(row: TaskRow, executionId: number, withFiles = true): Promise<SeenTask> {
    const run = await this.#calls.see(executionId);
    const answerable: McpPending[] = [];
    for (const { mayDecide, shown } of run.pending)
      if (mayDecide && (await this.#mayAnswer(shown.reviewId))) answerable.push(shown);
    const [first] = answerable;
    if (first !== undefined && isStartedBy(row, this.#principal)) {
      const { reviewId, digest } = first;
      // Two questions that propose the same have the same digest.
      const isKnown = row.asked?.reviewId === reviewId && row.asked.digest === digest;
      if (!isKnown) await this.#deps.rows.asked(row, { reviewId, digest });
    }
    const isDone = withFiles && run.summary.status === "completed";
    const files = isDone ? await readTaskFiles(this.#deps, this.#principal, executionId) : [];
    return { row, run, answerable, files };
  }

  /** A program does not decide what it has asked for itself, unless a setting lets it. */
  async #mayAnswer(reviewId: number): Promise<boolean> {
    if (!isGranted(this.#principal.permissions, "reviews.decide")) return false;
    const { services, publicUrl } = this.#deps;
    const { reviews } = services.workflowPlatform;
    return (await findOwnReview({ services, reviews, publicUrl }, this.#principal, reviewId)) === undefined;
  }
}

function otherReview(): UnsupportedOperationError {
  return new UnsupportedOperationError("The task does not ask about this review");
}

/** A run inside the run may ask, which the run's own log does not say. */
const LOOK_MS = 2_000;

/** Whether the log has grown since the first look. */
function changedSince(): (run: { status: string; seq: number }) => boolean {
  let first: number | undefined;
  return ({ seq }) => {
    first ??= seq;
    return seq > first;
  };
}

export function isOver({ run }: SeenTask): boolean {
  return isTerminal(run.summary.status);
}

/** It has ended, or asks its caller. */
export function isSettled(seen: SeenTask): boolean {
  return isOver(seen) || isInterrupted(toStatus(seen).state);
}

function requireId(id: string, name: string, mayBeEmpty = false): void {
  if ((id !== "" || mayBeEmpty) && id.length <= LONGEST_ID) return;
  throw new UnsupportedOperationError(`${name} must have 1 to ${LONGEST_ID} characters`);
}
