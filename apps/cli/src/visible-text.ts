import { markDeceptive } from "@oven/contract";

/** One line of a text from a file or a server: nothing in it acts on a terminal, ends the line, or hides what it says. */
export function toVisible(text: string): string {
  return markDeceptive(text).replace(/[\r\n]/g, (sign) => (sign === "\n" ? "⟨U+000A⟩" : "⟨U+000D⟩"));
}
