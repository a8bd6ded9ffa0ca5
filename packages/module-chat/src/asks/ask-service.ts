import { isGranted, type JsonObject, notFound, OvenError, type Principal, toActor } from "@oven/contract";
import { type ChatTarget, type ChatTargetKind, type SpokenMessage, SpokenMessageSchema } from "@oven/contract/agent";
import type { ToolCall } from "@oven/contract/ai";
import { toPending } from "@oven/contract/mcp";
import { requirePermission, type ServiceMap } from "@oven/module-registry";
import { z } from "zod";
import { fitWorkflow, toAnswer, toInput } from "../targets/chat-mapping.ts";
import { TALK, type TargetService } from "../targets/target-service.ts";
import { answeringStep } from "./answering-step.ts";
import type { AskedRun, AsksFace, CallResult, FollowAsked, KnownRun, Outcome, Question } from "./asks-face.ts";
import { answerCalls, askedCalls } from "./caller-calls.ts";

export interface AskDeps {
  services: ServiceMap;
  targets: TargetService;
  publicUrl: string;
}

const SaidSchema = z.array(SpokenMessageSchema);
/** As agents get it. */
const AGENT_FIELDS = { message: "message", messages: "messages" };

/** Asks agents and workflows outside of chats, and reads what came of it. */
export class AskService implements AsksFace {
  readonly #deps: AskDeps;

  constructor(deps: AskDeps) {
    this.#deps = deps;
  }

  async targets(principal: Principal): Promise<ChatTarget[]> {
    return (await this.#deps.targets.list(principal, undefined)).filter(({ misfit }) => misfit === null);
  }

  async target(principal: Principal, kind: ChatTargetKind, idOrSlug: string, input: JsonObject): Promise<ChatTarget> {
    const target = await this.#deps.targets.get(principal, kind, idOrSlug, { input });
    if (target.misfit === null) return target;
    throw new OvenError("INVALID_INPUT", `${target.name} cannot be asked as it is`, { fix: target.misfit });
  }

  async start(
    principal: Principal,
    { kind, id, mapping }: ChatTarget,
    { said, parameters, sessionId, key, from, callerTools = [] }: Question,
  ): Promise<AskedRun> {
    const { agents, workflowPlatform } = this.#deps.services;
    if (kind === "agent") {
      const given = { messages: [...said], parameters, callerTools, ...(sessionId === undefined ? {} : { sessionId }) };
      return { kind: "agent-workflow", id: await agents.start(principal, String(id), given, key) };
    }
    if (callerTools.length > 0)
      throw new OvenError("UNSUPPORTED_PARAMETER", "Workflows take no tools of their callers", {
        path: "$.tools",
        fix: "Leave them out, or ask an agent that allows them.",
      });
    if (mapping === null) throw new Error(`${kind} ${id} has no mapping`);
    const request = {
      workflow: String(id),
      input: toInput(mapping, said),
      triggerEvent: from,
      ...(key === null ? {} : { idempotencyKey: key }),
    };
    return { kind, id: (await workflowPlatform.face(kind).runs.execute(principal, request)).id };
  }

  async find(principal: Principal, executionId: number): Promise<KnownRun> {
    const { agents, workflowPlatform } = this.#deps.services;
    const kind = await workflowPlatform.kindOf(principal, executionId);
    const { reader } = workflowPlatform.face(kind).runs;
    const [row, summary] = await Promise.all([
      reader.row(principal, executionId),
      reader.summary(principal, executionId),
    ]);
    const { agentId, workflowId, triggeredBy } = row;
    // A conversation of a test is no conversation of its agent.
    const sessionId = agentId === null || row.sessionId === null || row.sessionId < 0 ? null : row.sessionId;
    const target =
      agentId === null
        ? { kind, id: workflowId, slug: summary.workflowSlug }
        : { kind: "agent" as const, id: agentId, slug: (await agents.get(principal, String(agentId))).slug };
    requirePermission(principal, TALK[target.kind]);
    if (sessionId !== null) await agents.turnsOf(principal, sessionId);
    else {
      const me = toActor(principal);
      const isOwn = triggeredBy.kind === me.kind && triggeredBy.id === me.id;
      if (!isOwn && !isGranted(principal.permissions, "executions.read")) throw notFound("execution", executionId);
    }
    return { kind, id: executionId, target, sessionId };
  }

  follow(principal: Principal, { kind, id }: AskedRun, options: FollowAsked): Promise<boolean> {
    return this.#runs(kind).follow(principal, id, options);
  }

  async outcome(principal: Principal, { kind, id }: AskedRun): Promise<Outcome> {
    const { agents, workflowPlatform } = this.#deps.services;
    const run = await this.#runs(kind).reader.summary(principal, id);
    if (run.agentId !== null) return agents.reply(principal, id);
    const { status, output, errorInfo, tokenUsage } = run;
    const reviews = status === "paused" ? await workflowPlatform.reviews.open(principal, id) : [];
    const failed = { code: errorInfo?.code ?? "RUN_FAILED", message: errorInfo?.message ?? run.error ?? "It failed" };
    return {
      status,
      text: status === "completed" ? toAnswer(output, null) : null,
      error: status === "failed" ? failed : null,
      pending: reviews.map((review) => toPending(review, this.#deps.publicUrl)),
      tokenUsage,
    };
  }

  asked(principal: Principal, { kind, id }: AskedRun): Promise<ToolCall[]> {
    return askedCalls(this.#runs(kind), principal, id);
  }

  answerCalls(principal: Principal, { kind, id }: AskedRun, results: readonly CallResult[]): Promise<void> {
    return answerCalls(this.#runs(kind), principal, id, results);
  }

  async answeringStep(principal: Principal, { kind, id }: AskedRun): Promise<string | undefined> {
    return answeringStep(await this.#runs(kind).pinnedDefinition(principal, id));
  }

  async after(principal: Principal, run: KnownRun): Promise<{ sessionId: number | undefined; said: SpokenMessage[] }> {
    const { agents } = this.#deps.services;
    const { kind, id, sessionId } = run;
    if (sessionId !== null && (await agents.turnsOf(principal, sessionId)).at(-1)?.executionId === id)
      return { sessionId, said: [] };
    const { text } = await this.outcome(principal, run);
    const answer: SpokenMessage[] = text === null || text === "" ? [] : [{ role: "assistant", content: text }];
    const { input } = await this.#runs(kind).reader.row(principal, id);
    const said = await this.#saidIn(principal, run, input as JsonObject); // cast: the input of a run is an object
    return { sessionId: undefined, said: [...said, ...answer] };
  }

  async #saidIn(principal: Principal, { kind, id, target }: KnownRun, input: JsonObject): Promise<SpokenMessage[]> {
    const definition = await this.#runs(kind).pinnedDefinition(principal, id);
    // cast: a definition is JSON
    const fields =
      target.kind === "agent" ? AGENT_FIELDS : fitWorkflow(definition as unknown as JsonObject, { input }).mapping;
    if (fields === null) return [];
    const before = fields.messages === null ? undefined : SaidSchema.safeParse(input[fields.messages]).data;
    if (before !== undefined && before.length > 0) return before;
    const message = input[fields.message];
    return typeof message === "string" && message !== "" ? [{ role: "user", content: message }] : [];
  }

  #runs(kind: AskedRun["kind"]) {
    return this.#deps.services.workflowPlatform.face(kind).runs;
  }
}
