import type { JsonObject } from "@oven/contract";
import { describe, expect, it } from "vitest";
import { readForeign } from "../../importing/read-foreign.ts";
import { outcomesOf, statesOf } from "../../importing/testing/read-imports.ts";
import { runImported } from "../../importing/testing/run-imported.ts";
import { n8nNode } from "./testing/n8n-documents.ts";

const set = (name: string, field: string, value: string, more: JsonObject = {}) =>
  n8nNode(name, "set", { assignments: { assignments: [{ name: field, type: "string", value }] } }, more);
const isOne = (name: string, left = "={{ $json.n }}", more: JsonObject = {}) => {
  const conditions = [{ leftValue: left, rightValue: "1", operator: { type: "string", operation: "equals" } }];
  return n8nNode(name, "if", { conditions: { options: { version: 2 }, combinator: "and", conditions } }, more);
};
const link = (...outputs: string[][]): JsonObject => ({
  main: outputs.map((names) => names.map((node) => ({ node, type: "main", index: 0 }))),
});
const at = (x: number, y: number): JsonObject => ({ position: [x, y] });

/** Work is done again as long as `n` is 1, and reported each time. */
function document(report: JsonObject[], ways: string[], links: JsonObject = {}, more: JsonObject = {}): string {
  return JSON.stringify({
    nodes: [
      n8nNode("Start", "executeWorkflowTrigger", { inputSource: "passthrough" }),
      ...[n8nNode("Work", "noOp"), isOne("Again", "={{ $json.n }}", at(0, 50)), set("Change", "n", "2"), ...report],
    ],
    connections: {
      Start: link(["Work"]),
      Work: link(ways),
      Again: link(["Change"], []),
      Change: link(["Work"]),
      ...links,
    },
    ...more,
  });
}

async function stepsOf(source: string, input: JsonObject = { n: "1" }) {
  const draft = await readForeign(source);
  expect(draft.report.elements.filter(({ outcome }) => outcome === "placeholder")).toEqual([]);
  const { status, steps } = await runImported(draft, input);
  expect(status).toBe("completed");
  return Object.fromEntries(steps);
}

const notesOf = async (source: string) =>
  (await readForeign(source)).report.notes.filter((note) => note.includes("one after the other"));

