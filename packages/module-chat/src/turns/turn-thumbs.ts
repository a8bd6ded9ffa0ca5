import { notFound, type Principal } from "@oven/contract";
import type { ChatThumb, RateChatMessage } from "@oven/contract/agent";
import { THUMBS } from "@oven/contract/run";
import type { Database } from "@oven/db";
import { and, eq, isNotNull } from "@oven/db/drizzle";
import type { ServiceMap } from "@oven/module-registry";
import { scorerOf } from "@oven/module-workflows";
import type { ChatSessionRow } from "../sessions/chat-session-service.ts";
import { chatTurns } from "../tables/chat-turns.table.ts";

/** What a person thinks of the answers in a chat of theirs: scores of the runs that made them. */
export class TurnThumbs {
  readonly #db: Database;
  readonly #services: ServiceMap;

  constructor(deps: { db: Database; services: ServiceMap }) {
    this.#db = deps.db;
    this.#services = deps.services;
  }

  /** Those that the person raised or lowered, by message. */
  async list(principal: Principal, session: ChatSessionRow): Promise<ChatThumb[]> {
    const turns = await this.#db.orm
      .select({ id: chatTurns.id, executionId: chatTurns.executionId })
      .from(chatTurns)
      .where(and(eq(chatTurns.sessionId, session.id), isNotNull(chatTurns.executionId)));
    const turnOf = new Map(turns.map(({ id, executionId }) => [executionId, id]));
    const runs = turns.flatMap(({ executionId }) => executionId ?? []);
    const { scores } = this.#services.workflowPlatform;
    const given = await scores.ofScorer(principal, runs, THUMBS, scorerOf(principal).scorer);
    return given.flatMap(({ executionId, value, comment }) => {
      const messageId = turnOf.get(executionId);
      return messageId === undefined ? [] : [{ messageId, executionId, value, comment }];
    });
  }

  /**
   * Scores the run of a message; `value` null takes the thumb back.
   * @throws OvenError NOT_FOUND also when the run is gone, or has not begun
   */
  async rate(
    principal: Principal,
    session: ChatSessionRow,
    messageId: number,
    { value, comment }: RateChatMessage,
  ): Promise<ChatThumb> {
    const [turn] = await this.#db.orm
      .select({ executionId: chatTurns.executionId, kind: chatTurns.executionKind })
      .from(chatTurns)
      .where(and(eq(chatTurns.sessionId, session.id), eq(chatTurns.id, messageId)));
    if (turn === undefined || turn.executionId === null) throw notFound("answered message", messageId);
    const { executionId, kind } = turn;
    const { scores } = this.#services.workflowPlatform;
    const by = scorerOf(principal);
    if (value === null) {
      const given = await scores.ofScorer(principal, [executionId], THUMBS, by.scorer);
      for (const { id } of given) await scores.remove(principal, kind, executionId, id, by.scorer);
      return { messageId, executionId, value: null, comment: null };
    }
    const score = await scores.add(principal, kind, executionId, { name: THUMBS, value, comment }, by);
    return { messageId, executionId, value: score.value, comment: score.comment };
  }
}
