import type { ChatMessage } from "@oven/contract/agent";
import type { ExecutionStatus, RunEvent } from "@oven/contract/run";
import { foldRunEvent, type LiveRun, NOTHING_YET } from "../run/fold-run-events.ts";

/** The events of a run and of those inside it, from the stream of a chat, by run. */
export type LiveFamily = Readonly<Record<number, LiveRun>>;

export interface ChatState {
  /** Undefined until they were read. */
  turns: readonly ChatMessage[] | undefined;
  /** By the run of the message. */
  live: Readonly<Record<number, LiveFamily>>;
}

/** A chat that is not read yet. */
export const NO_CHAT: ChatState = { turns: undefined, live: {} };

/** An entry of a run's log. Seen again after a reconnect it changes nothing. */
export function withEvent(state: ChatState, root: number, event: RunEvent): ChatState {
  const family = state.live[root] ?? {};
  const run = foldRunEvent(family[event.executionId] ?? NOTHING_YET, event);
  return { ...state, live: { ...state.live, [root]: { ...family, [event.executionId]: run } } };
}

/** A message as it is by now. */
export function withTurn({ turns = [], live }: ChatState, turn: ChatMessage): ChatState {
  const known = turns.some(({ id }) => id === turn.id);
  return { turns: known ? turns.map((one) => (one.id === turn.id ? turn : one)) : [...turns, turn], live };
}

/** The messages as they were read; events of one that came meanwhile are newer. */
export function withTurns({ turns = [], live }: ChatState, read: readonly ChatMessage[]): ChatState {
  const ended = new Map(turns.filter(isOver).map((turn) => [turn.id, turn]));
  const merged = read.map((turn) => {
    const known = ended.get(turn.id);
    return known !== undefined && known.executionId === turn.executionId ? known : turn;
  });
  const seen = new Set(read.map(({ id }) => id));
  return { turns: [...merged, ...turns.filter(({ id }) => !seen.has(id))], live };
}

/** Whether nothing will be added to a message. */
export function isOver({ status }: Pick<ChatMessage, "status">): boolean {
  return status === "completed" || status === "failed" || status === "cancelled";
}

const MEANS: Partial<Record<RunEvent["event"], ExecutionStatus>> = {
  "execution.started": "running",
  "execution.paused": "paused",
  "execution.resumed": "running",
  "review.decided": "running",
};

/** How a message stands: as it was read, or as the last event of its run says. */
export function statusOf(turn: ChatMessage, family: LiveFamily | undefined): ExecutionStatus {
  if (isOver(turn) || turn.executionId === null) return turn.status;
  const last = (family?.[turn.executionId]?.events ?? []).findLast(({ event }) => MEANS[event] !== undefined);
  return last === undefined ? turn.status : (MEANS[last.event] ?? turn.status);
}

/** All of the family's entries, in the order in which they happened. */
export function eventsOf(family: LiveFamily | undefined): RunEvent[] {
  return Object.values(family ?? {})
    .flatMap(({ events }) => events)
    .toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at));
}

/** What is being written: the newest text of the message's own run. */
export function writingOf(turn: ChatMessage, family: LiveFamily | undefined): string {
  if (turn.executionId === null) return "";
  return Object.values(family?.[turn.executionId]?.texts ?? {}).at(-1)?.text ?? "";
}
