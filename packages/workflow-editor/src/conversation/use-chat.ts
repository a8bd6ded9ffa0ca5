import type { ChatMessage } from "@oven/contract/agent";
import type { RunEvent } from "@oven/contract/run";
import { api } from "@oven/ui/api/api-client.ts";
import { followStream } from "@oven/ui/api/follow-stream.ts";
import { type ActionState, useAction } from "@oven/ui/components/use-action.ts";
import { useEffect, useMemo, useRef, useState } from "react";
import { type ChatState, isOver, NO_CHAT, statusOf, withEvent, withTurn, withTurns } from "./live-turns.ts";

export interface Chat {
  state: ChatState;
  /** Why the messages could not be read. */
  error: unknown;
  reload: () => void;
  /** News do not arrive at the moment. */
  lost: boolean;
  /** What is being sent. */
  sending: string | null;
  say: ActionState<[string]>;
  retry: ActionState<[ChatMessage]>;
  stop: ActionState<[ChatMessage]>;
  /** The message whose answer is being made. */
  going: ChatMessage | undefined;
}

const DRAWN_MS = 50;
/** The newest; older ones are seen in the list of runs. */
const PAGE = 500;

/** One chat, followed as it goes on; whoever opens it again, in another window too, sees the same. */
export function useChat(id: number, onNews: () => void): Chat {
  const [state, setState] = useState<ChatState>(NO_CHAT);
  const [error, setError] = useState<unknown>(null);
  const [lost, setLost] = useState(false);
  const [sending, setSending] = useState<string | null>(null);
  const [round, setRound] = useState(0);
  const news = useRef(onNews);
  news.current = onNews;
  const change = useRef<(change: (state: ChatState) => ChatState) => void>(() => {});

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    let current = NO_CHAT;
    let last: string | null = null;
    let drawn: ReturnType<typeof setTimeout> | null = null;
    setState(NO_CHAT);
    setError(null);
    const draw = (next: ChatState): void => {
      current = next;
      drawn ??= setTimeout(() => {
        drawn = null;
        setState(current);
      }, DRAWN_MS);
    };
    change.current = (how) => draw(how(current));
    const read = async (): Promise<void> => {
      try {
        const query = { range: `[0,${PAGE - 1}]`, sort: '["id","DESC"]' };
        const { json } = await api(`chat-sessions/${id}/messages`, { query, signal });
        draw(withTurns(current, (json as ChatMessage[]).toReversed())); // cast: the shape of the route
      } catch (failure) {
        if (!signal.aborted) setError(failure);
      }
    };
    void followStream({
      path: `chat-sessions/${id}/stream`,
      lastEventId: () => last,
      onEvent: ({ id: eventId, event, data }) => {
        if (eventId !== null) last = eventId;
        const told = JSON.parse(data);
        // From here on nothing is missed: what was before is read now.
        if (event === "ready") void read();
        else if (event === "turn") {
          draw(withTurn(current, told));
          news.current();
        } else draw(withEvent(current, told.root, { ...told, event: event as RunEvent["event"] })); // cast: the names of the stream
      },
      onConnection: (connection) => setLost(connection === "lost"),
      isDone: () => false,
      signal,
    }).then(() => {
      // Refused: reading says why.
      if (!signal.aborted) void read();
    });
    return () => {
      controller.abort();
      if (drawn !== null) clearTimeout(drawn);
    };
  }, [id, round]);

  const path = (turn: ChatMessage): string => `chat-sessions/${id}/messages/${turn.id}`;
  const take = (json: unknown): void => change.current((now) => withTurn(now, json as ChatMessage)); // cast: the shape of the route
  const say = useAction(async (message: string) => {
    setSending(message);
    try {
      const idempotencyKey = crypto.randomUUID();
      take((await api(`chat-sessions/${id}/messages`, { method: "POST", body: { message }, idempotencyKey })).json);
      news.current();
    } finally {
      setSending(null);
    }
  });
  const retry = useAction(async (turn: ChatMessage) => {
    const body = { executionId: turn.executionId };
    take((await api(`${path(turn)}/retry`, { method: "POST", body })).json);
  });
  const stop = useAction(async (turn: ChatMessage) => {
    take((await api(`${path(turn)}/stop`, { method: "POST" })).json);
  });
  const going = useMemo(
    () =>
      (state.turns ?? []).findLast((turn) => {
        const status = statusOf(turn, state.live[turn.executionId ?? 0]);
        return !isOver(turn) && status !== "paused";
      }),
    [state],
  );
  return { state, error, reload: () => setRound(round + 1), lost, sending, say, retry, stop, going };
}
