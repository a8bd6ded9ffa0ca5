import { type Json, type JsonObject, notFound, OvenError, type Principal } from "@oven/contract";
import type { Agent, AgentReply, CallerTool, InvokeAgent, SpokenMessage } from "@oven/contract/agent";
import type { RunAgent } from "@oven/contract/node";
import { isTerminal } from "@oven/contract/run";
import type { ModelSettings } from "@oven/contract/workflow";
import { requirePermission, type ServiceMap } from "@oven/module-registry";
import type { AgentRunner } from "../agents/agent-runner.ts";
import type { AgentService } from "../agents/agent-service.ts";
import { checkParameters } from "../agents/check-settings.ts";
import { boundHistory, type HistoryBounds } from "../sessions/bound-history.ts";
import type { MessageRow, SessionService } from "../sessions/session-service.ts";
import type { ToolService } from "../tools/tool-service.ts";
import { checkCallerTools } from "./caller-tools.ts";
import { toReply, toText } from "./to-reply.ts";

export interface InvokeDeps {
  agents: AgentService;
  sessions: SessionService;
  runner: AgentRunner;
  tools: Pick<ToolService, "named">;
  config: ServiceMap["config"];
  publicUrl: string;
}

export interface Said extends Pick<InvokeAgent, "message" | "messages" | "parameters" | "sessionId"> {
  /** What models are asked with in this turn instead. */
  modelSettings?: ModelSettings | undefined;
  /** Tools that the caller runs by itself. */
  callerTools?: readonly CallerTool[] | undefined;
  /** A draft asks: a conversation that begins with it says so in its title. */
  isTest?: boolean;
}

/** Everything a run of an agent needs, as a run of its own or as another run's child. */
export interface PreparedRun {
  agent: RunAgent;
  workflowId: number;
  input: JsonObject;
  /** What the run is about; the same request again finds the same message. */
  messageId: number;
  isNewSession: boolean;
  /** The run, when the same request has started one before. */
  executionId: number | null;
}

/** What a run needs that belongs to no conversation. */
export interface StandaloneRun extends Pick<PreparedRun, "agent" | "workflowId" | "input"> {
  /** Of an earlier version of the agent. */
  workflowVersion?: number;
}

/** A turn of a conversation that is only tried out. */
export interface Rehearsal {
  workflowId: number;
  /** Id or slug of the agent that is spoken for; undefined: none. */
  agent: string | number | undefined;
  message: string;
  /** The turns before it; `output` is null where a run gave none. */
  before: readonly { message: string; output: Json | null }[];
}

export const HISTORY_MESSAGES = "AGENT_HISTORY_MESSAGES";
export const HISTORY_TOKENS = "AGENT_HISTORY_TOKENS";

/** Calls agents: every call is a run on the engine, and part of a conversation. */
export class InvokeService {
  readonly #deps: InvokeDeps;

  constructor(deps: InvokeDeps) {
    this.#deps = deps;
  }

  /**
   * Starts a run of the agent, once per key.
   * @throws OvenError NOT_FOUND, AGENT_DISABLED 409, INVALID_INPUT, IDEMPOTENCY_KEY_REUSED, and as executing its workflow
   */
  async start(principal: Principal, idOrSlug: string, said: Said, key: string | null): Promise<number> {
    const prepared = await this.prepare(principal, idOrSlug, said, key === null ? null : `request:${key}`);
    if (prepared.executionId !== null) return prepared.executionId;
    const { agent, workflowId, input, messageId, isNewSession } = prepared;
    try {
      const idempotencyKey = `agent-message:${messageId}`;
      const { modelSettings } = said;
      const run = { workflowId, input, agent, modelSettings, idempotencyKey };
      const executionId = await this.#deps.runner.start(principal, run);
      await this.#deps.sessions.ran(messageId, executionId);
      return executionId;
    } catch (error) {
      await this.#deps.sessions.unsay(messageId);
      if (isNewSession && agent.sessionId !== null) await this.#deps.sessions.delete(principal, agent.sessionId);
      throw error;
    }
  }

  /**
   * Asks once more what led to a run of a conversation: the new run, one per earlier run, takes its place there.
   * @throws OvenError NOT_FOUND, AGENT_DISABLED 409, INVALID_INPUT, and as executing its workflow
   */
  async again(
    principal: Principal,
    executionId: number,
    { parameters, modelSettings }: Pick<Said, "parameters" | "modelSettings">,
  ): Promise<number> {
    const { agents, sessions, runner } = this.#deps;
    const message = await sessions.askedBy(principal.tenantId, executionId);
    if (message === undefined) throw notFound("message of run", executionId);
    const session = await sessions.get(principal, message.sessionId);
    const agent = await agents.get(principal, String(session.agentId));
    requireEnabled(agent);
    checkParameters(agent.exposedParameters, parameters);
    const history = await this.#historyBefore(principal, agent, message);
    const workflowId = await agents.workflowOf(agent);
    const next = await runner.start(principal, {
      workflowId,
      input: await this.#toInput(runner, principal, workflowId, { parameters }, history),
      agent: { id: agent.id, version: agent.version, sessionId: session.id },
      modelSettings,
      idempotencyKey: `agent-message:${message.id}:after:${executionId}`,
    });
    await sessions.replaced(executionId, next);
    return next;
  }

