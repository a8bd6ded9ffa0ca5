import { type Message, Role, type Task, TaskState } from "@a2a-js/sdk";
import { type Json, type JsonObject, OvenError } from "@oven/contract";
import type { Database } from "@oven/db";
import { hashJson } from "@oven/engine";
import { countCall, type ResumedCall, type ResumeOptions, type ToolCallOptions } from "@oven/module-agent-core";
import { type ServiceMap, type ToolAnswer, ToolInputNeeded, ToolPending } from "@oven/module-registry";
import { z } from "zod";
import { type AgentClientDeps, type ConnectionRow, connectionFailed, openAgent } from "./agent-client.ts";
import { AskSchema } from "./ask-schema.ts";
import type { CallRecord, CallRows, Outgoing } from "./call-rows.ts";
import type { Connections } from "./connections.ts";
import { taskFailed, toSendError } from "./send-error.ts";
import { type AgentAnswer, textOf, toAnswer } from "./to-answer.ts";

const FASTEST_LOOK_MS = 1_000;
const SLOWEST_LOOK_MS = 60_000;
/** Looks in a row that an agent may leave unanswered. */
const MOST_MISSES = 30;
/** Looks at a question that was answered, before it counts as asked again. */
const MOST_STALE = 5;
const MOST_QUESTION = 4_000;

interface Deps extends AgentClientDeps {
  db: Database;
  connections: Connections;
  calls: CallRows;
  services: Pick<ServiceMap, "blobs" | "rates" | "secrets" | "workflowPlatform">;
}

type Options = Omit<ToolCallOptions, "release">;

/**
 * Sends messages to outside agents. In a run the message is written down before it is sent, and the agent's task once it has one: a task that
 * takes long is waited for without a worker, and looked at again after a crash.
 */
export class AgentCaller {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /**
   * @throws OvenError A2A_AGENT_NOT_APPROVED, A2A_CALL_LIMIT, A2A_CALL_LOST, A2A_CONNECTION_FAILED, A2A_TASK_FAILED, OUTBOUND_*, SECRET_*; ToolPending while the
   * agent works; ToolInputNeeded where it asks
   */
  async call(id: string, args: JsonObject, options: Options): Promise<Json> {
    const { db, connections, services } = this.#deps;
    const row = await connections.requireUsable(id, options.principal.tenantId, options.signal);
    const begun = await this.#find(options);
    if (begun !== undefined) return this.#goOn(row, begun, options);
    const over = await countCall({ db, rates: services.rates }, "a2a_connections", row);
    if (over !== undefined) throw new OvenError("A2A_CALL_LIMIT", over.message, over.options);
    const { message, data, contextId = null } = AskSchema.parse(args);
    const outgoing = { messageId: crypto.randomUUID(), text: message, ...(data === undefined ? {} : { data }) };
    const record = {
      ...{ arguments: args, outgoing, contextId, taskId: null, taken: [], asked: null, misses: 0 },
      createdAt: new Date(),
    };
    await this.#keep(row, record, options);
    return this.#goOn(row, record, options);
  }