describe("a fork of n8n with a way that leads back", () => {
  const report = set("Report", "sent", "={{ $json.n }}");

  it.each([
    ["last", ["Report", "Again"]],
    ["first", ["Again", "Report"]],
  ])("goes along the other way in each round (it is connected %s)", async (_where, ways) => {
    const { Report, Change } = await stepsOf(document([report], ways));
    expect([Report, Change]).toEqual([[{ sent: "1" }, { sent: "2" }], [{ n: "2" }]]);
  });

  it("reads on that way what was handed on before the fork, not what the other way wrote", async () => {
    const { Report, Change } = await stepsOf(document([set("Report", "n", "other {{ 1 }}")], ["Report", "Again"]));
    expect([Report?.length, Change]).toEqual([2, [{ n: "2" }]]);
  });

  it("may read in any order what came to the fork", async () => {
    const { Report, Change } = await stepsOf(
      document([set("Report", "n", "={{ $json.n }} sent")], ["Again", "Report"]),
    );
    expect([Report, Change]).toEqual([[{ n: "1 sent" }, { n: "2 sent" }], [{ n: "2" }]]);
  });

  it("goes along several ways first, in the order of n8n, with choices of their own", async () => {
    const low = [isOne("Low", "={{ $json.n }}", at(0, 40)), set("One", "a", "yes"), set("Two", "a", "no")];
    const nodes = [...low, set("High", "b", "yes", at(0, 10))];
    const source = document(
      nodes,
      ["Again", "Low", "High"],
      { Low: link(["One"], ["Two"]) },
      {
        settings: { executionOrder: "v1" },
      },
    );
    const { One, Two, High } = await stepsOf(source);
    expect([One, Two, High]).toEqual([[{ a: "yes" }], [{ a: "no" }], [{ b: "yes" }, { b: "yes" }]]);
    const states = statesOf(await readForeign(source));
    const next = (id: string) => states[id]?.onDone;
    expect([next("high_way"), next("low_way")]).toEqual([[{ target: "low_way" }], [{ target: "again" }]]);
    expect(await notesOf(source)).toEqual([]);
  });

  it("says where n8n has another order", async () => {
    const v1 = { settings: { executionOrder: "v1" } };
    expect(await notesOf(document([{ ...report, ...at(0, 90) }], ["Report", "Again"], {}, v1))).toEqual([
      "After “Work” the ways are gone along one after the other here: Report, Again. n8n goes on to them in the order Again, Report.",
    ]);
    expect(await notesOf(document([report], ["Report", "Again"]))).toEqual([]);
    const longer = document([report, set("Log", "b", "yes")], ["Report", "Again"], { Report: link(["Log"]) });
    expect(await notesOf(longer)).toEqual([
      "After “Work” the ways are gone along one after the other here: Report, Again. n8n lets the steps of its ways take turns.",
    ]);
  });

  it.each<[string, string]>([
    [
      "reads in one way what another one hands on, in another order",
      document([set("Report", "sent", "={{ $('Change').item.json.n }}")], ["Again", "Report"]),
    ],
    [
      "may be answered by two ways, in another order",
      document(
        [n8nNode("Report", "respondToWebhook", { respondWith: "noData" }), n8nNode("Other", "respondToWebhook", {})],
        ["Again", "Report"],
        { Again: link(["Change"], ["Other"]) },
      ),
    ],
    ["leads back by two ways", document([isOne("Report")], ["Report", "Again"], { Report: link(["Work"]) })],
    ["fails in its other way", document([n8nNode("Report", "stopAndError", {})], ["Report", "Again"])],
    [
      "goes on to a step that always fails beside another one",
      document(
        [report, n8nNode("Stop", "stopAndError", { errorMessage: "no" }), set("Other", "a", "1")],
        ["Report", "Again"],
        {
          Report: link(["Stop", "Other"]),
        },
      ),
    ],
    ["is entered from elsewhere", document([report], ["Report", "Again"], { Again: link(["Change"], ["Report"]) })],
  ])("stays a placeholder where it %s", async (_what, source) => {
    expect(outcomesOf(await readForeign(source))["After Work"]).toBe("placeholder");
  });

  it("goes along the same ways again from one of them", async () => {
    const links = { Again: link(["Again", "Report"], []) };
    const read = await readForeign(document([report], ["Again", "Report"], links));
    expect(outcomesOf(read)).not.toHaveProperty("After Work");
    const { again, work, report_way } = statesOf(read);
    expect([again?.always, work?.always, report_way?.onDone]).toMatchObject([
      [{ target: "report_way" }, {}],
      [{ target: "report_way" }],
      [{ target: "again" }],
    ]);
  });

  it("asks for the order of those ways only that lead back", async () => {
    const source = document([report, isOne("Third")], ["Report", "Again", "Third"], { Third: link(["Work"]) });
    const { report: told, definition } = await readForeign(source);
    const [note] = told.elements.find(({ name }) => name === "After Work")?.notes ?? [];
    expect(note).toContain("goes on to Again, Third at once");
    expect(statesOf({ definition }).report_way?.states?.report).toBeDefined();
  });
});

it("a Switch leaves out what is connected to an output that none of its rules leads to", async () => {
  const rules = { rules: [{ value2: 1, output: 0, operation: "equal" }] };
  const chosen = n8nNode(
    "Chosen",
    "switch",
    { value1: "={{ $('Start').item.json.n }}", rules, fallbackOutput: 2 },
    { typeVersion: 2 },
  );
  const source = JSON.stringify({
    nodes: [n8nNode("Start", "executeWorkflowTrigger", { inputSource: "passthrough" }), chosen, set("One", "n", "1")],
    connections: {
      Start: link(["Chosen"]),
      Chosen: link(["One", "Chosen"], ["One", "Chosen"], []),
      One: link(["Chosen"]),
    },
  });
  const { report } = await readForeign(source);
  const left = report.elements.filter(({ path }) => path.startsWith("$.connections.Chosen.main[1]"));
  const why = ["No rule of the step leads to this output, so nothing comes out of it."];
  expect(left.map(({ outcome, notes }) => [outcome, notes])).toEqual([
    ["ignored", why],
    ["ignored", why],
  ]);
});
