import type { JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type ImportStory, startImports } from "../../importing/testing/import-story.ts";
import { called, chainOf, n8nNode } from "./testing/n8n-documents.ts";

let story: ImportStory;
beforeAll(async () => {
  story = await startImports();
});
afterAll(() => story.stop());

const use = (value: string) =>
  n8nNode("Use", "set", { assignments: { assignments: [{ name: "u", type: "string", value }] } });
const dates = (parameters: JsonObject, typeVersion = 2) => n8nNode("Dates", "dateTime", parameters, { typeVersion });

describe("Date & Time of n8n", () => {
  it.each<[JsonObject, string, string]>([
    [
      { operation: "formatDate", date: "={{ $json.at }}", format: "yyyy/MM/dd", options: {} },
      "formattedDate",
      "2026/01/31",
    ],
    [
      { operation: "formatDate", date: "={{ $json.at }}", format: "custom", customFormat: "d MMM, HH:mm", options: {} },
      "formattedDate",
      "31 Jan, 09:30",
    ],
    [
      { operation: "addToDate", magnitude: "={{ $json.at }}", timeUnit: "months", duration: 1 },
      "newDate",
      "2026-02-28T09:30:00.000Z",
    ],
    [
      {
        operation: "subtractFromDate",
        magnitude: "={{ $json.at }}",
        timeUnit: "seconds",
        duration: 30,
        outputFieldName: "last",
      },
      "last",
      "2026-01-31T09:29:30.000Z",
    ],
    [{ operation: "extractDate", date: "={{ $json.at }}", part: "day" }, "datePart", "31"],
    [
      { operation: "getTimeBetweenDates", startDate: "2026-01-29T09:30:00Z", endDate: "={{ $json.at }}" },
      "timeDifference.days",
      "2",
    ],
  ])("%j gives %s: %s", async (parameters, field, expected) => {
    const document = chainOf(called("Start"), dates(parameters), use(`={{ $json.${field} }}`));
    const { error, output } = await story.run(document, { at: "2026-01-31T09:30:00Z" });
    expect([error, output]).toEqual([null, { u: expected }]);
  });

  it("says the time at which it is come to, not that of the run", async () => {
    const begin = Date.now();
    const wait = n8nNode("Wait", "wait", { amount: 1, unit: "seconds" }, { typeVersion: 1.1 });
    const { output } = await story.run(
      chainOf(called("Start"), wait, dates({ options: {} }), use("={{ $json.currentDate }}")),
      {},
    );
    expect(Date.parse(output.u) - begin).toBeGreaterThanOrEqual(1_000);
  });

  it("fails where a date is none as ISO 8601 has it", async () => {
    const format = dates({ operation: "formatDate", date: "={{ $json.at }}" });
    const { status, error } = await story.run(chainOf(called("Start"), format), { at: "tomorrow" });
    expect([status, String(error)]).toEqual(["failed", expect.stringContaining("not a date")]);
  });

  it.each<[JsonObject, number, string]>([
    [{ options: { includeInputFields: true } }, 2, "it keeps the fields that come in"],
    [{ operation: "roundDate", date: "x" }, 2, "there is no node here that does roundDate with a date"],
    [{ options: { timezone: "America/Sao_Paulo" } }, 2, "it has a time zone of its own"],
  ])("stays a placeholder: %j of version %d", async (parameters, version, reason) => {
    const { report } = await story.preview(chainOf(called("Start"), dates(parameters, version)));
    expect(report.elements.find(({ name }) => name === "Dates")?.notes).toEqual([reason]);
  });
});

describe("settings of another node of n8n that an expression reads", () => {
  const base = n8nNode("Base", "httpRequest", {
    url: "https://shop.test/a",
    options: {},
    headerParameters: { a: "b" },
  });
  const reading = (value: string) => chainOf(called("Start"), { ...base, type: "n8n-nodes-base.noOp" }, use(value));

  it("are written out where they are fixed", async () => {
    const value = `={{ $('Base').params.url.split('/')[2] }} {{ $node["Base"].parameter["url"] }}`;
    expect((await story.run(reading(value), {})).output).toEqual({ u: "shop.test https://shop.test/a" });
  });

  it("stay behind where they sign in or are not there", async () => {
    for (const value of ["={{ $('Base').params.headerParameters.a }}", "={{ $('Base').params.other }}"]) {
      const { outcomes } = await story.preview(reading(value));
      expect(outcomes.Use).toBe("placeholder");
    }
  });
});

it("n8n's method removeTags leaves the text of HTML", async () => {
  const { output } = await story.run(chainOf(called("Start"), use("={{ $json.html.removeTags() }}")), {
    html: "<p>a <b>b</b></p>",
  });
  expect(output).toEqual({ u: "a b" });
});