  /** Goes on with what a run has begun. @throws as `call` */
  async resume(id: string, options: ResumeOptions): Promise<ResumedCall> {
    const row = await this.#deps.connections.requireUsable(id, options.principal.tenantId, options.signal);
    const record = await this.#find(options);
    if (record === undefined) throw taskFailed(row.name, "nothing is known of a call of this step");
    return { arguments: record.arguments, result: await this.#goOn(row, record, options) };
  }

  async #goOn(row: ConnectionRow, begun: CallRecord, options: Options): Promise<Json> {
    const { answer } = options;
    let record = begun;
    if (answer !== undefined && !record.taken.includes(answer.id)) {
      if (answer.action === "decline") return this.#giveUp(row, record, options, "a person declined to answer");
      record = { ...record, taken: [...record.taken, answer.id], outgoing: toOutgoing(answer) };
      // Recorded before it is sent: a worker that takes the run over after a crash sends the same message.
      await this.#keep(row, record, options);
    }
    const got =
      record.outgoing === null ? await this.#look(row, record, options) : await this.#send(row, record, options);
    if ("parts" in got) return this.#end(row, options, got.parts, got.contextId);
    record = { ...record, outgoing: null, misses: 0, taskId: got.id, contextId: got.contextId || record.contextId };
    const state = got.status?.state ?? TaskState.TASK_STATE_UNSPECIFIED;
    const said = textOf(got.status?.message?.parts ?? []);
    switch (state) {
      case TaskState.TASK_STATE_COMPLETED:
        return this.#end(row, options, partsOf(got), record.contextId ?? "");
      case TaskState.TASK_STATE_FAILED:
      case TaskState.TASK_STATE_REJECTED:
      case TaskState.TASK_STATE_CANCELED:
        await this.#forget(options);
        throw taskFailed(row.name, said === "" ? TaskState[state] : said);
      case TaskState.TASK_STATE_INPUT_REQUIRED:
      case TaskState.TASK_STATE_AUTH_REQUIRED:
        if (options.run === undefined) return this.#giveUp(row, record, options, `it asks: ${said}. Call it in a run`);
        return this.#ask(
          row,
          { ...record, misses: begun.misses },
          said,
          hashJson([said, got.status?.timestamp ?? null]),
          options,
        );
      default:
        return this.#wait(row, record, options);
    }
  }

  async #send(row: ConnectionRow, record: CallRecord, options: Options): Promise<Message | Task> {
    const { outgoing } = record;
    if (outgoing === null) throw new Error("there is nothing to send");
    const { client, sent } = await openAgent(this.#deps, row, approvedCard(row), options.signal);
    try {
      return await client.sendMessage({
        tenant: "",
        message: toMessage(outgoing, record),
        configuration: {
          acceptedOutputModes: ["text/plain", "application/json"],
          taskPushNotificationConfig: undefined,
          returnImmediately: options.run !== undefined,
        },
        metadata: undefined,
      });
    } catch (error) {
      options.signal.throwIfAborted();
      const failure = toSendError(row.name, error, sent);
      // What may have arrived stays: a person says what became of it.
      if (!failure.uncertain) await this.#forget(options);
      await this.#deps.connections.noteFailure(row, failure);
      throw failure;
    }
  }

  /** An agent that does not answer for a while has still begun: it is looked at again. */
  async #look(row: ConnectionRow, record: CallRecord, options: Options): Promise<Task> {
    const { client, sent } = await openAgent(this.#deps, row, approvedCard(row), options.signal);
    try {
      return await client.getTask({ tenant: "", id: record.taskId ?? "" });
    } catch (error) {
      options.signal.throwIfAborted();
      const failure = toSendError(row.name, error, sent);
      const misses = record.misses + 1;
      const isOver = failure.code === "A2A_TASK_FAILED" || options.run === undefined || misses > MOST_MISSES;
      if (!isOver) return this.#wait(row, { ...record, misses }, options);
      await this.#forget(options);
      throw failure.uncertain ? connectionFailed(row.name, "it no longer answers", "Look at the agent.") : failure;
    }
  }

  /** An agent that has an answer may still show the question for a while. */
  async #ask(row: ConnectionRow, record: CallRecord, said: string, question: string, options: Options): Promise<never> {
    const isStale = question === record.asked && record.misses < MOST_STALE;
    if (isStale) return this.#wait(row, { ...record, misses: record.misses + 1 }, options);
    await this.#keep(row, { ...record, asked: question, misses: 0 }, options);
    throw toQuestion(row, said);
  }

  async #wait(row: ConnectionRow, record: CallRecord, options: Options): Promise<never> {
    const since = Date.now() - record.createdAt.getTime();
    if (since > row.maxTotalMs) return this.#giveUp(row, record, options, `it took longer than ${row.maxTotalMs} ms`);
    if (options.run === undefined)
      return this.#giveUp(row, record, options, "it takes longer than a call outside of a run waits");
    await this.#keep(row, record, options);
    const lookIn = Math.min(Math.max(since / 10, FASTEST_LOOK_MS), SLOWEST_LOOK_MS);
    options.report?.(`${row.name} works on it`);
    throw new ToolPending(`${row.name} works on it`, new Date(Date.now() + lookIn));
  }

  /** @throws OvenError A2A_TASK_FAILED */
  async #giveUp(row: ConnectionRow, record: CallRecord, options: Options, why: string): Promise<never> {
    const { taskId } = record;
    await this.#forget(options);
    if (taskId !== null) await this.#cancel(row, taskId, options.signal, (said) => options.report?.(said));
    throw taskFailed(row.name, why);
  }

  /**
   * The tasks of runs that have ended without waiting for them, such as cancelled ones: their agents need not go on. An agent that may no
   * longer be asked is not asked for this either.
   */
  async cancelEnded(signal: AbortSignal): Promise<void> {
    const { calls, connections, services } = this.#deps;
    const ended = await services.workflowPlatform.runEnds.endedOf(await calls.runs());
    for (const { connectionId, taskId } of await calls.takeOf(ended)) {
      const row = taskId === null ? undefined : await connections.findUsable(connectionId);
      if (row === undefined || taskId === null) continue;
      await this.#cancel(row, taskId, signal, (said) => console.warn(said));
    }
  }

  async #cancel(
    row: ConnectionRow,
    taskId: string,
    signal: AbortSignal,
    report: (said: string) => void,
  ): Promise<void> {
    try {
      const { client } = await openAgent(this.#deps, row, approvedCard(row), signal);
      await client.cancelTask({ tenant: "", id: taskId, metadata: undefined });
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error);
      report(`${row.name} did not cancel its task: ${this.#deps.services.secrets.redact(row.tenantId, said)}`);
    }
  }

  async #end(row: ConnectionRow, options: Options, parts: Message["parts"], contextId: string): Promise<Json> {
    const { services } = this.#deps;
    const answer: AgentAnswer = await toAnswer(parts, contextId, services.blobs, options);
    await this.#forget(options);
    return services.secrets.redact(row.tenantId, { ...answer });
  }

  async #find({ run, principal }: Options): Promise<CallRecord | undefined> {
    return run === undefined ? undefined : this.#deps.calls.find(run, principal.tenantId);
  }

  async #keep({ id }: ConnectionRow, record: CallRecord, { run, principal }: Options): Promise<void> {
    if (run !== undefined) await this.#deps.calls.keep(run, principal.tenantId, id, record);
  }

  async #forget({ run, principal }: Options): Promise<void> {
    if (run !== undefined) await this.#deps.calls.forget(run, principal.tenantId);
  }
}

