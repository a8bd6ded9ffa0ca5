import { describe, expect, it } from "vitest";
import { EngineHarness } from "../engine-harness.ts";
import type { ScriptedNode } from "../scripted-nodes.ts";

/** Half of a pair: text that models and other systems do send, and that RFC 8785 refuses. */
const HALF = "before \ud800 after";

describe("a review of text with a lone surrogate", () => {
  it("is opened with a digest, and answered like any other", async () => {
    const review: ScriptedNode = {
      run: () => ({
        type: "wait",
        for: "review",
        request: {
          title: "Send this?",
          proposal: { text: HALF },
          schema: null,
          context: null,
          tool: "mail.send",
          assignees: [],
          actions: ["approve"],
          dueAt: null,
        },
      }),
      resume: (_call, signal) => ({ type: "done", output: signal.type === "decision" ? signal.data : null }),
    };
    const definition = {
      initial: "ask",
      states: {
        ask: { invoke: { src: "review", onDone: "done" } },
        done: { type: "final", output: "$.ask_output" },
      },
    };
    const harness = new EngineHarness(definition, { review });
    const id = await harness.execute();
    expect(harness.columns(id).status).toBe("paused");
    const [open] = [...harness.store.reviews.values()];
    expect(open?.open.digest).toMatch(/^[0-9a-f]{64}$/);
    await harness.decide(open?.id ?? 0, "approve", { text: HALF });
    expect(harness.columns(id)).toMatchObject({ status: "completed", output: { text: HALF } });
  });
});
