import { expect, test } from "vitest";
import { chunkText, estimateTokens } from "./chunk-text.ts";

const options = { size: 120, overlap: 40 };
const sentence = (word: string) => `${word} is here and it says something. `;

test("chunks carry the headings above them, and never span two sections", () => {
  const text = "# Guide\nIntro.\n\n## Install\nRun it.\n\n### Linux\nUse apt.\n\n## *Use* `now`\nGo.\n";
  expect(chunkText(text, "markdown", options).map(({ headings, text }) => [headings.join(" › "), text])).toEqual([
    ["Guide", "Intro."],
    ["Guide › Install", "Run it."],
    ["Guide › Install › Linux", "Use apt."],
    ["Guide › Use now", "Go."],
  ]);
});

test("offsets point at exactly the chunk's text, and nothing but headings is left out", () => {
  const paragraphs = Array.from({ length: 12 }, (_, n) =>
    sentence(`Word${n}`)
      .repeat(1 + (n % 4))
      .trim(),
  );
  const text = `# One\n\n${paragraphs.slice(0, 6).join("\n\n")}\n\n# Two\n\n${paragraphs.slice(6).join("\n\n")}`;
  const chunks = chunkText(text, "markdown", options);
  for (const chunk of chunks) expect(text.slice(chunk.start, chunk.end)).toBe(chunk.text);
  const covered = new Set(chunks.flatMap(({ start, end }) => Array.from({ length: end - start }, (_, n) => start + n)));
  const missed = [...text].filter((letter, index) => !covered.has(index) && /\S/.test(letter)).join("");
  expect(missed).toBe("#One#Two");
});

test("no chunk is longer than asked, and the next one begins with the end of the last", () => {
  const text = Array.from({ length: 20 }, (_, n) => sentence(`W${n}`)).join("");
  const chunks = chunkText(text, "plain", options);
  expect(chunks.length).toBeGreaterThan(5);
  for (const [index, { text: piece, start }] of chunks.entries()) {
    expect(piece.length).toBeLessThanOrEqual(options.size);
    const previous = chunks[index - 1];
    if (previous !== undefined) expect(start).toBeLessThanOrEqual(previous.end);
  }
});

test("a code block stays whole beyond the size, and a giant one is cut between lines", () => {
  const code = `\`\`\`ts\n${"const a = 1;\n".repeat(20)}\`\`\``;
  expect(chunkText(`Before.\n\n${code}\n`, "markdown", options).map(({ text }) => text)).toEqual(["Before.", code]);
  const giant = `\`\`\`\n${"a line of code\n".repeat(100)}\`\`\``;
  const chunks = chunkText(giant, "markdown", options);
  expect(chunks.length).toBeGreaterThan(2);
  for (const { text } of chunks.slice(0, -1)) expect(text.endsWith("\n")).toBe(true);
});

test("text without any place to cut is cut between characters, never inside one", () => {
  const chunks = chunkText(`a${"😀".repeat(300)}`, "plain", options);
  expect(chunks.length).toBeGreaterThan(3);
  for (const { text } of chunks) expect(text.isWellFormed()).toBe(true);
});

test("pages are parted by form feeds and named", () => {
  const text = "First page.\n\nStill first.\fSecond page.";
  const chunks = chunkText(text, "plain", options);
  expect(chunks.map(({ headings, text }) => [headings, text])).toEqual([
    [["Page 1"], "First page.\n\nStill first."],
    [["Page 2"], "Second page."],
  ]);
  for (const { start, end, text: piece } of chunks) expect(text.slice(start, end)).toBe(piece);
});

test("a document of headings alone is still found, a blank one has no chunks", () => {
  expect(chunkText("# Only\n\n## Headings", "markdown", options)).toHaveLength(1);
  expect(chunkText(" \n\n ", "plain", options)).toEqual([]);
  expect(estimateTokens("12345")).toBe(2);
});
