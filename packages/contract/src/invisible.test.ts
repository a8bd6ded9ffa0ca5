import { expect, it } from "vitest";
import { invisibleIn, markInvisible } from "./invisible.ts";

it.each([
  ["pay to \u202Emoc.elpmaxe@ecila\u202C now\u200b", "pay to ⟨U+202E⟩moc.elpmaxe@ecila⟨U+202C⟩ now⟨U+200B⟩"],
  ["a\u2066b\u2069c\u200ed\u061ce", "a⟨U+2066⟩b⟨U+2069⟩c⟨U+200E⟩d⟨U+061C⟩e"],
  ["a\u00adb\ufeffc\u2060d\u3164e\u034ff", "a⟨U+00AD⟩b⟨U+FEFF⟩c⟨U+2060⟩d⟨U+3164⟩e⟨U+034F⟩f"],
  ["a\u0000b\u001bc\u0085", "a⟨U+0000⟩b⟨U+001B⟩c⟨U+0085⟩"],
  ["ad\u200dmin \u200c", "ad⟨U+200D⟩min ⟨U+200C⟩"],
  ["hi\u{e0068}\u{e0069}", "hi⟨U+E0068⟩⟨U+E0069⟩"],
  ["a\ufe0f\ufe0e\ufe01b", "a\ufe0f⟨U+FE0E⟩⟨U+FE01⟩b"],
  ["\ud800x", "⟨U+D800⟩x"],
])("%j is shown as %j", (text, shown) => {
  expect(markInvisible(text)).toBe(shown);
});

it.each([
  "a plain text,\n\twith lines\r\n",
  "👩‍👩‍👧 and ❤️ and 👍🏽",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "می‌خواهم",
  "क्‍ष",
  "Füße, Ωmega, Привет, שלום, 退货",
])("%j is shown as it is", (text) => {
  expect(markInvisible(text)).toBe(text);
  expect(invisibleIn(text)).toEqual([]);
});

it("names what is in the texts and keys of a value, each once", () => {
  expect(invisibleIn({ "a\u200b": ["x\u202e", "y\u202e", 1, null], b: { c: "\u200bd" } })).toEqual([
    "U+200B",
    "U+202E",
  ]);
});
