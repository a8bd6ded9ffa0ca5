import type { KnowledgeDocument } from "@oven/contract/ai";
import { describe, expect, it } from "vitest";
import { fileProblem, MOST_BYTES, recognizeLabel, shareDone, toStage, warningText } from "./document-words.ts";

const none = { done: 0, total: 0 };
const recognition = (done: number) => ({ languages: ["eng" as const], done, total: 8, pages: [] });
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
    expect(toStage({ recognition: null, ...document }).word).toBe(word);
  });

  it("is said page by page while text is recognized, and then passage by passage", () => {
    const running = { status: "running" as const, error: null };
    const recognizing = { ...running, progress: none, recognition: recognition(2) };
    expect([toStage(recognizing).word, shareDone(recognizing)]).toEqual(["recognizing page 3 of 8", 0.25]);
    const embedding = { ...running, progress: { done: 4, total: 8 }, recognition: recognition(8) };
    expect([toStage(embedding).word, shareDone(embedding)]).toEqual(["embedding 4 of 8", 0.5]);
    expect(shareDone({ ...embedding, status: "ready" })).toBeNull();
  });
});

it("says what of a document is not found", () => {
  expect(warningText({ kind: "pages-without-text", pages: [2, 5, 9], count: 3, of: 12 })).toBe(
    "3 of 12 pages have no text: 2, 5, 9.",
  );
  expect(warningText({ kind: "pages-without-text", pages: [1], count: 2, of: 2 })).toContain("1, …");
  expect(warningText({ kind: "uncertain-text", pages: [4, 6], count: 2 })).toContain("not certain of 2 pages: 4, 6");
  for (const reason of ["limit", "slow", "failed"] as const)
    expect(warningText({ kind: "pages-not-recognized", reason, pages: [4, 5], count: 2 })).toContain("2 pages");
  expect(warningText({ kind: "undecodable", count: 2, charset: "gbk" })).toContain("2 characters are not valid gbk");
});

describe("the button that recognizes text", () => {
  const empty = { kind: "pages-without-text" as const, pages: [2, 5], count: 2, of: 3 };
  const scan = { ...error, code: "DOCUMENT_EMPTY" };
  it.each([
    [{ warnings: [empty] }, "Recognize text on 2 pages"],
    [{ status: "failed", error: scan }, "Recognize text"],
    [{ warnings: [] }, null],
    [{ status: "failed", error }, null],
    [{ warnings: [empty], mediaType: "text/html" }, null],
    [{ warnings: [empty], status: "queued" }, null],
    [{ warnings: [empty], recognition: recognition(8) }, "Recognize text in other languages"],
    [{ warnings: [], recognition: recognition(8) }, null],
  ])("%j has %s", (given, label) => {
    const ready = { mediaType: "application/pdf", status: "ready", error: null, recognition: null, warnings: [] };
    // cast: what the label is made of
    expect(recognizeLabel({ ...ready, ...given } as unknown as KnowledgeDocument)).toBe(label);
  });
});

describe("a file", () => {
  it.each([
    [{ name: "a.PDF", size: 10 }, null],
    [{ name: "a.xlsx", size: 10 }, /Save it as/],
    [{ name: "a.md", size: MOST_BYTES + 1 }, /Split it/],
    [{ name: "a.md", size: 0 }, /empty/],
  ])("%j", (file, problem) => {
    const told = fileProblem(file);
    if (problem === null) expect(told).toBeNull();
    else expect(told).toMatch(problem);
  });
});
