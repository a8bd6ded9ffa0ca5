import { expect, test } from "vitest";
import { promptNode } from "./prompt.node.ts";
import { createNodeContext } from "./testing/node-context.ts";

test("[004-082] a system prompt is set for the model steps that follow", async () => {
  const context = createNodeContext(promptNode, { input: { system: "Be kind.", template: "Hello Ada" } });
  expect(await promptNode.run(context)).toEqual({
    type: "done",
    output: { systemPrompt: "Be kind.", text: "Hello Ada" },
    patch: [{ op: "add", path: "/systemPrompt", value: "Be kind." }],
  });
});

test("a template alone leaves an earlier system prompt standing", async () => {
  const context = createNodeContext(promptNode, { input: { template: "Hello" }, values: { systemPrompt: "Be kind." } });
  expect(await promptNode.run(context)).toEqual({
    type: "done",
    output: { systemPrompt: "Be kind.", text: "Hello" },
    patch: [],
  });
});

test("a prompt without any text is refused", () => {
  expect(promptNode.input.safeParse({}).success).toBe(false);
});
