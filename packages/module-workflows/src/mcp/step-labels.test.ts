import { expect, it } from "vitest";
import { stepLabels } from "./step-labels.ts";

it("calls a step by its label, or by its id in words, wherever it is nested", () => {
  const labelOf = stepLabels({
    states: {
      lookUp: {},
      draft: { label: "Write a draft" },
      blank: { label: " " },
      outer: { states: { inner: { label: "Inside" } } },
      each: { loop: { type: "forEach", bodyInitial: "send", bodyStates: { send: { label: "Send one" } } } },
    },
  });
  expect(["lookUp", "draft", "blank", "inner", "send", "draft.llm", "other.toolCall"].map(labelOf)).toEqual([
    "Look up",
    "Write a draft",
    "Blank",
    "Inside",
    "Send one",
    "Write a draft: LLM",
    "Other: Tool call",
  ]);
});
