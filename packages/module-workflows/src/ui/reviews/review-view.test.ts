import { describe, expect, it } from "vitest";
import { DEFAULT_VIEW, type ReviewView, readView, toListOf, writeView } from "./review-view.ts";

const NOW = Date.parse("2026-03-02T10:00:30Z");

describe("what the inbox shows", () => {
  it("is the same after it was in an address, and takes no unknown words from one", () => {
    const view: ReviewView = { show: "mine", due: "overdue", sort: "oldest", q: "a&b=c" };
    expect(writeView(view)).toBe("?show=mine&due=overdue&sort=oldest&q=a%26b%3Dc");
    expect(readView(new URLSearchParams(writeView(view)))).toEqual(view);
    expect(writeView(DEFAULT_VIEW)).toBe("");
    expect(readView(new URLSearchParams("show=all&due=1&sort=x"))).toEqual(DEFAULT_VIEW);
  });

  it.each<[string, Partial<ReviewView>, object, object]>([
    ["as usual", {}, { status: "open" }, { field: "dueAt", order: "ASC" }],
    [
      "mine, found by text",
      { show: "mine", q: "x" },
      { status: "open", mine: true, q: "x" },
      { field: "dueAt", order: "ASC" },
    ],
    [
      "overdue",
      { due: "overdue" },
      { status: "open", dueAt_lte: "2026-03-02T10:01:00.000Z" },
      { field: "dueAt", order: "ASC" },
    ],
    [
      "due in a day",
      { due: "day", sort: "oldest" },
      { status: "open", dueAt_lte: "2026-03-03T10:01:00.000Z" },
      { field: "id", order: "ASC" },
    ],
    ["decided, newest first", { show: "decided" }, { status: "decided" }, { field: "decidedAt", order: "DESC" }],
  ])("asks the server for what is %s", (_name, change, filter, sort) => {
    expect(toListOf({ ...DEFAULT_VIEW, ...change }, NOW)).toEqual({ filter, sort });
  });
});
