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

describe("Google Sheets of n8n", () => {
  const at = {
    documentId: rl("1QZhQqg79-HVBQh8Y2ihMq67UIYIRrJFKLQ", "list"),
    sheetName: rl("gid=0", "list"),
    options: {},
  };
  const table = (range: string, values: Json[][]): Json => ({ valueRanges: [{ valueRange: { range, values } }] });
  const api = "https://sheets.googleapis.com/v4/spreadsheets";
  const document = "1QZhQqg79-HVBQh8Y2ihMq67UIYIRrJFKLQ";
  const sheet = (name: string, parameters: JsonObject) =>
    n8nNode(name, "googleSheets", { ...at, ...parameters }, { typeVersion: 4.5 });
  const columns = (value: JsonObject, matchingColumns: string[] = []) => ({
    columns: { mappingMode: "defineBelow", value, matchingColumns },
  });

  it("appends a row in the order of the columns, and hands on the row", async () => {
    story.answer(table("'My sheet'!A1:C1", [["Name", "Age", "Town"]]), { updates: { updatedRows: 1 } });
    const add = sheet("Add", {
      operation: "append",
      ...columns({ Town: "={{ $json.town }}", Name: "=Dr. {{ $json.who }}" }),
    });
    const { output } = await story.run(chainOf(called("Start"), add, use("={{ $json.Name }} of {{ $json.Town }}")), {
      who: "Ann",
      town: "Ulm",
    });
    expect(output).toEqual({ u: "Dr. Ann of Ulm" });
    expect(story.asked()).toMatchObject([
      {
        ...{
          method: "POST",
          url: `${api}/${document}/values:batchGetByDataFilter`,
          authorization: "Bearer secret of google-sheets",
        },
        body: { dataFilters: [{ gridRange: { sheetId: 0, startRowIndex: 0, endRowIndex: 1 } }] },
      },
      {
        method: "POST",
        url: `${api}/${document}/values/'My%20sheet':append?valueInputOption=USER_ENTERED&insertDataOption=INSERT_ROWS`,
        body: { values: [["Dr. Ann", "", "Ulm"]] },
      },
    ]);
  });

  it("reads rows as objects, and what follows runs once for each", async () => {
    story.answer(table("Sheet1!A1:C4", [["Name", "", "Town"], ["Ann", "", "Ulm"], [], ["Bob"]]));
    const all = n8nNode("All", "aggregate", { aggregate: "aggregateAllItemData" });
    const { output } = await story.run(
      chainOf(
        called("Start"),
        sheet("Read", {}),
        use("={{ $json.row_number }} {{ $json.Name }} {{ $json.Town }}"),
        all,
      ),
      {},
    );
    expect(output).toEqual({ data: [{ u: "2 Ann Ulm" }, { u: "4 Bob " }] });
    expect(story.asked()).toMatchObject([
      {
        body: {
          dataFilters: [{ gridRange: { sheetId: 0 } }],
          valueRenderOption: "UNFORMATTED_VALUE",
          dateTimeRenderOption: "FORMATTED_STRING",
        },
      },
    ]);
  });

  it("finds rows by a value that is computed", async () => {
    story.answer(
      table("Sheet1!A1:B3", [
        ["Id", "Name"],
        [7, "Ann"],
        [8, "Bob"],
      ]),
    );
    const filtersUI = { values: [{ lookupColumn: "Id", lookupValue: "={{ $json.id + 1 }}" }] };
    const all = n8nNode("All", "aggregate", { aggregate: "aggregateAllItemData" });
    const { output } = await story.run(
      chainOf(called("Start"), sheet("Find", { filtersUI }), use("={{ $json.Name }}"), all),
      { id: 7 },
    );
    expect(output).toEqual({ data: [{ u: "Bob" }] });
  });

  it("updates the cells of the row that matches", async () => {
    story.answer(
      table("Sheet1!A1:C3", [
        ["Id", "Name", "Town"],
        ["7", "Ann", "Ulm"],
        ["8", "Bob", "Rom"],
      ]),
      {},
    );
    const change = sheet("Change", {
      operation: "update",
      ...columns({ Id: "={{ $json.id }}", Town: "Bonn" }, ["Id"]),
    });
    const { output } = await story.run(chainOf(called("Start"), change, use("={{ $json.Town }}")), { id: 8 });
    expect(output).toEqual({ u: "Bonn" });
    expect(story.asked()[1]).toMatchObject({
      url: `${api}/${document}/values:batchUpdate`,
      body: { valueInputOption: "USER_ENTERED", data: [{ range: "Sheet1!C3", values: [["Bonn"]] }] },
    });
  });

  it("appends where no row matches, and goes no further where an update finds none", async () => {
    const values = [
      ["Id", "Name"],
      ["7", "Ann"],
    ];
    story.answer(table("Sheet1!A1:B2", values), {});
    const either = sheet("Either", { operation: "appendOrUpdate", ...columns({ Id: "9", Name: "Eve" }, ["Id"]) });
    await story.run(chainOf(called("Start"), either), {});
    expect(story.asked()[1]).toMatchObject({
      url: expect.stringContaining("/values/Sheet1:append?"),
      body: { values: [["9", "Eve"]] },
    });
    story.reset();
    story.answer(table("Sheet1!A1:B2", values));
    const change = sheet("Change", { operation: "update", ...columns({ Id: "9", Name: "Eve" }, ["Id"]) });
    const { status } = await story.run(chainOf(called("Start"), change, use("never")), {});
    expect([status, story.asked().length]).toEqual(["completed", 1]);
  });

  it("fails where the sheet has no column of a name", async () => {
    story.answer(table("Sheet1!A1:A1", [["Name"]]));
    const add = sheet("Add", { operation: "append", ...columns({ Town: "Ulm" }) });
    const { status, error } = await story.run(chainOf(called("Start"), add), {});
    expect([status, String(error)]).toEqual(["failed", expect.stringContaining("no column Town")]);
  });
});

