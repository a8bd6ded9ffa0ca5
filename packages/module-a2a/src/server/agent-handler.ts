import type {
  AgentCard,
  CancelTaskRequest,
  DeleteTaskPushNotificationConfigRequest,
  GetTaskPushNotificationConfigRequest,
  GetTaskRequest,
  ListTaskPushNotificationConfigsRequest,
  ListTaskPushNotificationConfigsResponse,
  ListTasksRequest,
  ListTasksResponse,
  SendMessageRequest,
  StreamResponse,
  SubscribeToTaskRequest,
  Task,
  TaskPushNotificationConfig,
} from "@a2a-js/sdk";
import {
  ExtendedAgentCardNotConfiguredError,
  RequestMalformedError,
  TaskNotFoundError,
  UnsupportedOperationError,
} from "@a2a-js/sdk/errors";
import type { A2ARequestHandler, ServerCallContext } from "@a2a-js/sdk/server";
import type { Principal } from "@oven/contract";
import { type AgentTasks, isOver, isSettled } from "./agent-tasks.ts";
import { type PushConfigs, requirePushTarget } from "./push-configs.ts";
import type { TaskStarter } from "./served.ts";
import { type SeenTask, toArtifacts, toStatus, toTask } from "./to-task.ts";

/** A call that waits answers after this long with the task as it is: clients and proxies give up at 60 s. */
const WAIT_MS = 45_000;
const MOST_LISTED = 100;
const USUALLY_LISTED = 50;

export interface AgentHandlerDeps {
  card: AgentCard;
  tasks: AgentTasks;
  starter: TaskStarter;
  pushes: PushConfigs;
  principal: Principal;
  signal: AbortSignal;
}

/** The operations of the protocol for one caller of one agent. The SDK brings the wire formats of both revisions. */
export class AgentHandler implements A2ARequestHandler {
  readonly #card: AgentCard;
  readonly #tasks: AgentTasks;
  readonly #starter: TaskStarter;
  readonly #pushes: PushConfigs;
  readonly #principal: Principal;
  readonly #signal: AbortSignal;

  constructor({ card, tasks, starter, pushes, principal, signal }: AgentHandlerDeps) {
    this.#card = card;
    this.#tasks = tasks;
    this.#starter = starter;
    this.#pushes = pushes;
    this.#principal = principal;
    this.#signal = signal;
  }

  async getAgentCard(): Promise<AgentCard> {
    return this.#card;
  }

  async getAuthenticatedExtendedAgentCard(): Promise<AgentCard> {
    throw new ExtendedAgentCardNotConfiguredError("The agent has one card");
  }

  async sendMessage(request: SendMessageRequest, context: ServerCallContext): Promise<Task> {
    const { configuration } = request;
    const taken = await this.#take(request, context);
    const isAnswered = configuration?.returnImmediately === true || isSettled(taken);
    const seen = isAnswered ? taken : await this.#tasks.settle(taken, WAIT_MS, this.#signal);
    return this.#tasks.show(seen, configuration?.historyLength);
  }

  async *sendMessageStream(
    request: SendMessageRequest,
    context: ServerCallContext,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    yield* this.#stream(await this.#take(request, context), isSettled);
  }

  async *resubscribe({ id }: SubscribeToTaskRequest): AsyncGenerator<StreamResponse, void, undefined> {
    const seen = await this.#tasks.see(id);
    if (isOver(seen)) throw new UnsupportedOperationError("The task has ended");
    // Who subscribes to a task that asks follows what others answer.
    yield* this.#stream(seen, isOver);
  }

  async getTask({ id, historyLength }: GetTaskRequest): Promise<Task> {
    return this.#tasks.show(await this.#tasks.see(id), historyLength);
  }

