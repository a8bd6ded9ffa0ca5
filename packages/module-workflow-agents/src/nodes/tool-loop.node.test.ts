import type { JsonObject } from "@oven/contract";
import { StateSchema, toTransitions } from "@oven/contract/workflow";
import { expect, test } from "vitest";
import { llmNode } from "./llm.node.ts";
import { toolExecutorNode } from "./tool-executor.node.ts";
import { toolLoopNode } from "./tool-loop.node.ts";

const expand = (input: JsonObject, maxToolIterations = 10) =>
  toolLoopNode.expand({ stateId: "draft", input, maxToolIterations });

test("[004-051] it expands to model and tools taking turns, in states that a definition could hold", () => {
  const { initial, states } = expand({ prompt: "Hi", tools: ["shop.*"] });
  expect(initial).toBe("start");
  expect(Object.keys(states)).toEqual(["start", "llm", "tools", "limit", "done"]);
  for (const state of Object.values(states)) expect(StateSchema.safeParse(state).error).toBeUndefined();
  expect(toTransitions(states.llm?.invoke?.onDone).map(({ target }) => target)).toEqual(["done", "limit", "tools"]);
  expect(toTransitions(states.tools?.invoke?.onDone).map(({ target }) => target)).toEqual(["llm"]);
});

test("the prompt is added to the conversation once, before the first answer, and counting starts anew", () => {
  const [start] = toTransitions(expand({ prompt: "About {{ $.trigger.id }}" }).states.start?.always);
  expect(start?.actions?.map(({ params }) => params)).toEqual([
    { path: '$["draft.scratch"]', value: { iterations: 1, stoppedBy: "answer" } },
    { path: "$.messages", append: { role: "user", content: "About {{ $.trigger.id }}" } },
  ]);
  expect(toTransitions(expand({}).states.start?.always)[0]?.actions).toHaveLength(1);
});

test("each inner node gets its own inputs, and takes them", () => {
  const input = {
    prompt: "Hi",
    model: "fast",
    temperature: 0,
    tools: ["shop.*"],
    mode: "sequential",
    assignees: ["user:1"],
    dueIn: "P1D",
    maxIterations: 2,
  };
  const { states } = expand(input);
  expect(states.llm?.invoke?.input).toEqual({
    model: "fast",
    temperature: 0,
    tools: ["shop.*"],
    step: '$["draft.scratch"].iterations',
  });
  expect(states.tools?.invoke?.input).toEqual({
    tools: ["shop.*"],
    mode: "sequential",
    assignees: ["user:1"],
    dueIn: "P1D",
    step: '$["draft.scratch"].iterations',
  });
  // The engine fills `step` in before a node's schema sees it.
  const filled = (input: JsonObject | undefined) => ({ ...input, step: 1 });
  expect(llmNode.input.safeParse(filled(states.llm?.invoke?.input)).error).toBeUndefined();
  expect(toolExecutorNode.input.safeParse(filled(states.tools?.invoke?.input)).error).toBeUndefined();
});

test("[004-090] the limit is the node's, else the definition's", () => {
  const limitOf = (input: JsonObject, inherited?: number) => {
    const [, limit] = toTransitions(expand(input, inherited).states.llm?.invoke?.onDone);
    return limit?.guard?.type === "condition" ? limit.guard.params : undefined;
  };
  expect(limitOf({})).toEqual({ key: '$["draft.scratch"].iterations', operator: ">=", value: 10 });
  expect(limitOf({}, 3)).toMatchObject({ value: 3 });
  expect(limitOf({ maxIterations: 2 }, 3)).toMatchObject({ value: 2 });
});

test("an object is answered only when one was asked for", () => {
  expect(expand({}).output).not.toHaveProperty("object");
  expect(expand({ outputSchema: { type: "object" } }).output).toHaveProperty("object");
});