describe("Telegram of n8n", () => {
  it("sends a message with the token of the bot in the address", async () => {
    story.answer({ ok: true, result: { message_id: 5 } });
    const parameters = {
      chatId: "={{ $json.chat }}",
      text: "=Hi {{ $json.who }}",
      additionalFields: { appendAttribution: false },
    };
    const tell = n8nNode("Tell", "telegram", parameters, { typeVersion: 1.2 });
    const { output, report } = await story.run(chainOf(called("Start"), tell, use("={{ $json.result.message_id }}")), {
      chat: 17,
      who: "Ann",
    });
    expect(output).toEqual({ u: "5" });
    expect(story.asked()).toEqual([
      {
        ...{ method: "POST", url: "https://api.telegram.org/botsecret%20of%20telegram/sendMessage" },
        body: { chat_id: 17, text: "Hi Ann", parse_mode: "Markdown" },
      },
    ]);
    expect(report.settings).toMatchObject([
      { kind: "credential", name: "telegram", advice: expect.stringContaining("api.telegram.org") },
    ]);
  });
});

describe("Gmail of n8n", () => {
  it("sends a mail as RFC 5322 has it", async () => {
    story.answer({ id: "m1", threadId: "t1" });
    const parameters = {
      sendTo: "={{ $json.to }}",
      subject: "Grüße",
      message: "=<p>Hallo {{ $json.who }}</p>",
      options: { appendAttribution: false, ccList: "c@x.example" },
    };
    const send = n8nNode("Send", "gmail", parameters, { typeVersion: 2.1 });
    const { output } = await story.run(chainOf(called("Start"), send, use("={{ $json.id }}")), {
      to: "Ann <ann@x.example>, bob@x.example",
      who: "Änn",
    });
    expect(output).toEqual({ u: "m1" });
    const [asked] = story.asked();
    expect(asked).toMatchObject({
      method: "POST",
      url: "https://gmail.googleapis.com/gmail/v1/users/me/messages/send",
      authorization: "Bearer secret of gmail",
    });
    const { raw } = asked?.body as { raw: string }; // cast: as it was sent
    const [head = "", body = ""] = Buffer.from(raw, "base64url").toString().split("\r\n\r\n");
    expect(head.split("\r\n")).toEqual([
      "To: Ann <ann@x.example>, <bob@x.example>",
      "Cc: <c@x.example>",
      `Subject: =?UTF-8?B?${Buffer.from("Grüße").toString("base64")}?=`,
      ...["MIME-Version: 1.0", "Content-Type: text/html; charset=utf-8", "Content-Transfer-Encoding: base64"],
    ]);
    expect(Buffer.from(body, "base64").toString()).toBe("<p>Hallo Änn</p>");
  });
});
