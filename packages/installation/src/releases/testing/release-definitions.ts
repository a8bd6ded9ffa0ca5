import type { Json, JsonObject } from "@oven/contract";
import type { Graph } from "./release-cases.ts";

/* The workflows of the proof of releases. */

const END = { type: "final" };
const ASK = { src: "agent.humanReview", input: { show: { amount: "$.amount" } } };
/** What a called workflow asks, and what one asked before the review was there. */
export const ASKING = { initial: "ask", states: { ask: { invoke: { ...ASK, onDone: "end" } }, end: END } };
export const SILENT = { initial: "end", states: { end: END } };
const cel = (expression: string) => ({ type: "cel", params: { expression } });

/** A workflow that pays. @param child the workflow that is called for the review */
export function define(
  { inChild, hasBetween, isLenient, shape }: Graph,
  { src, child, isReviewed }: { src: string; child: number; isReviewed: boolean },
): JsonObject {
  const at = (place: string, node: string, onDone: Json): JsonObject => ({
    src: node,
    input: { place, amount: "$.amount", fails: "$.fails" },
    onDone,
  });
  const call = { kind: "agent-workflow", workflow: String(child), input: { amount: "$.amount" } };
  const ask: JsonObject = inChild ? { src: "core.callWorkflow", input: call } : ASK;
  const released = hasBetween ? "between" : "pay";
  const first = isReviewed ? "review" : released;
  const states: JsonObject = {
    start: { invoke: at("start", "proof.step", { line: first, small: "look", hub: "hub" }[shape]) },
    pay: { invoke: at("pay", src, [{ target: "after", guard: cel("ctx.fails.guard > 0 ? [1][9] == 1 : true") }]) },
    after: { invoke: at("after", "proof.step", "end") },
    end: END,
  };
  const small = { target: released, guard: cel("ctx.amount < 0") };
  if (shape === "small") states.look = { invoke: at("look", "proof.step", [small, { target: first }]) };
  const again = { target: released, guard: cel("has(ctx.review_output)") };
  if (shape === "hub") states.hub = { invoke: at("hub", "proof.step", [again, { target: first }]) };
  if (isReviewed) states.review = { invoke: { ...ask, onDone: shape === "hub" ? "hub" : released } };
  if (hasBetween)
    states.between = { invoke: { ...at("between", "proof.step", "pay"), ...(isLenient ? { onError: "pay" } : {}) } };
  return { initial: "start", states };
}