  async cancelTask({ id }: CancelTaskRequest): Promise<Task> {
    return toTask(await this.#tasks.cancel(id, this.#signal));
  }

  async listTasks(request: ListTasksRequest): Promise<ListTasksResponse> {
    const {
      contextId,
      status,
      pageSize = USUALLY_LISTED,
      pageToken,
      historyLength,
      includeArtifacts = false,
    } = request;
    const limit = Math.min(Math.max(pageSize, 1), MOST_LISTED);
    const seen = await this.#tasks.list({ contextId, limit, withFiles: includeArtifacts, ...toPage(pageToken) });
    const last = seen.length === limit ? seen.at(-1) : undefined;
    const shown = await Promise.all(seen.map((task) => this.#tasks.show(task, historyLength)));
    const tasks = shown.filter((task) => status === 0 || task.status?.state === status);
    return {
      tasks: includeArtifacts ? tasks : tasks.map((task) => ({ ...task, artifacts: [] })),
      nextPageToken: last === undefined ? "" : String(last.row.id),
      pageSize: limit,
      totalSize: tasks.length,
    };
  }

  async createTaskPushNotificationConfig(
    push: TaskPushNotificationConfig,
    context: ServerCallContext,
  ): Promise<TaskPushNotificationConfig> {
    requirePushTarget(push);
    const { row } = await this.#tasks.see(push.taskId);
    return this.#pushes.set(this.#principal, row, push, context.requestedVersion);
  }

  async getTaskPushNotificationConfig({
    taskId,
    id,
  }: GetTaskPushNotificationConfigRequest): Promise<TaskPushNotificationConfig> {
    const found = (await this.#configsOf(taskId)).find((config) => config.id === id || id === "");
    if (found === undefined) throw new TaskNotFoundError("The task has no such push configuration");
    return found;
  }

  async listTaskPushNotificationConfigs({
    taskId,
  }: ListTaskPushNotificationConfigsRequest): Promise<ListTaskPushNotificationConfigsResponse> {
    return { configs: await this.#configsOf(taskId), nextPageToken: "" };
  }

  async deleteTaskPushNotificationConfig({ taskId, id }: DeleteTaskPushNotificationConfigRequest): Promise<void> {
    const { row } = await this.#tasks.see(taskId);
    await this.#pushes.delete(this.#principal, row, id);
  }

  async #configsOf(taskId: string): Promise<TaskPushNotificationConfig[]> {
    const { row } = await this.#tasks.see(taskId);
    return this.#pushes.list(this.#principal, row);
  }

  async #take({ message, configuration }: SendMessageRequest, context: ServerCallContext): Promise<SeenTask> {
    const push = configuration?.taskPushNotificationConfig;
    if (push !== undefined) requirePushTarget(push);
    const taken = await this.#tasks.take(requireMessage(message), this.#starter);
    if (push !== undefined) await this.#pushes.set(this.#principal, taken.row, push, context.requestedVersion);
    return taken;
  }

  async *#stream(
    first: SeenTask,
    isLast: (seen: SeenTask) => boolean,
  ): AsyncGenerator<StreamResponse, void, undefined> {
    yield { payload: { $case: "task", value: toTask(first) } };
    for await (const seen of this.#tasks.follow(first, this.#signal, isLast)) {
      const { taskId, contextId } = seen.row;
      for (const artifact of toArtifacts(seen)) {
        const value = { taskId, contextId, artifact, append: false, lastChunk: true, metadata: undefined };
        yield { payload: { $case: "artifactUpdate", value } };
      }
      const value = { taskId, contextId, status: toStatus(seen), metadata: undefined };
      yield { payload: { $case: "statusUpdate", value } };
    }
  }
}

function requireMessage(message: SendMessageRequest["message"]): NonNullable<SendMessageRequest["message"]> {
  if (message === undefined) throw new RequestMalformedError("There is no message");
  return message;
}

function toPage(token: string): { before?: number } {
  if (token === "") return {};
  const before = Number(token);
  if (!Number.isSafeInteger(before)) throw new RequestMalformedError("pageToken is not one of ours");
  return { before };
}
