import { expect, it } from "vitest";
import { hasPassed, type PeerRow, toTable } from "./peer-row.ts";

const row = (steps: PeerRow["steps"], more: Partial<PeerRow> = {}): PeerRow => ({
  ...{ title: "Mastra", name: "@mastra/mcp", version: "2.0.0", revision: "2026-07-28", steps },
  ...more,
});
const held = { step: "lists", held: true, seen: "" };
const failed = { step: "answers", held: false, seen: "NOT_FOUND" };
const nothing = { step: "is asked", seen: "" };

it("passes what has held in every step that there is, and nothing that was not tried", () => {
  expect(hasPassed(row([held, nothing]))).toBe(true);
  expect(hasPassed(row([held, failed]))).toBe(false);
  expect(hasPassed(row([]))).toBe(false);
  expect(hasPassed(row([held], { error: "ended with 1" }))).toBe(false);
});

it("shows a row for each, what was not tried as a dash, and says beneath what was seen", () => {
  const rows = [
    row([held, nothing, failed]),
    row([held], { title: "fastmcp", transport: "stdio", error: "ended with 1" }),
  ];
  expect(toTable("server", rows).split("\n")).toEqual([
    "| server | package | over | revision | lists | is asked | answers |",
    "| --- | --- | --- | --- | --- | --- | --- |",
    "| Mastra | `@mastra/mcp` 2.0.0 | – | 2026-07-28 | yes | – | FAILED |",
    "| fastmcp | `@mastra/mcp` 2.0.0 | stdio | 2026-07-28 | yes | – | – |",
    "Mastra, answers: NOT_FOUND",
    "fastmcp: ended with 1",
  ]);
});
