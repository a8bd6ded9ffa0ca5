import { expect, it } from "vitest";
import { heldDefault } from "./held-default.ts";

const model = { name: "model", default: "fast", defaultAt: "agentConfig.model" };

it("names the workflow's own setting, else the default of the node", () => {
  expect(heldDefault(model, { agentConfig: { model: "smart" } }, undefined)).toBe("smart (this workflow's default)");
  expect(heldDefault(model, {}, undefined)).toBe("fast (default)");
  expect(
    heldDefault({ name: "value", default: undefined, defaultAt: "agentConfig.system" }, {}, undefined),
  ).toBeUndefined();
});

it("leaves it to the agent that the step names", () => {
  expect(heldDefault(model, { agentConfig: { model: "smart" } }, "support")).toBe("as the agent has it");
});

it("shows lists and nothing in words", () => {
  expect(heldDefault({ name: "value", default: ["approve", "edit", "reject"] }, {}, undefined)).toBe(
    "approve, edit, reject",
  );
  expect(heldDefault({ name: "value", default: [] }, {}, undefined)).toBe("none");
  expect(heldDefault({ name: "value", default: {} }, {}, undefined)).toBe("none");
  expect(heldDefault({ name: "value", default: false }, {}, undefined)).toBe("no");
  expect(heldDefault({ name: "value", default: 10 }, {}, undefined)).toBe("10");
  expect(heldDefault({ name: "value", default: undefined }, {}, undefined)).toBeUndefined();
});

it("says who decides where no one is named", () => {
  expect(heldDefault({ name: "assignees", default: [] }, {}, undefined)).toBe("anyone who may decide");
});

it("cuts a long text", () => {
  expect(heldDefault({ name: "value", default: "a".repeat(200) }, {}, undefined)).toHaveLength(60);
});
