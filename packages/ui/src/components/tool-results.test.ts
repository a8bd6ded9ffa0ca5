import { createElement } from "react";
import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { FieldsView } from "./fields-view.tsx";
import { readToolResults } from "./tool-results.tsx";

const RESULTS = [
  { toolCallId: "c1", tool: "orders.get", arguments: { orderId: 8841 }, result: { status: "late" }, durationMs: 3 },
];

describe("tool results", () => {
  it("are recognised by tool and arguments", () => {
    expect(readToolResults(RESULTS)?.map((entry) => entry.tool)).toEqual(["orders.get"]);
  });

  it.each([[[]], [[1]], [[{ tool: "a" }]], [{ tool: "a" }], ["text"]])("are not %j", (value) => {
    expect(readToolResults(value)).toBeNull();
  });
});

describe("a value for a reader", () => {
  const markup = (value: Parameters<typeof FieldsView>[0]["value"]): string =>
    renderToStaticMarkup(createElement(FieldsView, { value, what: "it" }));

  it("shows an object field by field, with text as text", () => {
    const shown = markup({ approvedBy: 1, reply: "Dear Ada,\nsorry" });
    expect(shown).toContain("Approved by");
    expect(shown).toContain("Dear Ada,\nsorry");
    expect(shown).not.toContain("\\n");
  });

  it("names the tool of a result", () => {
    expect(markup({ lookedUp: RESULTS })).toContain("orders.get");
  });

  it("never takes data for markup", () => {
    expect(markup("<img src=x onerror=alert(1)>")).toContain("&lt;img");
  });
});