function approvedCard({ approvedCard: card }: ConnectionRow): NonNullable<ConnectionRow["approvedCard"]> {
  if (card === null) throw new Error("an agent that is used has an approved card");
  return card;
}

function toMessage({ messageId, text, data }: Outgoing, { taskId, contextId }: CallRecord): Message {
  const rest = { metadata: undefined, filename: "" };
  return {
    ...{ messageId, role: Role.ROLE_USER, taskId: taskId ?? "", contextId: contextId ?? "" },
    parts: [
      { content: { $case: "text", value: text }, mediaType: "text/plain", ...rest },
      ...(data === undefined
        ? []
        : [{ content: { $case: "data" as const, value: data }, mediaType: "application/json", ...rest }]),
    ],
    ...{ metadata: undefined, extensions: [], referenceTaskIds: [] },
  };
}

/** All that the agent has made; what it said last, where it made nothing. */
function partsOf({ artifacts, status }: Task): Message["parts"] {
  const made = artifacts.flatMap(({ parts }) => parts);
  return made.length > 0 ? made : (status?.message?.parts ?? []);
}

function toQuestion({ name, title }: ConnectionRow, said: string): ToolInputNeeded {
  const who = title ?? name;
  const question = said.slice(0, MOST_QUESTION);
  return new ToolInputNeeded({
    title: `${who} asks: ${question.slice(0, 120)}`,
    schema: {
      type: "object",
      properties: { answer: { type: "string", title: "Answer", minLength: 1 } },
      required: ["answer"],
    },
    about: { agent: who, question, note: "The words are the agent's. What you send goes to it." },
  });
}

function toOutgoing({ data }: ToolAnswer): Outgoing {
  const { answer } = z.looseObject({ answer: z.string() }).parse(data);
  return { messageId: crypto.randomUUID(), text: answer };
}
