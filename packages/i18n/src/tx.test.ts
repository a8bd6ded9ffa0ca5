import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { afterEach, expect, it } from "vitest";
import { loadLanguage, tx } from "./index.ts";

afterEach(() => loadLanguage("en"));

const link = createElement("a", { href: "/x" }, "rules");
const shown = (text: string, parts: Parameters<typeof tx>[1]): string => renderToStaticMarkup(tx(text, parts));

it("puts elements in the place of placeholders, in the order of each language", async () => {
  const text = "Somebody else changed this draft {{time}}. Nothing is saved until you choose.";
  const time = createElement("time", null, "T");
  expect(shown(text, { time })).toBe(
    "Somebody else changed this draft <time>T</time>. Nothing is saved until you choose.",
  );
  await loadLanguage("de");
  expect(shown(text, { time })).toBe(
    "Jemand anderes hat diesen Entwurf <time>T</time> geändert. Bis zu Ihrer Wahl wird nichts gespeichert.",
  );
});

it("repeats an element that is named twice, and escapes texts", () => {
  expect(shown("{{link}} and {{link}}: {{text}}", { link, text: "<b>" })).toBe(
    '<a href="/x">rules</a> and <a href="/x">rules</a>: &lt;b&gt;',
  );
});
