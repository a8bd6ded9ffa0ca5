import { expect, it } from "vitest";
import { isLongText } from "./labels.ts";

it("gives texts that are written several lines", () => {
  expect(["systemPrompt", "message", "email"].map((name) => isLongText(name))).toEqual([true, true, false]);
  expect(isLongText("email", { type: "string", contentMediaType: "text/plain" })).toBe(true);
});
