import type { ChatMessage } from "@oven/contract/agent";
import type { TokenUsage } from "@oven/contract/node";
import type { chatTurns } from "../tables/chat-turns.table.ts";

export type TurnRow = typeof chatTurns.$inferSelect;

const NO_TOKENS: TokenUsage = { input: 0, output: 0, total: 0 };

/** What the agent's conversation has, where the row leaves it to that. */
export interface SpokenWords {
  said: string;
  answer: string | null;
}

export function toMessage(row: TurnRow, words?: SpokenWords): ChatMessage {
  const { errorCode: code, errorMessage: message } = row;
  return {
    id: row.id,
    sessionId: row.sessionId,
    message: row.message ?? words?.said ?? "",
    answer: row.answer ?? words?.answer ?? null,
    status: row.status,
    error: code === null ? null : { code, message: message ?? "" },
    executionId: row.executionId,
    executionKind: row.executionKind,
    toolCalls: row.toolCalls,
    simulated: row.simulated,
    tokenUsage: row.tokenUsage ?? NO_TOKENS,
    costMicros: row.costMicros,
    durationMs: row.durationMs,
    createdAt: row.createdAt.toISOString(),
  };
}
