import type { JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readForeign } from "../read-foreign.ts";
import { type ImportStory, startImports } from "../testing/import-story.ts";
import { outcomesOf, statesOf } from "../testing/read-imports.ts";

const node = (name: string, type: string, parameters: JsonObject = {}): JsonObject => ({
  ...{ name, type: `n8n-nodes-base.${type}`, typeVersion: 3.4, parameters },
});
const set = (name: string): JsonObject =>
  node(name, "set", { assignments: { assignments: [{ name: "ran", value: name, type: "string" }] } });
const stop = (name: string): JsonObject => node(name, "stopAndError", { errorMessage: "no" });
const ask = (name: string): JsonObject => {
  const operator = { type: "string", operation: "equals" };
  const conditions = [{ leftValue: "={{ $('Start').item.json.way }}", rightValue: "yes", operator }];
  return node(name, "if", { conditions: { options: { version: 2 }, combinator: "and", conditions } });
};
const link = (...outputs: string[][]): JsonObject => ({
  main: outputs.map((names) => names.map((one) => ({ node: one }))),
});
const n8n = (nodes: JsonObject[], connections: JsonObject): JsonObject => ({
  name: "Fork",
  nodes: [node("Start", "executeWorkflowTrigger"), ...nodes],
  connections: { Start: link([String(nodes[0]?.name)]), ...connections },
});
const ways = (text: string): number => text.split('"report":{').length - 1;

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

describe("a fork", () => {
  it("with a way back to before it does not lose its other way", async () => {
    const read = await readForeign(
      JSON.stringify(
        n8n([set("Work"), set("Report"), ask("Again"), set("End")], {
          Work: link(["Report", "Again"]),
          Again: link(["Work"], ["End"]),
        }),
      ),
    );
    expect(ways(JSON.stringify(statesOf(read)))).toBe(1);
    expect(outcomesOf(read)).toMatchObject({ Report: "mapped", Again: "mapped" });
    expect(outcomesOf(read)).not.toHaveProperty("After Work");
  });

  it("at the beginning, with a way back to it, does not lose its other way", async () => {
    const edges = [
      { source: "__start__", target: "a" },
      { source: "a", target: "report" },
      { source: "a", target: "a", conditional: true },
      { source: "report", target: "__end__" },
    ];
    const nodes = ["__start__", "a", "report", "__end__"].map((id) => ({ id }));
    const read = await readForeign(JSON.stringify({ nodes, edges }));
    expect(ways(JSON.stringify(statesOf(read)))).toBe(1);
    expect(read.report.elements.find(({ name }) => name === "After a")?.notes.join()).toContain("a: which way?");
  });

  it.each<[string, JsonObject[], JsonObject]>([
    [
      "is one of its ways",
      [set("Work"), set("Again"), stop("Report")],
      { Work: link(["Again", "Report"]), Again: link(["Report", "Again"]) },
    ],
    [
      "goes on in the same ways",
      [
        set("Work"),
        { ...node("Ask", "httpRequest", { url: "https://example.com" }), onError: "continueErrorOutput" },
        stop("Report"),
      ],
      { Work: link(["Ask", "Report"]), Ask: link([], ["Report", "Ask"]) },
    ],
  ])("that %s is said to be tangled, and nothing behind it is lost", async (_what, nodes, connections) => {
    const read = await readForeign(JSON.stringify(n8n(nodes, connections)));
    expect(ways(JSON.stringify(statesOf(read)))).toBe(1);
    expect(read.report.elements.filter(({ type }) => type === "several connections").length).toBeGreaterThan(0);
  });

  it("does not come together before where one of its ways already leads", async () => {
    const read = await readForeign(
      JSON.stringify(
        n8n([set("Work"), set("Left"), ask("Check"), set("Join"), set("Report")], {
          Work: link(["Left", "Report"]),
          Left: link(["Check", "Join"]),
          Check: link(["Report"], ["Join"]),
          Join: link(["Left"]),
        }),
      ),
    );
    expect(outcomesOf(read)["After Left"]).toBe("placeholder");
  });

  it("goes on in its other way where the first may end before that", async () => {
    const document = n8n([set("Work"), ask("Check"), set("Other"), set("Report")], {
      Work: link(["Check", "Report"]),
      Check: link(["Report"], ["Other"]),
    });
    const { status, output } = await story.run(document, { way: "no" });
    expect([status, output]).toEqual(["completed", { ran: "Report" }]);
  });

  it("does not run what its ways only may lead to", async () => {
    const read = await readForeign(
      JSON.stringify(
        n8n([set("Work"), ask("One"), ask("Two"), set("Report")], {
          Work: link(["One", "Two"]),
          One: link(["Report"]),
          Two: link(["Report"]),
        }),
      ),
    );
    expect(outcomesOf(read)["After Work"]).toBe("placeholder");
  });

  it("in a way of another one comes together where that one does", async () => {
    const document = n8n([set("Work"), set("Left"), set("Right"), set("A"), set("B"), set("Report")], {
      Work: link(["Left", "Right"]),
      Left: link(["A", "B"]),
      ...Object.fromEntries(["A", "B", "Right"].map((name) => [name, link(["Report"])])),
    });
    const { status, output, report } = await story.run(document, {});
    expect([status, output]).toEqual(["completed", { ran: "Report" }]);
    expect(report.elements.some(({ outcome }: { outcome: string }) => outcome === "placeholder")).toBe(false);
  });

  it("of the error of a step that ends the run is carried over", async () => {
    const first = { ...stop("Stop"), onError: "continueErrorOutput" };
    const read = await readForeign(JSON.stringify(n8n([first, set("Report")], { Stop: link([], ["Report"]) })));
    expect(statesOf(read).stop?.invoke?.onError).toEqual({ target: "report" });
  });
});
