import {
  type CallToolResult,
  type McpServer,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from "@modelcontextprotocol/server";
import { isOvenError, type Principal } from "@oven/contract";
import { type McpTask, McpTaskParamsSchema, McpTaskSchema, TASKS_EXTENSION } from "@oven/contract/mcp";
import { isTerminal } from "@oven/contract/run";
import type { z } from "zod";
import { capabilitiesOfRequest } from "./client-capabilities.ts";
import { withPublicErrors } from "./public-errors.ts";
import { ENVELOPE_META_KEY, type ReviewQuestions } from "./review-questions.ts";
import type { RunCalls, SeenRun } from "./run-calls.ts";
import { readTaskId, toTaskId } from "./task-id.ts";

const FASTEST_POLL_MS = 1_000;
const SLOWEST_POLL_MS = 10_000;
/** A person takes longer than a step. */
const POLL_FOR_PERSON_MS = 5_000;

export interface RunTasksDeps {
  principal: Principal;
  calls: RunCalls;
  questions: ReviewQuestions;
  signingKey: Uint8Array;
  /** How long runs stay after their end, in ms. */
  retentionMs(): Promise<number>;
  /** Before each request, as before a call of the tool that does the same. @throws OvenError TOO_MANY_REQUESTS */
  admit(tool: string): Promise<void>;
  /** What the call would have answered. */
  toResult(envelope: SeenRun["envelope"]): CallToolResult;
}

/**
 * Runs as tasks, for clients that declare the extension: a call answers with a handle, and `tasks/get`, `tasks/update` and `tasks/cancel` do
 * what `get_run`, `answer_review` and `cancel_run` do, with the same rights. A task is its run and has no row of its own.
 */
export class RunTasks {
  readonly #deps: RunTasksDeps;

  constructor(deps: RunTasksDeps) {
    this.#deps = deps;
  }

  /** Whether this call answers with a task. The second half of a call that asked belongs to the run that it asked about. */
  isWanted(context: ServerContext): boolean {
    return isDeclared(context) && context.mcpReq.requestState() === undefined;
  }

  /** The answer to a call that has started a run: the handle, and beside it what the tool says of a run that goes on. */
  async created(executionId: number): Promise<CallToolResult> {
    const run = await this.#deps.calls.see(executionId);
    const task = await this.#toTask(run, isTerminal(run.summary.status) ? toEndStatus(run) : "working");
    return { ...this.#deps.toResult(run.envelope), isError: false, ...task, resultType: "task" };
  }

  /** For servers of revision 2026-07-28; before it, the extension is not defined. */
  register({ server }: McpServer): void {
    const handle = (
      method: string,
      tool: string,
      work: (executionId: number, context: ServerContext) => Promise<Record<string, unknown>>,
    ) =>
      server.setRequestHandler(
        method,
        { params: McpTaskParamsSchema },
        withPublicErrors(async ({ taskId }: z.output<typeof McpTaskParamsSchema>, context: ServerContext) => {
          requireDeclared(context);
          await this.#deps.admit(tool);
          return orTaskNotFound(() => work(this.#read(taskId), context));
        }),
      );
    handle("tasks/get", "get_run", (id, context) => this.#get(id, context));
    handle("tasks/update", "answer_review", (id, context) => this.#update(id, context));
    handle("tasks/cancel", "cancel_run", (id, context) => this.#cancel(id, context));
  }

  async #get(executionId: number, context: ServerContext): Promise<Record<string, unknown>> {
    const { calls, questions, toResult } = this.#deps;
    await calls.requireOwn(executionId, "executions.read");
    const run = await calls.see(executionId);
    if (isTerminal(run.summary.status)) {
      const status = toEndStatus(run);
      const task = await this.#toTask(run, status);
      return status === "cancelled" ? task : { ...task, result: toResult(run.envelope) };
    }
    const asked = questions.ofTask(run, context);
    const _meta = { [ENVELOPE_META_KEY]: run.envelope };
    if (asked.size === 0) return { ...(await this.#toTask(run, "working")), _meta };
    const inputRequests = Object.fromEntries([...asked].map(([key, { request }]) => [key, request]));
    return { ...(await this.#toTask(run, "input_required")), inputRequests, _meta };
  }

  /** What answers no question that is open now is not read: another answer was first, or something else is proposed by now. */
  async #update(executionId: number, context: ServerContext): Promise<Record<string, never>> {
    const { calls, questions } = this.#deps;
    await calls.requireOwn(executionId, "executions.read");
    const asked = questions.ofTask(await calls.see(executionId), context);
    for (const [key, question] of asked) {
      const answer = questions.answerTo(key, question, context);
      if (answer !== undefined) await calls.decide(answer);
    }
    return {};
  }

  async #cancel(id: number, context: ServerContext): Promise<Record<string, never>> {
    try {
      await this.#deps.calls.cancel({ id, reason: "Its MCP client cancelled the task" }, context);
    } catch (error) {
      // It may end before the request is read: the client learns that from its status.
      if (!isOvenError(error) || error.code !== "ALREADY_ENDED") throw error;
    }
    return {};
  }

  /** @throws ProtocolError for what was not handed out to this tenant */
  #read(taskId: string): number {
    const { principal, signingKey } = this.#deps;
    const executionId = readTaskId(taskId, principal.tenantId, signingKey);
    if (executionId === undefined) throw taskNotFound();
    return executionId;
  }

  async #toTask(run: SeenRun, status: McpTask["status"]): Promise<McpTask> {
    const { principal, signingKey, retentionMs } = this.#deps;
    const { summary, envelope } = run;
    const { createdAt, completedAt } = summary;
    const isOver = isTerminal(summary.status);
    const end = Date.parse(completedAt ?? createdAt);
    const message = isOver ? summary.error : status === "input_required" ? envelope.pending?.title : run.progress;
    return McpTaskSchema.parse({
      taskId: toTaskId({ tenantId: principal.tenantId, executionId: summary.id }, signingKey),
      status,
      ...(message === null || message === undefined ? {} : { statusMessage: message }),
      createdAt,
      lastUpdatedAt: (isOver ? completedAt : run.changedAt) ?? createdAt,
      ttlMs: isOver ? end - Date.parse(createdAt) + (await retentionMs()) : null,
      ...(isOver ? {} : { pollIntervalMs: toPollInterval(status, createdAt) }),
    });
  }
}

/** A run that failed has answered, with an error that the model can read: `failed` is for errors of the protocol. */
function toEndStatus({ summary }: SeenRun): "completed" | "cancelled" {
  return summary.status === "cancelled" ? "cancelled" : "completed";
}

/** A tenth of the time that it has taken so far: a short run is heard of soon, and a long one is not asked for all the time. */
function toPollInterval(status: McpTask["status"], createdAt: string): number {
  if (status === "input_required") return POLL_FOR_PERSON_MS;
  const tenth = Math.round((Date.now() - Date.parse(createdAt)) / 10);
  return Math.min(Math.max(tenth, FASTEST_POLL_MS), SLOWEST_POLL_MS);
}

function isDeclared(context: ServerContext): boolean {
  return capabilitiesOfRequest(context)?.extensions?.[TASKS_EXTENSION] !== undefined;
}

function requireDeclared(context: ServerContext): void {
  if (isDeclared(context)) return;
  throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } } });
}

/** The same answer for a task of another client as for one that never was. */
async function orTaskNotFound<Answer>(work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    throw isOvenError(error) && error.code === "NOT_FOUND" ? taskNotFound() : error;
  }
}

function taskNotFound(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, "Task not found");
}
