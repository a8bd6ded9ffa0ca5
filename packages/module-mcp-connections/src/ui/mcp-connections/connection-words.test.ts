import { expect, it } from "vitest";
import { toHintWords, toToolWords } from "./connection-words.ts";

it("counts what there is, and only that", () => {
  expect(toToolWords({ approved: 3, waiting: 2, changed: 0, vanished: 0, refused: 1 })).toBe(
    "3 approved, 2 to approve, 1 unusable",
  );
  expect(toToolWords({ approved: 0, waiting: 0, changed: 0, vanished: 0, refused: 0 })).toBe("no tools");
});

it("says that hints are the server's words", () => {
  expect(toHintWords({ readOnlyHint: true, idempotentHint: true })).toBe("says that it only reads, may be repeated");
  expect(toHintWords({ readOnlyHint: false })).toBe("says nothing about what it does");
});
