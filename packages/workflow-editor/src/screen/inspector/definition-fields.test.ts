import { expect, it } from "vitest";
import { WORKFLOW_FIELDS } from "./definition-fields.ts";

it("offers whether a run ends with the call of its MCP client, in words", () => {
  const mcp = WORKFLOW_FIELDS.find(({ name }) => name === "mcp");
  expect(mcp).toMatchObject({
    label: "MCP",
    shape: {
      kind: "object",
      fields: [
        { name: "cancelOnAbort", label: "Cancel the run with the call", plain: true, shape: { kind: "boolean" } },
      ],
    },
  });
});
