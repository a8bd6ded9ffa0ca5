import type { SpokenMessage } from "@oven/contract/agent";

export interface HistoryBounds {
  messages: number;
  tokens: number;
}

/** Rough, and the same for every model: no tokenizer is right for all of them. */
const CHARACTERS_PER_TOKEN = 4;

/** The newest messages that fit both bounds; it begins with the user's words, as providers ask for. */
export function boundHistory(messages: readonly SpokenMessage[], bounds: HistoryBounds): SpokenMessage[] {
  let left = bounds.tokens * CHARACTERS_PER_TOKEN;
  let from = messages.length;
  while (from > 0 && messages.length - from < bounds.messages) {
    left -= messages[from - 1]?.content.length ?? 0;
    if (left < 0) break;
    from -= 1;
  }
  const kept = messages.slice(from);
  const first = kept.findIndex(({ role }) => role === "user");
  return first < 0 ? [] : kept.slice(first);
}