  /** Adds what is said to the conversation, and gathers what the run gets. @throws OvenError as `start` */
  async prepare(principal: Principal, idOrSlug: string, said: Said, key: string | null): Promise<PreparedRun> {
    const { agents, runner } = this.#deps;
    const agent = await agents.get(principal, idOrSlug);
    requireEnabled(agent);
    checkParameters(agent.exposedParameters, said.parameters);
    checkCallerTools(agent, said.callerTools, this.#deps.tools.named(agent.toolBindings, principal.tenantId));
    const spoken = toSpoken(said);
    const message = await this.#say(principal, agent, said, spoken, key);
    const history = await this.#historyBefore(principal, agent, message);
    const workflowId = await agents.workflowOf(agent);
    return {
      agent: { id: agent.id, version: agent.version, sessionId: message.sessionId },
      workflowId,
      input: await this.#toInput(runner, principal, workflowId, said, history),
      messageId: message.id,
      isNewSession: said.sessionId === undefined,
      executionId: message.executionId,
    };
  }

  /**
   * What a run outside of any conversation needs, of the current version or an earlier one.
   * @throws OvenError NOT_FOUND, AGENT_DISABLED, INVALID_INPUT
   */
  async standalone(
    principal: Principal,
    idOrSlug: string,
    said: Omit<Said, "sessionId">,
    version?: number,
  ): Promise<StandaloneRun> {
    const { agents, runner } = this.#deps;
    const found = await agents.get(principal, idOrSlug);
    requireEnabled(found);
    const agent: RunAgent = { id: found.id, version: version ?? found.version, sessionId: null };
    const { exposedParameters } = await agents.settingsOf(agent);
    checkParameters(exposedParameters, said.parameters);
    const workflow = await agents.workflowIn(found, agent.version);
    const spoken = toSpoken(said);
    return { agent, ...workflow, input: await this.#toInput(runner, principal, workflow.workflowId, said, spoken) };
  }

  /**
   * What a turn of a test conversation gets: the same words as in a conversation with an agent; nothing is written down.
   * @throws OvenError NOT_FOUND, FORBIDDEN, INVALID_INPUT for an agent that does not run this workflow
   */
  async rehearse(
    principal: Principal,
    { agent: named, workflowId, message, before }: Rehearsal,
  ): Promise<{ agent: RunAgent | null; messages: SpokenMessage[] }> {
    const agent = named === undefined ? null : await this.#runs(principal, String(named), workflowId);
    const said = before.flatMap(({ message: content, output }): SpokenMessage[] => [
      { role: "user", content },
      ...(output === null ? [] : [{ role: "assistant" as const, content: toText(output) }]),
    ]);
    const bounds = await this.#bounds(principal, agent);
    return {
      agent: agent && { id: agent.id, version: agent.version, sessionId: null },
      messages: [...boundHistory(said, bounds), { role: "user", content: message }],
    };
  }

  async #runs(principal: Principal, idOrSlug: string, workflowId: number): Promise<Agent> {
    requirePermission(principal, "agents.invoke");
    const agent = await this.#deps.agents.get(principal, idOrSlug);
    if ((agent.workflowId ?? agent.runsWorkflowId) === workflowId) return agent;
    throw new OvenError("INVALID_INPUT", `${agent.name} runs another workflow`, {
      path: "$.conversation.agent",
      fix: "Name an agent that is bound to this workflow, or none.",
    });
  }

  async #toInput(
    runner: AgentRunner,
    principal: Principal,
    workflowId: number,
    { parameters, callerTools = [] }: Pick<Said, "parameters" | "callerTools">,
    messages: readonly SpokenMessage[],
  ): Promise<JsonObject> {
    const given = {
      ...parameters,
      ...(callerTools.length === 0 ? {} : { callerTools: callerTools.map((tool) => ({ ...tool })) }),
      message: messages.at(-1)?.content ?? "",
      messages: messages.map(({ role, content }) => ({ role, content })),
    };
    const keys = await runner.inputKeys(principal, workflowId);
    // A bound workflow that is strict about its input need not take the conversation.
    return keys === undefined
      ? given
      : Object.fromEntries(Object.entries(given).filter(([name]) => keys.includes(name)));
  }

  /** The run as it is now; an answer becomes part of the conversation. @throws OvenError NOT_FOUND */
  async reply(principal: Principal, executionId: number): Promise<AgentReply> {
    const { agents, runner, sessions, publicUrl } = this.#deps;
    const { run, agent } = await runner.summary(principal, executionId);
    if (agent === null) throw notFound("run of an agent", executionId);
    const { slug } = await agents.get(principal, String(agent.id));
    const pending = isTerminal(run.status) ? [] : await runner.pending(principal, executionId);
    const reply = toReply(run, { ...agent, slug }, pending, publicUrl);
    if (reply.text !== null) await sessions.answered(executionId, reply.text);
    return reply;
  }

