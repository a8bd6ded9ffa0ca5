import { expect, it } from "vitest";
import { heldDefault } from "./held-default.ts";

const model = { default: "fast", defaultAt: "agentConfig.model" };

it("names the workflow's own setting, else the default of the node", () => {
  expect(heldDefault(model, { agentConfig: { model: "smart" } }, undefined)).toBe("smart (this workflow's default)");
  expect(heldDefault(model, {}, undefined)).toBe("fast (default)");
  expect(heldDefault({ default: undefined, defaultAt: "agentConfig.system" }, {}, undefined)).toBeUndefined();
});

it("leaves it to the agent that the step names", () => {
  expect(heldDefault(model, { agentConfig: { model: "smart" } }, "support")).toBe("as the agent has it");
});

it("shows lists and nothing in words", () => {
  expect(heldDefault({ default: ["approve", "edit", "reject"] }, {}, undefined)).toBe("approve, edit, reject");
  expect(heldDefault({ default: [] }, {}, undefined)).toBe("none");
  expect(heldDefault({ default: {} }, {}, undefined)).toBe("none");
  expect(heldDefault({ default: false }, {}, undefined)).toBe("no");
  expect(heldDefault({ default: 10 }, {}, undefined)).toBe("10");
  expect(heldDefault({ default: undefined }, {}, undefined)).toBeUndefined();
});

it("cuts a long text", () => {
  expect(heldDefault({ default: "a".repeat(200) }, {}, undefined)).toHaveLength(60);
});
