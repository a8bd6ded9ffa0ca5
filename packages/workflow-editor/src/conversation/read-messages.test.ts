import type { Json } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { readMessages, toMessageText } from "./read-messages.ts";

describe("the messages of a context", () => {
  it("are read one by one; a broken one is shown as it stands", () => {
    const broken = { role: "oracle", content: 3 };
    const read = readMessages({ messages: [{ role: "user", content: "hi" }, broken] });
    expect(read).toEqual([
      { ok: true, message: { role: "user", content: "hi" } },
      { ok: false, raw: broken },
    ]);
  });

  it.each<Json>([null, "text", [], {}, { messages: "none" }])("are none in %j", (context) => {
    expect(readMessages(context)).toEqual([]);
  });

  it("have their text in either form", () => {
    expect(toMessageText("plain")).toBe("plain");
    expect(toMessageText([{ type: "text", text: "a" }, { type: "tool-call" }, { type: "text", text: "b" }])).toBe(
      "a\nb",
    );
  });
});
