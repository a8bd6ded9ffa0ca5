import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { StatusChip } from "./status-chip.tsx";
import { toStatusLook } from "./status-look.ts";

describe("the status chip", () => {
  it.each([
    ["pending", null, "queued", "queued"],
    ["running", null, "running", "running"],
    ["paused", null, "paused", "paused"],
    ["completed", null, "completed", "completed"],
    ["completed", "stopped", "stopped", "stopped"],
    ["completed", "partial_success", "completed", "completed · partial success"],
    ["failed", "failed", "failed", "failed"],
    ["failed", "limit", "failed", "failed · limit"],
    ["cancelled", null, "cancelled", "cancelled"],
    ["skipped", null, "cancelled", "skipped"],
  ] as const)("%s with outcome %s", (status, outcome, tone, word) => {
    expect(toStatusLook(status, outcome)).toEqual({ tone, word });
  });

  it("is never colour alone: an icon and a word stand in it", () => {
    const markup = renderToStaticMarkup(createElement(StatusChip, { status: "failed" }));
    expect(markup).toContain("<svg");
    expect(markup).toContain("failed");
  });
});
