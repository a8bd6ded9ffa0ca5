import type { JsonObject } from "@oven/contract";
import { type PromotedAgent, type PromotionFile, PromotionFileSchema } from "@oven/contract/workflow";

const final = { type: "final" };

/** Asks, reviews and refunds; a file as an installation exports it. */
export function refundFile(change: { definition?: JsonObject; agents?: PromotedAgent[] } = {}): PromotionFile {
  const definition = change.definition ?? {
    initial: "ask",
    limits: { maxSteps: 20 },
    states: {
      ask: {
        invoke: {
          src: "agent.llm",
          input: { model: "fast", prompt: "You are kind.\nAnswer in one line.\nNever promise money." },
          onDone: "review",
          onError: "sorry",
        },
      },
      review: { invoke: { src: "agent.humanReview", input: { title: "Refund?" }, onDone: "pay" } },
      pay: { invoke: { src: "core.http", input: { url: "https://bank.example.com" }, onDone: "done" } },
      sorry: { ...final, outcome: "failed" },
      done: final,
    },
  };
  return PromotionFileSchema.parse({
    format: "oven-promotion",
    version: 1,
    root: { kind: "agent-workflow", slug: "refund" },
    workflows: [{ kind: "agent-workflow", slug: "refund", name: "Refund", description: null, tags: [], definition }],
    agents: change.agents ?? [],
    triggers: [],
  });
}

/** The same with one state more, one less, one in a group, one changed, and another setting. */
export function changedRefundFile(): PromotionFile {
  return refundFile({
    definition: {
      initial: "ask",
      limits: { maxSteps: 30 },
      states: {
        ask: {
          invoke: {
            src: "agent.llm",
            input: { model: "fast", prompt: "You are kind.\nAnswer in two lines.\nNever promise money." },
            onDone: "paying",
          },
        },
        paying: {
          initial: "check",
          states: {
            check: { invoke: { src: "core.sql", input: { query: "select 1" }, onDone: "pay" } },
            pay: { invoke: { src: "core.http", input: { url: "https://bank.example.com" }, onDone: "paid" } },
            paid: final,
          },
          onDone: "done",
        },
        sorry: { ...final, outcome: "failed" },
        done: final,
      },
    },
  });
}
