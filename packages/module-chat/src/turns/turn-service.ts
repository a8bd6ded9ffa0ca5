import { isOvenError, notFound, OvenError, type Principal, SYSTEM_PRINCIPAL } from "@oven/contract";
import type { ChatMessage, SpokenMessage } from "@oven/contract/agent";
import { type ExecutionKind, isTerminal, type RunEvent } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { and, asc, eq, gt, inArray, isNotNull, isNull, lt, ne } from "@oven/db/drizzle";
import { requirePermission, type ServiceMap } from "@oven/module-registry";
import type { RunWatch } from "@oven/module-workflows";
import type { ChatSessionRow, ChatSessionService } from "../sessions/chat-session-service.ts";
import { chatTurns } from "../tables/chat-turns.table.ts";
import { toAnswer, toInput } from "../targets/chat-mapping.ts";
import { TALK } from "../targets/target-service.ts";
import { ChatReader, type ChatReaderDeps, isShown, parseChatCursor } from "./chat-stream.ts";
import { type SpokenWords, type TurnRow, toMessage } from "./turn-row.ts";

export interface TurnDeps {
  db: Database;
  services: ServiceMap;
  sessions: ChatSessionService;
  /** By session: something of it has begun or ended. */
  watch: RunWatch;
}

/** What starts runs of workflows here. */
export const FROM_CHAT = "chat";
const OPEN: TurnRow["status"][] = ["pending", "running", "paused"];
/** A run that did not begin within this time was cut off by a crash: its beginning is taken up again. */
const CUT_OFF_MS = 15_000;

/** What is said in chats, and what came of it. Each turn is a run. */
export class TurnService {
  readonly #deps: TurnDeps;

  constructor(deps: TurnDeps) {
    this.#deps = deps;
  }

  /**
   * Oldest first, as their runs are now.
   * @throws OvenError NOT_FOUND
   */
  async list(principal: Principal, session: ChatSessionRow): Promise<ChatMessage[]> {
    await this.#takeUp(principal, session);
    await this.#attachToSession(principal, session);
    const words = await this.#wordsOf(principal, session);
    const rows = await this.#rows(session.id);
    const shown: ChatMessage[] = [];
    for (const row of rows) {
      const now = OPEN.includes(row.status) && row.executionId !== null ? await this.settle(row) : row;
      shown.push(toMessage(now, words.get(now.executionId ?? 0)));
    }
    // An answer that was recorded just now was not among the words.
    if (
      session.agentSessionId === null ||
      shown.every(({ status, answer }) => status !== "completed" || answer !== null)
    )
      return shown;
    const late = await this.#wordsOf(principal, session);
    return shown.map((turn) => ({ ...turn, answer: turn.answer ?? late.get(turn.executionId ?? 0)?.answer ?? null }));
  }

  /** @throws OvenError NOT_FOUND */
  async get(principal: Principal, session: ChatSessionRow, id: number): Promise<ChatMessage> {
    return this.#show(principal, session, await this.#row(session.id, id));
  }

