import type { ChatMessage, ChatThumb, RateChatMessage } from "@oven/contract/agent";
import { api } from "@oven/ui/api/api-client.ts";
import type { Thumb } from "@oven/ui/components/thumbs.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useState } from "react";

const NONE: Thumb = { value: null, comment: null };

/** What the person thinks of the answers in a chat, and how they say it. */
export function useThumbs(sessionId: number): {
  of: (turn: ChatMessage) => Thumb;
  rate: (turn: ChatMessage, thumb: RateChatMessage) => Promise<void>;
} {
  const { data = [] } = useAnswer<ChatThumb[]>(`chat-sessions/${sessionId}/thumbs`);
  const [given, setGiven] = useState<readonly ChatThumb[]>([]);
  const of = (turn: ChatMessage): Thumb =>
    [...data, ...given].findLast(({ executionId }) => executionId === turn.executionId) ?? NONE;
  const rate = async ({ id }: ChatMessage, thumb: RateChatMessage): Promise<void> => {
    const path = `chat-sessions/${sessionId}/messages/${id}/thumb`;
    const { json } = await api(path, { method: "PUT", body: thumb });
    setGiven((before) => [...before, json as ChatThumb]); // cast: the shape of the route
  };
  return { of, rate };
}
