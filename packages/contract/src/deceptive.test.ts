import { expect, it } from "vitest";
import { deceptiveIn, deceptivePlaces, markDeceptive } from "./deceptive.ts";

it.each([
  ["pay to \u202Emoc.elpmaxe@ecila\u202C now\u200b", "pay to ⟨U+202E⟩moc.elpmaxe@ecila⟨U+202C⟩ now⟨U+200B⟩"],
  ["a\u2066b\u2069c\u200ed\u061ce", "a⟨U+2066⟩b⟨U+2069⟩c⟨U+200E⟩d⟨U+061C⟩e"],
  ["a\u00adb\ufeffc\u2060d\u3164e\u034ff", "a⟨U+00AD⟩b⟨U+FEFF⟩c⟨U+2060⟩d⟨U+3164⟩e⟨U+034F⟩f"],
  ["a\u0000b\u001bc\u0085", "a⟨U+0000⟩b⟨U+001B⟩c⟨U+0085⟩"],
  ["ad\u200dmin \u200c", "ad⟨U+200D⟩min ⟨U+200C⟩"],
  ["hi\u{e0068}\u{e0069}", "hi⟨U+E0068⟩⟨U+E0069⟩"],
  ["a\ufe0f\ufe0e\ufe01b", "a\ufe0f⟨U+FE0E⟩⟨U+FE01⟩b"],
  ["\ud800x", "⟨U+D800⟩x"],
  ["pay p\u0430ypal", "pay p⟨U+0430⟩ypal"],
  ["\u0430lice@example.com, \u0440\u0430\u0443.com", "⟨U+0430⟩lice@example.com, ⟨U+0440⟩⟨U+0430⟩⟨U+0443⟩.com"],
  ["send_\u0441\u043e\u0440\u0443", "send_⟨U+0441⟩⟨U+043E⟩⟨U+0440⟩⟨U+0443⟩"],
  ["\u0391dmin and g\u03bfogle, \u0585pen", "⟨U+0391⟩dmin and g⟨U+03BF⟩ogle, ⟨U+0585⟩pen"],
  ["Cобака", "⟨U+0043⟩обака"],
  ["p\u0430y\u200b", "p⟨U+0430⟩y⟨U+200B⟩"],
])("%j is shown as %j", (text, shown) => {
  expect(markDeceptive(text)).toBe(shown);
});

it.each([
  "a plain text,\n\twith lines\r\n",
  "👩‍👩‍👧 and ❤️ and 👍🏽",
  "🏴󠁧󠁢󠁥󠁮󠁧󠁿",
  "می‌خواهم",
  "क्‍ष",
  "Füße, Ωmega, Привет, שלום, 退货",
  "μm, Δx, h\u03bd, \u03c1g, \u03b1x + \u03b2y, 5 кОм, HTTP-сервер, Русскийtext, сор, А.С. Smith, 日本語API, ไทยtext",
])("%j is shown as it is", (text) => {
  expect(markDeceptive(text)).toBe(text);
  expect(deceptiveIn(text)).toEqual([]);
});

it("names what stands in the texts and keys of a value, each once", () => {
  expect(deceptiveIn({ "a\u200b": ["x\u202e", "y\u202e", 1, null], b: { c: "\u200bd" } })).toEqual([
    "U+200B",
    "U+202E",
  ]);
});

it("says where each stands, also beside a text that looks like a mark", () => {
  expect(deceptivePlaces("⟨U+202E⟩ 👍 \u202ea p\u0430y\u{e0001}")).toEqual([
    { at: 12, length: 1, mark: "⟨U+202E⟩" },
    { at: 16, length: 1, mark: "⟨U+0430⟩" },
    { at: 18, length: 2, mark: "⟨U+E0001⟩" },
  ]);
  expect(deceptivePlaces("Größe 👩‍💻")).toEqual([]);
});
