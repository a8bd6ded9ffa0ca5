import { describe, expect, it } from "vitest";
import { readAnswerLink } from "./answer-links.ts";

describe("a link in an answer of the assistant", () => {
  it.each([
    ["#step:classify", { to: "step", id: "classify" }],
    ["#step:a%20b", { to: "step", id: "a b" }],
    ["#step:100%", { to: "step", id: "100%" }],
    ["#run:12", { to: "run", id: 12 }],
    ["/agent-workflow-executions/12/show", { to: "run", id: 12 }],
    ["https://example.org/#step:classify", { to: "elsewhere" }],
    ["#step:", { to: "elsewhere" }],
    ["#run:12x", { to: "elsewhere" }],
  ])("%s", (href, link) => {
    expect(readAnswerLink(href)).toEqual(link);
  });
});
