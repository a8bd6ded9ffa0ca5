import { isOvenError, type Json, type JsonObject, notFound, OvenError, type Principal } from "@oven/contract";
import type { DecideEmbedQuestion, EmbedMessage, NewEmbedMessage } from "@oven/contract/embed";
import { type ExecutionKind, isTerminal } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { eq } from "@oven/db/drizzle";
import type { AskedRun, Outcome } from "@oven/module-chat";
import type { ServiceMap } from "@oven/module-registry";
import { requireFitting } from "@oven/module-triggers";
import type { EmbedTargets } from "../embeds/embed-targets.ts";
import { embeds } from "../tables/embeds.table.ts";
import { closed, type Visit, type VisitorService } from "../visitors/visitor-service.ts";
import { AnswerText } from "./answer-text.ts";
import type { ConversationRows, MessageRow } from "./conversation-rows.ts";
import type { Questions } from "./questions.ts";

export interface MessageDeps {
  db: Database;
  services: ServiceMap;
  targets: EmbedTargets;
  visitors: VisitorService;
  rows: ConversationRows;
  questions: Questions;
}

/** What starts runs of workflows here. */
const FROM_EMBED = "embed";
/** A run that did not begin within this time was cut off by a crash: its beginning is taken up again. */
const CUT_OFF_MS = 15_000;

/** Messages of visitors: each is a run, of which they see words alone. */
export class MessageService {
  readonly #deps: MessageDeps;

  constructor(deps: MessageDeps) {
    this.#deps = deps;
  }

  /** Oldest first, as their runs are now. @throws OvenError EMBED_CLOSED */
  async list(visit: Visit): Promise<EmbedMessage[]> {
    const rows = await this.#deps.rows.list(visit);
    const principal = await this.#principalOf(visit);
    return Promise.all(rows.map((row) => this.#show(visit, principal, row)));
  }

  /**
   * Starts the run of a message, once per key.
   * @throws OvenError INVALID_INPUT 400, EMBED_LIMIT 429, CONVERSATION_BUSY 409, EMBED_CLOSED 409
   */
  async say(visit: Visit, said: NewEmbedMessage): Promise<EmbedMessage> {
    const { settings } = visit.embed;
    const principal = await this.#principalOf(visit);
    const text = settings.mode === "form" ? await this.#filledIn(visit, principal, said) : spoken(visit, said);
    const kind: ExecutionKind = settings.target.kind === "workflow" ? "workflow" : "agent-workflow";
    const { row, isNew } = await this.#deps.rows.add(visit, { message: text, key: said.key, kind });
    return this.#show(visit, principal, isNew ? await this.#begin(visit, principal, row) : row);
  }

  /** What a message's run writes and comes to, as server-sent events. @throws OvenError NOT_FOUND, EMBED_CLOSED */
  async stream(visit: Visit, id: number, signal: AbortSignal): Promise<Response> {
    const { services, rows, visitors } = this.#deps;
    const principal = await this.#principalOf(visit);
    let row = await this.#settle(visit, principal, await rows.get(visit, id));
    const { executionId, executionKind } = row;
    if (executionId === null) throw notBegun();
    const run = { kind: executionKind, id: executionId };
    const answer = new AnswerText(executionId, await this.#answeringStep(visit, principal, run));
    const log = services.workflowPlatform.familyLog(executionId, null);
    let shown = "";
    return services.workflowPlatform.stream({
      signal,
      runs: () => log.runs,
      next: async () => {
        // Switching an embed off ends what is open.
        if (!(await visitors.isOpen(visit))) return { text: toFrame("closed", {}), ended: true };
        // Before its log is read: a run that has ended by now has said all of it.
        row = await this.#settle(visit, principal, row);
        const { events, ended } = await log.next();
        for (const { event } of events) answer.read(event);
        const piece = answer.take();
        const hasEnded = isTerminal(row.status) && (ended || events.length === 0);
        const message = await this.#show(visit, principal, row);
        const state = JSON.stringify([message.status, message.questions]);
        const isNews = state !== shown && (hasEnded || !isTerminal(row.status));
        if (isNews) shown = state;
        const frames = [
          ...(piece === undefined ? [] : [toFrame("text", piece)]),
          ...(isNews ? [toFrame("message", message)] : []),
        ];
        return { text: frames.join(""), ended: hasEnded };
      },
    });
  }

  /** @throws OvenError NOT_FOUND, EMBED_CLOSED, and as deciding a review does */
  async decide(visit: Visit, id: number, decision: DecideEmbedQuestion): Promise<EmbedMessage> {
    const principal = await this.#principalOf(visit);
    const row = await this.#deps.rows.get(visit, id);
    const { settings, name } = visit.embed;
    if (row.executionId === null || !settings.visitorDecides) throw notFound("question", decision.question);
    const by = `Answered by a visitor of the embed ${name}`;
    await this.#deps.questions.decide(principal, row.executionId, decision, by);
    return this.#show(visit, principal, row);
  }

  async #principalOf({ embed }: Visit): Promise<Principal> {
    const principal = await this.#deps.targets.principalOf(embed);
    if (principal === undefined) throw closed();
    return principal;
  }

  /** The answers of a form as JSON. @throws OvenError INVALID_INPUT with a problem per field, EMBED_CLOSED */
  async #filledIn(visit: Visit, principal: Principal, { values = {} }: NewEmbedMessage): Promise<string> {
    const { workflow } = await this.#guarded(visit, () => this.#deps.targets.formOf(principal, visit.embed.settings));
    requireFitting(workflow.definition.payloadSchema, values);
    return JSON.stringify(values);
  }

  async #begin(visit: Visit, principal: Principal, row: MessageRow): Promise<MessageRow> {
    try {
      const run = await this.#guarded(visit, () => this.#start(visit, principal, row));
      return await this.#deps.rows.update(row, { executionId: run.id, executionKind: run.kind });
    } catch (error) {
      await this.#deps.rows.remove(row);
      throw error;
    }
  }

