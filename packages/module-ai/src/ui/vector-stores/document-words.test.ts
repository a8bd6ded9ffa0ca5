import { describe, expect, it } from "vitest";
import { fileProblem, MOST_BYTES, toStage, warningText } from "./document-words.ts";

const none = { done: 0, total: 0 };
const error = { code: "MODEL_UNAVAILABLE", message: "down", fix: null };

describe("how far a document is", () => {
  it.each([
    [{ status: "queued", progress: none, error: null }, "queued"],
    [{ status: "queued", progress: none, error }, "tried again soon"],
    [{ status: "running", progress: none, error: null }, "extracting"],
    [{ status: "running", progress: { done: 32, total: 80 }, error: null }, "embedding 32 of 80"],
    [{ status: "ready", progress: { done: 80, total: 80 }, error: null }, "ready"],
    [{ status: "failed", progress: none, error }, "failed"],
  ] as const)("%j reads %s", (document, word) => {
    expect(toStage(document).word).toBe(word);
  });
});

it("says what of a document is not found", () => {
  expect(warningText({ kind: "pages-without-text", pages: [2, 5, 9], count: 3, of: 12 })).toBe(
    "3 of 12 pages have no text: 2, 5, 9. Run pictures of text through text recognition first.",
  );
  expect(warningText({ kind: "pages-without-text", pages: [1], count: 2, of: 2 })).toContain("1, …");
  expect(warningText({ kind: "undecodable", count: 2, charset: "gbk" })).toContain("2 characters are not valid gbk");
});

describe("a file", () => {
  it.each([
    [{ name: "a.PDF", size: 10 }, null],
    [{ name: "a.docx", size: 10 }, /Save it as/],
    [{ name: "a.md", size: MOST_BYTES + 1 }, /Split it/],
    [{ name: "a.md", size: 0 }, /empty/],
  ])("%j", (file, problem) => {
    const told = fileProblem(file);
    if (problem === null) expect(told).toBeNull();
    else expect(told).toMatch(problem);
  });
});