  /**
   * Starts the run of a message, once per key.
   * @throws OvenError CONVERSATION_BUSY 409 while an answer is made, IDEMPOTENCY_KEY_REUSED, and as starting the run
   */
  async say(
    principal: Principal,
    session: ChatSessionRow,
    message: string,
    key: string | null,
  ): Promise<{ turn: ChatMessage; replayed: boolean }> {
    requireTalk(principal, session);
    const earlier = key === null ? undefined : await this.#withKey(session.id, key);
    if (earlier !== undefined) return { turn: await this.#again(principal, session, earlier, message), replayed: true };
    await this.#takeUp(principal, session);
    await this.#requireQuiet(session);
    const row = await this.#insert(session, message, key);
    if (row === undefined) {
      const first = key === null ? undefined : await this.#withKey(session.id, key);
      if (first === undefined) throw busy();
      return { turn: await this.#again(principal, session, first, message), replayed: true };
    }
    await this.#deps.sessions.spoken(principal, session, message);
    return { turn: await this.#begin(principal, session, row), replayed: false };
  }

  /**
   * The newest message once more: its new run takes the place of the one named.
   * @throws OvenError NOT_FOUND, CONVERSATION_BUSY, INVALID_INPUT for one that is not the newest
   */
  async retry(principal: Principal, session: ChatSessionRow, id: number, executionId: number): Promise<ChatMessage> {
    requireTalk(principal, session);
    const row = await this.#row(session.id, id);
    // Somebody asked for it a moment ago, here or in another tab.
    if (row.executionId !== executionId) return this.#show(principal, session, row);
    const newest = (await this.#rows(session.id)).at(-1);
    if (newest?.id !== id)
      throw new OvenError("INVALID_INPUT", "Only the newest message can be tried again", {
        path: "$.id",
        fix: "Say it anew: what was said after it stands.",
      });
    if (!isTerminal((await this.settle(row)).status)) throw busy();
    const { services } = this.#deps;
    const next =
      session.targetKind === "agent"
        ? await services.agents.again(principal, executionId, givenOf(session))
        : await this.#runWorkflow(principal, session, row.message ?? "", `chat-turn:${id}:after:${executionId}`, id);
    const updated = await this.#bind(id, executionId, { ...FRESH, executionId: next });
    this.#deps.watch.notify(session.id);
    return this.#show(principal, session, updated ?? (await this.#row(session.id, id)));
  }

  /** Stops the run; what it had said stays told. @throws OvenError NOT_FOUND, ALREADY_ENDED 409 */
  async stop(principal: Principal, session: ChatSessionRow, id: number, signal: AbortSignal): Promise<ChatMessage> {
    const row = await this.#row(session.id, id);
    if (row.executionId === null) throw busy();
    await this.#runs(row.executionKind).cancel(principal, row.executionId, "stopped in the chat", signal);
    const settled = await this.settle(row);
    this.#deps.watch.notify(session.id);
    return this.#show(principal, session, settled);
  }

  /** What the run of a turn has said, called and asked, with those inside it. @throws OvenError NOT_FOUND */
  async events(session: ChatSessionRow, id: number): Promise<RunEvent[]> {
    const { executionId } = await this.#row(session.id, id);
    if (executionId === null) return [];
    const family = this.#deps.services.workflowPlatform.familyLog(executionId, null);
    const events: RunEvent[] = [];
    for (let more = true; more; ) {
      const next = await family.next();
      events.push(...next.events.map(({ event }) => event).filter(isShown));
      more = !next.ended && next.events.length > 0;
    }
    return events;
  }

  /**
   * The chat as server-sent events, from what goes on now or after `Last-Event-ID`.
   * @throws OvenError INVALID_REQUEST
   */
  async stream(
    principal: Principal,
    session: ChatSessionRow,
    lastEventId: string | null,
    signal: AbortSignal,
  ): Promise<Response> {
    const { services, watch } = this.#deps;
    const platform = services.workflowPlatform;
    const deps: ChatReaderDeps = {
      platform,
      after: (executionId) => this.#after(session.id, executionId),
      of: (executionIds) => this.#of(session.id, executionIds),
      settle: (row) => this.settle(row),
      show: (row) => this.#show(principal, session, row),
    };
    // First, so that what begins meanwhile is not missed.
    const also = watch.subscribe(session.id);
    const reader =
      lastEventId === null || lastEventId === ""
        ? ChatReader.begin(deps, await this.#open(session.id))
        : await ChatReader.resume(deps, parseChatCursor(lastEventId));
    return platform.stream({
      signal,
      also,
      runs: () => reader.runs,
      next: async () => ({ text: await reader.next(), ended: false }),
    });
  }

  /** The chat with a workflow that has started a run, also before its turn has it. */
  async conversationOf(executionId: number, triggerEvent: string | null): Promise<string | undefined> {
    if (triggerEvent !== FROM_CHAT) return undefined;
    const [row] = await this.#deps.db.system.query<{ session_id: number }>(
      `select session_id from chat_turns where execution_id = $1 union all
       select t.session_id from idempotency_keys k join chat_turns t on t.id = split_part(k.key, ':', 2)::bigint
       where k.execution_id = $1 and k.key like 'chat-turn:%' limit 1`,
      [executionId],
      "chat-of-run",
    );
    return row && `chat:${row.session_id}`;
  }

  /** What the earlier turns of the chat with a workflow have cost that has started a run, in 10⁻⁶ USD; 0 for a run of no such chat. */
  async costBefore(executionId: number): Promise<number> {
    const chat = await this.conversationOf(executionId, FROM_CHAT);
    if (chat === undefined) return 0;
    const [row] = await this.#deps.db.system.query<{ cost: string | number }>(
      "select coalesce(sum(cost_micros), 0) as cost from chat_turns where session_id = $1",
      [Number(chat.slice("chat:".length))],
      "cost-of-chat",
    );
    return Number(row?.cost ?? 0);
  }

  /** A run has come to its end: what it came to is written down, whether or not anybody looks. */
  async ended(executionId: number): Promise<void> {
    const [row] = await this.#deps.db.system.orm.select().from(chatTurns).where(eq(chatTurns.executionId, executionId));
    if (row === undefined || isTerminal(row.status)) return;
    await this.settle(row);
    this.#deps.watch.notify(row.sessionId);
  }

  /** The row as its run is now. The same end written twice is one. */
  async settle(row: TurnRow): Promise<TurnRow> {
    const { executionId, executionKind, tenantId } = row;
    if (executionId === null || isTerminal(row.status)) return row;
    const run = await this.#summary(executionKind, tenantId, executionId);
    if (run === undefined) return this.#update(row, { status: "failed", ...GONE });
    if (!isTerminal(run.status)) return run.status === row.status ? row : this.#update(row, { status: run.status });
    const answer = run.status === "completed" ? await this.#answer(row, executionId) : null;
    return this.#update(row, {
      status: run.status,
      answer,
      ...(run.status === "failed"
        ? { errorCode: run.errorInfo?.code ?? "RUN_FAILED", errorMessage: run.errorInfo?.message ?? run.error ?? "" }
        : {}),
      toolCalls: await this.#countTools(executionId),
      simulated: run.simulated,
      tokenUsage: run.tokenUsage,
      costMicros: run.costMicros,
      durationMs: Date.parse(run.completedAt ?? run.createdAt) - Date.parse(run.createdAt),
      endedAt: new Date(run.completedAt ?? run.createdAt),
    });
  }

  /** Turns whose runs came after one, in the order of their runs. */
  async #after(sessionId: number, executionId: number): Promise<TurnRow[]> {
    return this.#deps.db.orm
      .select()
      .from(chatTurns)
      .where(and(eq(chatTurns.sessionId, sessionId), gt(chatTurns.executionId, executionId)))
      .orderBy(asc(chatTurns.executionId));
  }

