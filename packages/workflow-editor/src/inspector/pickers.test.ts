import { expect, it } from "vitest";
import { pickerOf } from "./pickers.ts";
import { toFields } from "./shape.ts";

it("picks texts and lists of texts by their name, and nothing else", () => {
  const fields = toFields({
    type: "object",
    properties: {
      model: { type: "string" },
      tools: { type: "array", items: { type: "string" } },
      workflow: { anyOf: [{ type: "string" }, { type: "integer" }] },
      agent: { type: "object", properties: { id: { type: "integer" } } },
      prompt: { type: "string" },
      constructor: { type: "string" },
      workflowVersion: { type: "integer" },
    },
  });
  expect(fields.map(pickerOf)).toEqual(["model", "tool", "workflow", null, null, null, "workflow-version"]);
});
