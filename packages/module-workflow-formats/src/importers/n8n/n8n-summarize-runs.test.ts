import type { JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppStory, startApps } from "./testing/app-story.ts";
import { called, chainOf, n8nNode } from "./testing/n8n-documents.ts";

let story: AppStory;
beforeAll(async () => {
  story = await startApps();
});
afterAll(() => story.stop());

const items = n8nNode("List", "splitOut", { fieldToSplitOut: "list", options: {} }, { typeVersion: 1 });
const summarize = (parameters: JsonObject, typeVersion = 1.1) =>
  n8nNode("Sum", "summarize", { options: {}, ...parameters }, { typeVersion });
const use = (value: string) =>
  n8nNode("Use", "set", { assignments: { assignments: [{ name: "u", type: "string", value }] } });
const LIST: JsonObject[] = [
  { team: "a", n: 1, text: "x" },
  { team: "b", n: 5, text: "" },
  { team: "a", n: 2, text: "y", "a b": { c: 3 } },
];
const all = (...fields: JsonObject[]) => ({ fieldsToSummarize: { values: fields } });

describe("Summarize of n8n", () => {
  it("sums up all items as one", async () => {
    const fields = all(
      { field: "n", aggregation: "sum" },
      { field: "n", aggregation: "average" },
      { field: "n", aggregation: "max" },
      { field: "text", aggregation: "concatenate", separateBy: "\n" },
      { field: "text" },
      { field: "team", aggregation: "countUnique" },
      { field: "a b.c", aggregation: "append" },
    );
    const { output } = await story.run(
      chainOf(called("Start"), items, summarize(fields), use("={{ $json.toJsonString() }}")),
      {
        list: LIST,
      },
    );
    expect(JSON.parse((output as { u: string }).u)).toEqual({
      ...{ sum_n: 8, average_n: 8 / 3, max_n: 5, concatenated_text: "x\ny", count_text: 2, unique_count_team: 2 },
      appended_a_b_c: [3],
    });
  });

  it("leaves out what is no number where it adds up", async () => {
    const fields = all({ field: "n", aggregation: "sum" }, { field: "n", aggregation: "average" });
    const list: JsonObject[] = [{ n: 4 }, { n: "10" }, { n: null }, { m: 1 }, { n: true }, { n: 2 }];
    const { output } = await story.run(
      chainOf(called("Start"), items, summarize(fields), use("={{ $json.toJsonString() }}")),
      { list },
    );
    expect(JSON.parse((output as { u: string }).u)).toEqual({ sum_n: 6, average_n: 3 });
  });

  it("hands on an item for each group, and what follows runs for each", async () => {
    const fields = { ...all({ field: "n", aggregation: "sum" }), fieldsToSplitBy: "team" };
    const { output } = await story.run(
      chainOf(called("Start"), items, summarize(fields), use("={{ $json.team }} {{ $json.sum_n }}")),
      { list: LIST },
    );
    expect(output).toMatchObject({ items: [{ output: { u: "a 3" } }, { output: { u: "b 5" } }] });
  });

  it("fails in its version 1 where no item has a field", async () => {
    const fields = all({ field: "gone", aggregation: "sum" });
    const { status, error } = await story.run(chainOf(called("Start"), items, summarize(fields, 1), use("x")), {
      list: LIST,
    });
    expect([status, String(error)]).toEqual(["failed", expect.stringContaining("'gone' does not exist")]);
  });
});

describe("Split Out of n8n", () => {
  it("takes several lists apart side by side", async () => {
    const both = n8nNode("Both", "splitOut", { fieldToSplitOut: "a, b.c", options: {} }, { typeVersion: 1 });
    const { output } = await story.run(chainOf(called("Start"), both, use("={{ $json.toJsonString() }}")), {
      a: [1, 2],
      b: { c: ["x"] },
    });
    expect(output).toMatchObject({
      items: [{ output: { u: '{"a":1,"b.c":"x"}' } }, { output: { u: '{"a":2}' } }],
    });
  });
});

describe("HTTP Request of n8n", () => {
  it("sends a parameter whose name is written as an expression without one", async () => {
    story.reset();
    const bodyParameters = { parameters: [{ name: "=content", value: "={{ $json.c }}" }] };
    const post = { url: "https://api.test/x", method: "POST", sendBody: true, bodyParameters, options: {} };
    const node = n8nNode("Post", "httpRequest", post, { typeVersion: 4.2 });
    await story.run(chainOf(called("Start"), node, use("done")), { c: "Hi" });
    expect(story.asked()[0]?.body).toEqual({ content: "Hi" });
  });
});

describe("nodes of n8n that change fields of an item", () => {
  const ran = async (node: JsonObject, input: JsonObject) => {
    const { status, output, error } = await story.run(
      chainOf(called("Start"), node, use("={{ $json.toJsonString() }}")),
      input,
    );
    return status === "completed" ? JSON.parse((output as { u: string }).u) : String(error);
  };

  it("rename fields, also in other ones", async () => {
    const keys = {
      key: [
        { currentKey: "a", newKey: "b.c" },
        { currentKey: "d.e", newKey: "f" },
        { currentKey: "gone", newKey: "x" },
      ],
    };
    const node = n8nNode("Keys", "renameKeys", { keys, additionalOptions: {} }, { typeVersion: 1 });
    expect(await ran(node, { a: 1, d: { e: 2, g: 3 } })).toEqual({ b: { c: 1 }, d: { g: 3 }, f: 2 });
  });

  it("write a date in a format of version 1, beside the other fields", async () => {
    const parameters = {
      value: "={{ $json.at }}",
      custom: true,
      toFormat: "DD-MM-YYYY [at] HH:mm",
      dataPropertyName: "t",
      options: {},
    };
    const node = n8nNode("Date", "dateTime", parameters, { typeVersion: 1 });
    const made = await ran(node, { at: "2026-01-02T09:05:00Z", x: 1 });
    expect(made).toEqual({ at: "2026-01-02T09:05:00Z", x: 1, t: "02-01-2026 at 09:05" });
    expect(await ran(node, { at: 1767344700 })).toMatchObject({ t: "02-01-2026 at 09:05" });
  });

  it("calculate with a date as version 1 does", async () => {
    const parameters = {
      action: "calculate",
      value: "={{ $json.at }}",
      operation: "subtract",
      duration: 15,
      timeUnit: "minutes",
      options: {},
    };
    const node = n8nNode("Date", "dateTime", parameters, { typeVersion: 1 });
    expect(await ran(node, { at: "2026-01-02T09:05:00+01:00" })).toMatchObject({ data: "2026-01-02T07:50:00.000Z" });
  });
});
