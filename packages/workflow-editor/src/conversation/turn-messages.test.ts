import type { RunEvent } from "@oven/contract/run";
import { describe, expect, it } from "vitest";
import { toAnswer, toAsked, toSaid, toUnsaid } from "./turn-messages.ts";

const added = (seq: number, nodeId: string, message: unknown): RunEvent => ({
  seq,
  executionId: 1,
  at: "2026-01-01T00:00:00.000Z",
  event: "message.added",
  nodeId,
  visit: 1,
  message,
});
const log: RunEvent[] = [
  { ...added(1, "ask", null), event: "node.started" },
  added(2, "ask", { role: "user", content: "Hello" }),
  added(3, "ask", { role: "assistant", content: [{ type: "text", text: "Hi there" }] }),
  added(4, "odd", { text: "no message" }),
];

describe("a turn of a conversation", () => {
  it("has what each step said and heard, and what is no message as it stands", () => {
    expect(toSaid(log)).toEqual([
      { seq: 2, nodeId: "ask", visit: 1, message: { ok: true, message: { role: "user", content: "Hello" } } },
      { seq: 3, nodeId: "ask", visit: 1, message: expect.objectContaining({ ok: true }) },
      { seq: 4, nodeId: "odd", visit: 1, message: { ok: false, raw: { text: "no message" } } },
    ]);
  });

  it("shows text once: while it is written, or as the message it became", () => {
    const part = { nodeId: "ask", visit: 1, attempt: 1, text: "Hi there" };
    expect(toUnsaid([part], toSaid(log))).toEqual([]);
    const others = [
      { ...part, text: "Hi th" },
      { ...part, visit: 2 },
      { ...part, nodeId: "other" },
    ];
    expect(toUnsaid(others, toSaid(log))).toEqual(others);
  });

  it("shows the answer of the run where it is none of the messages", () => {
    const run = (output: never | object | string | null) => ({ status: "completed" as const, output: output as never });
    expect(toAnswer(run("Hi there"), toSaid(log))).toBeUndefined();
    expect(toAnswer(run({ text: "Hi there", iterations: 1 }), toSaid(log))).toBeUndefined();
    expect(toAnswer(run({ reply: "Hi there" }), toSaid(log))).toEqual({ reply: "Hi there" });
    expect(toAnswer(run("Something else"), toSaid(log))).toBe("Something else");
    expect(toAnswer({ status: "failed", output: "Something else" }, [])).toBeUndefined();
    expect(toAnswer(run(null), [])).toBeUndefined();
  });

  it("says what the user said, or the input it came with", () => {
    expect(toAsked({ message: "Hello", messages: [] })).toBe("Hello");
    expect(toAsked({ question: 5 })).toBe('{"question":5}');
  });
});