  /**
   * A child's run has ended: it is part of the conversation that `prepare` began with this key.
   * @returns what it said, once it has completed
   */
  async settle(principal: Principal, executionId: number, key: string): Promise<string | null> {
    const { sessions, runner } = this.#deps;
    const { run, agent } = await runner.summary(principal, executionId);
    const message =
      agent === null ? undefined : await sessions.saidWith(principal.tenantId, toScoped(principal, agent.id, key));
    if (message !== undefined) await sessions.ran(message.id, executionId);
    if (run.status !== "completed") return null;
    const text = toText(run.output);
    await sessions.answered(executionId, text);
    return text;
  }

  /**
   * A run outside of any conversation, such as one of an eval, answers no caller and is read with the rights of its executions.
   * @throws OvenError NOT_FOUND unless the run is this agent's and part of a conversation of the principal
   */
  async requireRun(principal: Principal, idOrSlug: string, executionId: number): Promise<void> {
    const { agents, runner, sessions } = this.#deps;
    const { id } = await agents.get(principal, idOrSlug);
    const { agent } = await runner.summary(principal, executionId);
    if (agent?.id !== id || agent.sessionId === null) throw notFound("run of this agent", executionId);
    await sessions.get(principal, agent.sessionId);
  }

  /** For a session that is read: the answer of a run that ended unseen. */
  answerOf(principal: Principal): (executionId: number) => Promise<string | null | undefined> {
    return async (executionId) => {
      try {
        const { status, output } = (await this.#deps.runner.summary(principal, executionId)).run;
        if (!isTerminal(status)) return undefined;
        return status === "completed" ? toText(output) : null;
      } catch (error) {
        // Runs are removed after a while; the conversation stays.
        if (error instanceof OvenError && error.code === "NOT_FOUND") return null;
        throw error;
      }
    };
  }

  async #say(
    principal: Principal,
    agent: Agent,
    { sessionId, isTest = false }: Said,
    spoken: readonly SpokenMessage[],
    key: string | null,
  ): Promise<MessageRow> {
    const { sessions } = this.#deps;
    const scoped = key === null ? null : toScoped(principal, agent.id, key);
    const earlier = scoped === null ? undefined : await sessions.saidWith(principal.tenantId, scoped);
    if (earlier !== undefined) return this.#again(principal, earlier, spoken);
    const session =
      sessionId === undefined
        ? await sessions.create(principal, agent.id, `${isTest ? "Test: " : ""}${spoken.at(-1)?.content ?? ""}`)
        : await sessions.get(principal, sessionId);
    if (session.agentId !== agent.id)
      throw new OvenError("INVALID_INPUT", `Session ${session.id} is a conversation with another agent`, {
        path: "$.sessionId",
        fix: "Leave `sessionId` out to begin a new one.",
      });
    const message = await sessions.say(session, spoken, scoped);
    if (message !== undefined) return message;
    const first = scoped === null ? undefined : await sessions.saidWith(principal.tenantId, scoped);
    if (first === undefined) throw new Error("a message was neither written nor found");
    return this.#again(principal, first, spoken);
  }

  /** The same request as before, or another one with its key. */
  async #again(principal: Principal, earlier: MessageRow, spoken: readonly SpokenMessage[]): Promise<MessageRow> {
    await this.#deps.sessions.get(principal, earlier.sessionId);
    if (earlier.content === spoken.at(-1)?.content) return earlier;
    throw new OvenError("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key came with another message before", {
      status: 409,
      path: "$headers.idempotency-key",
      fix: "Use a new key for a new request.",
    });
  }

  async #historyBefore(principal: Principal, agent: Agent, message: MessageRow): Promise<SpokenMessage[]> {
    const before = await this.#deps.sessions.before(message, this.answerOf(principal));
    const bounds = await this.#bounds(principal, agent);
    return [...boundHistory(before, bounds), { role: message.role, content: message.content }];
  }

  async #bounds({ tenantId }: Principal, agent: Agent | null): Promise<HistoryBounds> {
    const read = async (key: string) => {
      const instance = agent === null ? undefined : String(agent.id);
      const request = { module: "module-agent-core", key, tenantId, instance };
      return Number((await this.#deps.config.resolve(request)).value);
    };
    return { messages: await read(HISTORY_MESSAGES), tokens: await read(HISTORY_TOKENS) };
  }
}

function toSpoken({ messages, message }: Omit<Said, "sessionId">): SpokenMessage[] {
  return messages ?? [{ role: "user", content: message ?? "" }];
}

function requireEnabled({ enabled, name }: Agent): void {
  if (enabled) return;
  throw new OvenError("AGENT_DISABLED", `${name} is disabled`, { status: 409, fix: "Enable it first." });
}

/** Two people, or two agents, may use the same key. */
function toScoped({ kind, userId, keyId }: Principal, agentId: number, key: string): string {
  return `${agentId}:${kind}:${userId ?? keyId ?? ""}:${key}`;
}
