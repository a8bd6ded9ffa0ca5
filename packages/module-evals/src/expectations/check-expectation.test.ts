import type { Json } from "@oven/contract";
import { type Expectation, ExpectationSchema } from "@oven/contract/eval";
import { describe, expect, it } from "vitest";
import { checkExpectation, requireReadable } from "./check-expectation.ts";
import type { SeenRun } from "./seen-run.ts";
import { bounded } from "./verdict.ts";

const call = (tool: string, args: Json) => ({ toolCallId: tool, tool, arguments: args, durationMs: 1 });
const RUN: SeenRun = {
  output: { queue: "urgent", items: [{ name: "Oven" }, { name: "Mill" }], trigger: "own", empty: null },
  context: { seen: 2, toolCalls: [] },
  trigger: { message: "Where is it?" },
  toolCalls: [
    call("orders.get", { orderId: 8841, full: true }),
    call("orders.policy", { topic: "refunds" }),
    call("orders.get", { orderId: 9001, tags: ["a", "b"] }),
  ],
  execution: {
    ...{ id: 1, status: "failed", outcome: "error", error: { code: "NO_STOCK", message: "none" } },
    ...{ steps: 4, tokens: 100, costMicros: 25, durationMs: 900 },
  },
  waiting: [{ node: "review", tool: "orders.refund", title: "Refund?" }],
};

const check = async (given: object, run: SeenRun = RUN) => {
  const expectation: Expectation = ExpectationSchema.parse(given);
  return checkExpectation(expectation, run, () => Promise.reject(new Error("no judge is asked here")));
};

describe("expectations", () => {
  it.each([
    [{ type: "exact", path: "$.queue", value: "urgent" }, true],
    [{ type: "exact", path: "$.queue", value: "Urgent" }, false],
    [{ type: "exact", path: "$.items[-1]", value: { name: "Mill" } }, true],
    [{ type: "exact", path: "$.empty", value: null }, true],
    [{ type: "exact", path: "$.absent", value: null }, false],
    // What a run calls its own is read as it is, whatever it is called.
    [{ type: "exact", path: "$.trigger", value: "own" }, true],
    [{ type: "contains", text: ["oven", "mill"] }, true],
    [{ type: "contains", text: ["oven", "starter"] }, false],
    [{ type: "contains", text: ["oven", "starter"], mode: "any" }, true],
    [{ type: "contains", path: "$.queue", text: "URGENT", caseSensitive: true }, false],
    [{ type: "contains", path: "$.absent", text: "x" }, false],
    [{ type: "notContains", text: ["starter", "kit"] }, true],
    [{ type: "notContains", text: ["starter", "oven"] }, false],
    [{ type: "notContains", text: ["starter", "oven"], mode: "all" }, true],
    [{ type: "notContains", path: "$.absent", text: "x" }, true],
    [{ type: "matches", path: "$.items[0].name", pattern: "^O[a-z]+$" }, true],
    [{ type: "matches", path: "$.items[0].name", pattern: "^M" }, false],
    [{ type: "jsonPath", path: "$.items[1]" }, true],
    [{ type: "jsonPath", path: "$.items[2]" }, false],
    [{ type: "jsonPath", path: "$.items[2]", exists: false }, true],
    [{ type: "jsonPath", path: "$.queue.length" }, false],
    [{ type: "schema", path: "$.items", schema: { type: "array", maxItems: 2 } }, true],
    [{ type: "schema", path: "$.items", schema: { type: "array", maxItems: 1 } }, false],
    [{ type: "cel", expression: 'output.queue == "urgent" && ctx.seen == 2' }, true],
    [{ type: "cel", expression: "size(ctx.toolCalls) == 3 && execution.tokens < 200" }, true],
    [{ type: "cel", expression: 'trigger.message.contains("Where")' }, true],
    [{ type: "cel", expression: "output.absent == 1" }, false],
    [{ type: "toolCalled", tool: "orders.get" }, true],
    [{ type: "toolCalled", tool: "orders.get", atLeast: 3 }, false],
    [{ type: "toolCalled", tool: "orders.get", atMost: 1 }, false],
    [{ type: "toolCalled", tool: "orders.get", arguments: { orderId: 8841 }, atMost: 1 }, true],
    [{ type: "toolCalled", tool: "orders.get", arguments: { orderId: 1 } }, false],
    [{ type: "toolCalled", tool: "orders.get", arguments: { tags: ["a"] } }, false],
    [{ type: "toolNotCalled", tool: "orders.refund" }, true],
    [{ type: "toolNotCalled", tool: "orders.policy" }, false],
    [{ type: "toolOrder", tools: ["orders.policy", "orders.get"] }, true],
    [{ type: "toolOrder", tools: ["orders.get", "orders.get"] }, true],
    [{ type: "toolOrder", tools: ["orders.policy", "orders.policy"] }, false],
    [{ type: "status", status: "failed", error: "NO_STOCK" }, true],
    [{ type: "status", status: "failed", error: "OTHER" }, false],
    [{ type: "status", status: "failed", outcome: "limit" }, false],
    [{ type: "status", status: "completed" }, false],
    [{ type: "paused", node: "review" }, true],
    [{ type: "paused", tool: "orders.refund" }, true],
    [{ type: "paused", node: "elsewhere" }, false],
    [{ type: "atMost", measure: "tokens", value: 100 }, true],
    [{ type: "atMost", measure: "tokens", value: 99 }, false],
    [{ type: "atMost", measure: "costMicros", value: 24 }, false],
    [{ type: "atMost", measure: "durationMs", value: 900 }, true],
    [{ type: "atMost", measure: "steps", value: 3 }, false],
  ])("%j: %s", async (given, passed) => {
    const found = await check(given);
    expect(found).toMatchObject({ passed, score: passed ? 1 : 0 });
    // Whoever reads a result is told why.
    expect(found.reason === null).toBe(passed);
  });

  it("say what they saw and what they wanted", async () => {
    expect(await check({ type: "toolCalled", tool: "orders.get", arguments: { orderId: 1 } })).toMatchObject({
      seen: [
        { orderId: 8841, full: true },
        { orderId: 9001, tags: ["a", "b"] },
      ],
      reason: "0 calls of orders.get fit; at least 1 expected",
    });
    expect(await check({ type: "paused" }, { ...RUN, waiting: [] })).toMatchObject({
      passed: false,
      reason: "The run is failed and does not wait for a person",
    });
    expect(bounded("x".repeat(5_000))).toBe(`${"x".repeat(4_000)}…`);
  });

  it.each([
    [{ type: "exact", path: "$.a..b", value: 1 }, "path"],
    [{ type: "contains", path: "$.a | json", text: "x" }, "path"],
    [{ type: "contains", path: "$config.KEY", text: "x" }, "path"],
    [{ type: "matches", pattern: "(?=x)" }, "pattern"],
    [{ type: "cel", expression: "output.(" }, "expression"],
    [{ type: "schema", path: "$", schema: { minimum: "one" } }, "schema.minimum"],
  ])("are refused when they cannot be read: %j", (given, key) => {
    const fine: Expectation = { type: "jsonPath", path: "$", exists: true };
    expect(() => requireReadable([fine, ExpectationSchema.parse(given)])).toThrow(
      expect.objectContaining({ code: "INVALID_EXPECTATION", path: `$.expectations[1].${key}` }),
    );
  });
});