  /** Turns of these runs. */
  async #of(sessionId: number, executionIds: readonly number[]): Promise<TurnRow[]> {
    if (executionIds.length === 0) return [];
    return this.#deps.db.orm
      .select()
      .from(chatTurns)
      .where(and(eq(chatTurns.sessionId, sessionId), inArray(chatTurns.executionId, [...executionIds])));
  }

  async #open(sessionId: number): Promise<{ open: TurnRow[]; newest: number }> {
    const rows = await this.#rows(sessionId);
    return {
      open: rows.filter(({ status, executionId }) => OPEN.includes(status) && executionId !== null),
      newest: Math.max(0, ...rows.map(({ executionId }) => executionId ?? 0)),
    };
  }

  async #show(principal: Principal, session: ChatSessionRow, row: TurnRow): Promise<ChatMessage> {
    if (session.agentSessionId === null) return toMessage(row);
    return toMessage(row, (await this.#wordsOf(principal, session)).get(row.executionId ?? 0));
  }

  /** One answer at a time; who waits for a person may go on. */
  async #requireQuiet({ id }: ChatSessionRow): Promise<void> {
    const { open } = await this.#open(id);
    for (const row of open) {
      const { status } = await this.settle(row);
      if (status === "pending" || status === "running") throw busy();
    }
  }

  async #insert(session: ChatSessionRow, message: string, idempotencyKey: string | null): Promise<TurnRow | undefined> {
    const { id: sessionId, tenantId } = session;
    return this.#deps.db.transaction(async (tx) => {
      // Two messages at once: the second waits here, and finds the first.
      await tx.query("select id from chat_sessions where id = $1 for update", [sessionId]);
      const [beginning] = await tx.query(
        "select id from chat_turns where session_id = $1 and execution_id is null and status = 'pending'",
        [sessionId],
      );
      if (beginning !== undefined) return undefined;
      const [row] = await tx.orm
        .insert(chatTurns)
        .values({ tenantId, sessionId, message, executionKind: kindOf(session), idempotencyKey })
        .onConflictDoNothing()
        .returning();
      return row;
    });
  }

  async #begin(principal: Principal, session: ChatSessionRow, row: TurnRow): Promise<ChatMessage> {
    const message = row.message ?? "";
    const { db, services, watch } = this.#deps;
    try {
      const executionId =
        session.targetKind === "agent"
          ? await services.agents.start(
              principal,
              String(session.targetId),
              {
                message,
                ...givenOf(session),
                ...(session.agentSessionId === null ? {} : { sessionId: session.agentSessionId }),
              },
              `chat-turn:${row.id}`,
            )
          : await this.#runWorkflow(principal, session, message, `chat-turn:${row.id}`, row.id);
      const isAgent = session.targetKind === "agent";
      // From here on the agent's conversation has the words.
      const change = { executionId, ...(isAgent ? { message: null } : {}) };
      const begun = await this.#bind(row.id, null, change);
      watch.notify(session.id);
      return toMessage(begun ?? row, { said: message, answer: null });
    } catch (error) {
      await db.orm.delete(chatTurns).where(and(eq(chatTurns.id, row.id), isNull(chatTurns.executionId)));
      throw error;
    }
  }

  /** The row has a run from now on, where it still has the one that is named. */
  async #bind(
    id: number,
    before: number | null,
    change: Partial<TurnRow> & { executionId: number },
  ): Promise<TurnRow | undefined> {
    return this.#deps.db.transaction(async (tx) => {
      // Somebody read the chat in between, and took it for one that was said elsewhere.
      await tx.orm.delete(chatTurns).where(and(eq(chatTurns.executionId, change.executionId), ne(chatTurns.id, id)));
      const had = before === null ? isNull(chatTurns.executionId) : eq(chatTurns.executionId, before);
      const [row] = await tx.orm
        .update(chatTurns)
        .set(change)
        .where(and(eq(chatTurns.id, id), had))
        .returning();
      return row;
    });
  }

  async #runWorkflow(
    principal: Principal,
    session: ChatSessionRow,
    message: string,
    idempotencyKey: string,
    turnId: number,
  ): Promise<number> {
    const { targetKind, targetId, mapping } = session;
    if (targetKind === "agent" || mapping === null) throw new Error(`chat ${session.id} is with no workflow`);
    const said = await this.#history(principal, session, message, turnId);
    const request = {
      workflow: String(targetId),
      input: toInput(mapping, said),
      idempotencyKey,
      triggerEvent: FROM_CHAT,
    };
    return (await this.#runs(targetKind).execute(principal, request)).id;
  }

  /** What was said before, bounded as for agents, and what is said now. */
  async #history(
    principal: Principal,
    { id, targetId, mapping }: ChatSessionRow,
    message: string,
    turnId: number,
  ): Promise<SpokenMessage[]> {
    if (mapping?.messages == null) return [{ role: "user", content: message }];
    const earlier = await this.#deps.db.orm
      .select()
      .from(chatTurns)
      .where(and(eq(chatTurns.sessionId, id), lt(chatTurns.id, turnId), isNotNull(chatTurns.executionId)))
      .orderBy(asc(chatTurns.id));
    const before = [];
    for (const row of earlier) {
      const { message: said, answer } = await this.settle(row);
      before.push({ message: said ?? "", output: answer });
    }
    const turn = { workflowId: targetId, agent: undefined, message, before };
    return (await this.#deps.services.agents.rehearse(principal, turn)).messages;
  }

  async #again(principal: Principal, session: ChatSessionRow, row: TurnRow, message: string): Promise<ChatMessage> {
    const shown = await this.#show(principal, session, row);
    if (shown.message === message) return shown;
    throw new OvenError("IDEMPOTENCY_KEY_REUSED", "This Idempotency-Key came with another message before", {
      status: 409,
      path: "$headers.idempotency-key",
      fix: "Use a new key for a new message.",
    });
  }

  /** What was written down and never began, since the process was ended in between. */
  async #takeUp(principal: Principal, session: ChatSessionRow): Promise<void> {
    const cutOff = (await this.#rows(session.id)).filter(
      ({ executionId, status, createdAt }) =>
        executionId === null && status === "pending" && Date.now() - createdAt.getTime() > CUT_OFF_MS,
    );
    for (const row of cutOff) {
      try {
        await this.#begin(principal, session, row);
      } catch (error) {
        // It was taken back: nothing has come of it, and whoever said it sees that it is not there.
        if (!isOvenError(error)) throw error;
      }
    }
  }

  /** What was said in the agent's conversation in another way, such as over REST, belongs to the chat. */
  async #attachToSession(principal: Principal, session: ChatSessionRow): Promise<void> {
    if (session.agentSessionId === null) return;
    // The words first: a run that is there by then has a row that is read after, or a row that waits for it.
    const words = await this.#wordsOf(principal, session);
    const rows = await this.#rows(session.id);
    // One that begins, or is asked once more, gets its run in a moment.
    if (rows.some(({ executionId }) => executionId === null || !words.has(executionId))) return;
    const known = new Set(rows.map(({ executionId }) => executionId));
    const strangers = [...words.keys()].filter((executionId) => !known.has(executionId));
    if (strangers.length === 0) return;
    const { id: sessionId, tenantId } = session;
    await this.#deps.db.orm
      .insert(chatTurns)
      .values(strangers.map((executionId) => ({ tenantId, sessionId, executionId, executionKind: kindOf(session) })))
      .onConflictDoNothing();
  }

  /** What the agent's conversation has, by run. */
  async #wordsOf(principal: Principal, { agentSessionId }: ChatSessionRow): Promise<Map<number, SpokenWords>> {
    if (agentSessionId === null) return new Map();
    const turns = await this.#deps.services.agents.turnsOf(principal, agentSessionId);
    return new Map(turns.map(({ executionId, said, answer }) => [executionId, { said, answer }]));
  }

  /** Of a workflow: what the chat shows of its output. Of an agent: its conversation has it from now on. */
  async #answer({ sessionId, tenantId, executionKind }: TurnRow, executionId: number): Promise<string | null> {
    const { db, services } = this.#deps;
    const [session] = await db.system.query<{ mapping: ChatSessionRow["mapping"] }>(
      "select mapping from chat_sessions where id = $1",
      [sessionId],
    );
    const system = { ...SYSTEM_PRINCIPAL, tenantId };
    if (session?.mapping != null) {
      const { output } = await this.#runs(executionKind).reader.summary(system, executionId);
      return toAnswer(output, session.mapping.answer);
    }
    try {
      await services.agents.reply(system, executionId);
    } catch (error) {
      // The agent is gone, and its conversations with it.
      if (!isOvenError(error) || error.code !== "NOT_FOUND") throw error;
    }
    return null;
  }

  async #summary(kind: ExecutionKind, tenantId: number, executionId: number) {
    try {
      return await this.#runs(kind).reader.summary({ ...SYSTEM_PRINCIPAL, tenantId }, executionId);
    } catch (error) {
      // Runs are removed after a while; the chat stays.
      if (isOvenError(error) && error.code === "NOT_FOUND") return undefined;
      throw error;
    }
  }

  async #countTools(executionId: number): Promise<number> {
    const [row] = await this.#deps.db.system.query<{ calls: number }>(
      "select count(distinct fields->>'toolCallId')::int as calls from run_events where execution_id = $1 and event = 'tool.started'",
      [executionId],
    );
    return row?.calls ?? 0;
  }

  async #update(row: TurnRow, change: Partial<TurnRow>): Promise<TurnRow> {
    const ofRun = and(eq(chatTurns.id, row.id), eq(chatTurns.executionId, row.executionId ?? 0));
    const notEnded = inArray(chatTurns.status, OPEN);
    const { orm } = this.#deps.db.system;
    const [updated] = await orm.update(chatTurns).set(change).where(and(ofRun, notEnded)).returning();
    if (updated !== undefined) return updated;
    const [current] = await orm.select().from(chatTurns).where(eq(chatTurns.id, row.id));
    return current ?? row;
  }

  async #rows(sessionId: number): Promise<TurnRow[]> {
    return this.#deps.db.orm
      .select()
      .from(chatTurns)
      .where(eq(chatTurns.sessionId, sessionId))
      .orderBy(asc(chatTurns.createdAt), asc(chatTurns.id));
  }

  async #row(sessionId: number, id: number): Promise<TurnRow> {
    const [row] = await this.#deps.db.orm
      .select()
      .from(chatTurns)
      .where(and(eq(chatTurns.sessionId, sessionId), eq(chatTurns.id, id)));
    if (row === undefined) throw notFound("message", id);
    return row;
  }

  async #withKey(sessionId: number, key: string): Promise<TurnRow | undefined> {
    const [row] = await this.#deps.db.orm
      .select()
      .from(chatTurns)
      .where(and(eq(chatTurns.sessionId, sessionId), eq(chatTurns.idempotencyKey, key)));
    return row;
  }

  #runs(kind: ExecutionKind) {
    return this.#deps.services.workflowPlatform.face(kind).runs;
  }
}