  async #start({ embed }: Visit, principal: Principal, row: MessageRow): Promise<AskedRun> {
    const { services, targets, rows } = this.#deps;
    const { settings } = embed;
    const key = `embed-message:${row.id}`;
    if (settings.mode === "form" && settings.target.kind !== "agent") {
      const { kind, id } = settings.target;
      const values = JSON.parse(row.message) as JsonObject; // cast: written as the JSON of an object
      const { runs } = services.workflowPlatform.face(kind);
      const request = { workflow: String(id), input: { ...values, ...settings.input }, idempotencyKey: key };
      return { kind, id: (await runs.execute(principal, { ...request, triggerEvent: FROM_EMBED })).id };
    }
    const target = await targets.chatOf(principal, settings);
    const before = await rows.before(row);
    const earlier = before.findLast(({ executionId, status }) => executionId !== null && status === "completed");
    const isAgent = target.kind === "agent";
    const { sessionId } =
      isAgent && earlier?.executionId != null ? await services.asks.find(principal, earlier.executionId) : {};
    const history = isAgent ? [] : before.flatMap(toSaid);
    return services.asks.start(principal, target, {
      said: [...history, { role: "user", content: row.message }],
      parameters: isAgent ? settings.input : {},
      sessionId: sessionId ?? undefined,
      key,
      from: FROM_EMBED,
    });
  }

  /** A visitor learns that it does not work, and the people who set it up learn why. @throws OvenError EMBED_CLOSED, TOO_MANY_RUNS */
  async #guarded<T>({ embed }: Visit, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (!isOvenError(error) || error.status >= 500) throw error;
      if (error.status === 429)
        throw new OvenError("EMBED_LIMIT", "There is too much to do just now", { status: 429, retryAfterMs: 60_000 });
      const lastError = `${error.code}: ${error.message}`.slice(0, 1_000);
      await this.#deps.db.orm.update(embeds).set({ lastError }).where(eq(embeds.id, embed.id));
      throw closed();
    }
  }

  async #answeringStep({ embed }: Visit, principal: Principal, run: AskedRun): Promise<string | undefined> {
    const { mode, form } = embed.settings;
    if (mode === "form" && !form.showAnswer) return undefined;
    return this.#deps.services.asks.answeringStep(principal, run);
  }

  /** The row as its run is now. */
  async #settle(visit: Visit, principal: Principal, row: MessageRow): Promise<MessageRow> {
    if (isTerminal(row.status)) return row;
    if (row.executionId === null) {
      const isCutOff = Date.now() - row.createdAt.getTime() > CUT_OFF_MS;
      return isCutOff ? this.#begin(visit, principal, row) : row;
    }
    const { status, text } = await this.#outcome(principal, { kind: row.executionKind, id: row.executionId });
    if (status === row.status) return row;
    return this.#deps.rows.update(row, { status, answer: status === "completed" ? text : null });
  }

  /** Runs are removed after a while; what was said stays. */
  async #outcome(principal: Principal, run: AskedRun): Promise<Pick<Outcome, "status" | "text" | "pending">> {
    try {
      return await this.#deps.services.asks.outcome(principal, run);
    } catch (error) {
      if (!isOvenError(error) || error.code !== "NOT_FOUND") throw error;
      return { status: "failed", text: null, pending: [] };
    }
  }

  async #show(visit: Visit, principal: Principal, row: MessageRow): Promise<EmbedMessage> {
    const { id, message, answer, status, executionId, createdAt } = await this.#settle(visit, principal, row);
    const { mode, form, visitorDecides } = visit.embed.settings;
    const isAsked = visitorDecides && status === "paused" && executionId !== null;
    const hidden = mode === "form" && !form.showAnswer;
    return {
      id,
      message: mode === "form" ? "" : message,
      answer: hidden ? null : answer,
      status: toState(status),
      questions: isAsked ? await this.#deps.questions.of(principal, executionId) : [],
      createdAt: createdAt.toISOString(),
    };
  }
}

function toState(status: MessageRow["status"]): EmbedMessage["status"] {
  if (status === "completed") return "completed";
  if (status === "paused") return "waiting";
  return isTerminal(status) ? "failed" : "working";
}

function toSaid({ message, answer }: MessageRow): { role: "user" | "assistant"; content: string }[] {
  const said = { role: "user" as const, content: message };
  return answer === null || answer === "" ? [said] : [said, { role: "assistant", content: answer }];
}

/** @throws OvenError INVALID_INPUT */
function spoken({ embed }: Visit, { message = "" }: NewEmbedMessage): string {
  const { messageLength } = embed.settings.limits;
  if (message.trim() !== "" && message.length <= messageLength) return message;
  throw new OvenError("INVALID_INPUT", `A message has up to ${messageLength} characters, and is not empty`, {
    path: "$.message",
  });
}

function toFrame(event: string, data: Json | object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`;
}

function notBegun(): OvenError {
  return new OvenError("CONVERSATION_BUSY", "The run of this message has not begun yet", {
    status: 409,
    retryAfterMs: 1_000,
  });
}
