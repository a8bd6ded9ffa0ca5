import type { Json } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { readOpening, toAssistant } from "./opening.ts";

describe("what the assistant shows at first", () => {
  it.each([{ chatId: 7 }, { question: "Why did run #7 fail?" }])("is what the page before asked for: %o", (opening) => {
    const [path, { state }] = toAssistant(12, opening);
    expect(path).toBe("/agent-workflows/12/editor");
    expect(readOpening(state)).toEqual(opening);
  });

  it.each<Json | undefined>([
    undefined,
    null,
    "x",
    { drawer: "run" },
    { assistant: { chatId: "7" } },
    { assistant: null },
  ])("is nothing when the page before asked for nothing of it: %o", (state) => {
    expect(readOpening(state)).toBeNull();
  });
});
