import type { ChatMessage } from "@oven/contract/agent";
import type { RunEvent } from "@oven/contract/run";
import { describe, expect, it } from "vitest";
import { eventsOf, NO_CHAT, statusOf, withEvent, withTurn, withTurns, writingOf } from "./live-turns.ts";

const turn = (id: number, more: Partial<ChatMessage> = {}): ChatMessage => ({
  id,
  sessionId: 1,
  message: `Message ${id}`,
  answer: null,
  status: "pending",
  error: null,
  executionId: 100 + id,
  executionKind: "agent-workflow",
  toolCalls: 0,
  simulated: false,
  tokenUsage: { input: 0, output: 0, total: 0 },
  costMicros: 0,
  durationMs: null,
  createdAt: "2026-01-01T00:00:00.000Z",
  ...more,
});
const event = (executionId: number, seq: number, name: RunEvent["event"], fields: object = {}): RunEvent => ({
  seq,
  executionId,
  at: `2026-01-01T00:00:0${seq}.000Z`,
  event: name,
  ...fields,
});

describe("a chat as it is told", () => {
  it("writes the newest text of the message's own run, whatever runs inside it write", () => {
    const delta = { nodeId: "ask", visit: 1, attempt: 1, partId: "p" };
    let chat = withTurn(NO_CHAT, turn(1));
    chat = withEvent(chat, 101, event(101, 1, "execution.started"));
    chat = withEvent(chat, 101, event(101, 2, "text.delta", { ...delta, offset: 0, text: "Hel" }));
    chat = withEvent(chat, 101, event(999, 1, "text.delta", { ...delta, offset: 0, text: "inside" }));
    chat = withEvent(chat, 101, event(101, 3, "text.delta", { ...delta, offset: 3, text: "lo" }));
    chat = withEvent(chat, 101, event(101, 3, "text.delta", { ...delta, offset: 3, text: "lo" }));
    expect(writingOf(turn(1), chat.live[101])).toBe("Hello");
    expect(statusOf(turn(1), chat.live[101])).toBe("running");
    expect(eventsOf(chat.live[101]).map(({ event: name }) => name)).toEqual(["execution.started"]);
  });

  it("waits from the pause to the decision", () => {
    let chat = withEvent(NO_CHAT, 101, event(101, 1, "execution.started"));
    chat = withEvent(chat, 101, event(101, 2, "execution.paused"));
    expect(statusOf(turn(1), chat.live[101])).toBe("paused");
    chat = withEvent(chat, 101, event(101, 3, "execution.resumed"));
    expect(statusOf(turn(1), chat.live[101])).toBe("running");
    expect(statusOf(turn(1, { status: "failed" }), chat.live[101])).toBe("failed");
  });

  it("keeps what was told of a message while the messages were read, unless it has another run by now", () => {
    const chat = withTurn(withTurn(NO_CHAT, turn(1, { status: "completed", answer: "Done" })), turn(2));
    expect(withTurns(chat, [turn(1, { status: "running" })]).turns).toEqual([
      turn(1, { status: "completed", answer: "Done" }),
      turn(2),
    ]);
    const again = turn(1, { status: "running", executionId: 300 });
    expect(withTurns(chat, [again]).turns?.[0]).toEqual(again);
  });
});
