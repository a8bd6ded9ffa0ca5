import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AppStory, startApps } from "../testing/app-story.ts";
import { called, chainOf, n8nNode } from "../testing/n8n-documents.ts";

let story: AppStory;
beforeAll(async () => {
  story = await startApps();
});
beforeEach(() => {
  story.reset();
});
afterAll(() => story.stop());

const use = (value: string) =>
  n8nNode("Use", "set", { assignments: { assignments: [{ name: "u", type: "string", value }] } });
const rl = (value: Json, mode = "id"): JsonObject => ({ __rl: true, mode, value });

describe("Slack of n8n", () => {
  it("posts a message, and hands on Slack's answer with the time stamp as n8n calls it", async () => {
    story.answer({ ok: true, channel: "C1", ts: "17.1" });
    const parameters = {
      select: "channel",
      channelId: rl("C1", "list"),
      text: "=Hello {{ $json.who }}",
      otherOptions: {},
    };
    const post = n8nNode("Post", "slack", parameters, { typeVersion: 2.3 });
    const { output, report } = await story.run(chainOf(called("Start"), post, use("={{ $json.message_timestamp }}")), {
      who: "Ann",
    });
    expect(output).toEqual({ u: "17.1" });
    expect(story.asked()).toEqual([
      {
        ...{ method: "POST", url: "https://slack.com/api/chat.postMessage", authorization: "Bearer secret of slack" },
        body: { channel: "C1", text: "Hello Ann" },
      },
    ]);
    const told = report.elements.filter(({ name }) => name === "Post");
    expect(told).toHaveLength(1);
    expect(told[0]?.notes[0]).toBe("It becomes requests to the API of Slack.");
  });
});

describe("Airtable of n8n", () => {
  const at = { base: rl("https://airtable.com/appA1/tblB2/viw", "url"), table: rl("My table", "name"), options: {} };

  it("creates a record, and hands on its fields beside its id", async () => {
    story.answer({ id: "rec1", createdTime: "2026", fields: { Name: "Ann", Age: 7 } });
    const columns = {
      mappingMode: "defineBelow",
      value: { Name: "={{ $json.who }}", Age: 7 },
      matchingColumns: [],
      schema: [{ id: "Name" }],
    };
    const make = n8nNode(
      "Make",
      "airtable",
      { ...at, operation: "create", columns, options: { typecast: true } },
      { typeVersion: 2.1 },
    );
    const { output } = await story.run(chainOf(called("Start"), make, use("={{ $json.id }} {{ $json.Name }}")), {
      who: "Ann",
    });
    expect(output).toEqual({ u: "rec1 Ann" });
    expect(story.asked()).toEqual([
      {
        ...{
          method: "POST",
          url: "https://api.airtable.com/v0/appA1/My%20table",
          authorization: "Bearer secret of airtable",
        },
        body: { fields: { Name: "Ann", Age: 7 }, typecast: true },
      },
    ]);
  });

  it("searches, and what follows runs once for each record", async () => {
    const record = (id: string, Name: string) => ({ id, createdTime: "2026", fields: { Name } });
    story.answer({ records: [record("rec1", "Ann"), record("rec2", "Bob")] });
    const find = n8nNode(
      "Find",
      "airtable",
      { ...at, operation: "search", filterByFormula: "={Age} = {{ $json.age }}" },
      { typeVersion: 2.1 },
    );
    const all = n8nNode("All", "aggregate", { aggregate: "aggregateAllItemData" });
    const { output } = await story.run(chainOf(called("Start"), find, use("={{ $json.Name }}!"), all), { age: 7 });
    expect(output).toEqual({ data: [{ u: "Ann!" }, { u: "Bob!" }] });
    expect(story.asked()).toMatchObject([
      {
        method: "POST",
        url: "https://api.airtable.com/v0/appA1/My%20table/listRecords",
        body: { filterByFormula: "{Age} = 7", pageSize: 100 },
      },
    ]);
  });

  it("fails where there are more records than one page has", async () => {
    story.answer({ records: [{ id: "rec1", fields: {} }], offset: "next" });
    const find = n8nNode("Find", "airtable", { ...at, operation: "search" }, { typeVersion: 2.1 });
    const { status, error } = await story.run(chainOf(called("Start"), find, use("={{ $json.id }}")), {});
    expect([status, String(error)]).toEqual(["failed", expect.stringContaining("more than 100 records")]);
  });
});