const GONE = { errorCode: "DETAILS_REMOVED", errorMessage: "Its run was removed" };
/** Of a run that has just begun. */
const FRESH = {
  status: "pending",
  answer: null,
  errorCode: null,
  errorMessage: null,
  toolCalls: 0,
  simulated: false,
  tokenUsage: null,
  costMicros: 0,
  durationMs: null,
  endedAt: null,
} as const satisfies Partial<TurnRow>;

/** A chat outlives a permission. @throws OvenError FORBIDDEN */
function requireTalk(principal: Principal, { targetKind, modelSettings }: ChatSessionRow): void {
  requirePermission(principal, TALK[targetKind]);
  if (Object.keys(modelSettings ?? {}).length > 0) requirePermission(principal, "agents.update");
}

/** What its agent is given with each message. */
function givenOf({ parameters, modelSettings }: ChatSessionRow) {
  const given = modelSettings !== null && Object.keys(modelSettings).length > 0 ? modelSettings : undefined;
  return { parameters, modelSettings: given };
}

function kindOf({ targetKind }: ChatSessionRow): ExecutionKind {
  return targetKind === "workflow" ? "workflow" : "agent-workflow";
}

function busy(): OvenError {
  return new OvenError("CONVERSATION_BUSY", "The answer before this one is still being made", {
    status: 409,
    fix: "Wait for it, or stop it.",
  });
}
