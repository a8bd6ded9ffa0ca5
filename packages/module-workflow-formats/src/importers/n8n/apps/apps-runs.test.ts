import type { Json, JsonObject } from "@oven/contract";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type AppStory, startApps } from "../testing/app-story.ts";
import { called, chainOf, documentOf, linked, n8nNode } from "../testing/n8n-documents.ts";

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

describe("Slack of n8n with blocks", () => {
  it("sends them as they are computed", async () => {
    story.answer({ ok: true, ts: "1" });
    const blocksUi = '={ "blocks": [{ "type": "divider", "block_id": "{{ $json.who }}" }] }';
    const parameters = { select: "user", user: rl("ann", "username"), messageType: "block", blocksUi, text: "Hi" };
    const post = n8nNode("Post", "slack", { ...parameters, otherOptions: {} }, { typeVersion: 2.2 });
    await story.run(chainOf(called("Start"), post), { who: "Ann" });
    expect(story.asked()[0]?.body).toEqual({
      channel: "@ann",
      blocks: [{ type: "divider", block_id: "Ann" }],
      text: "Hi",
    });
  });

  it("fails where Slack says that it is not ok", async () => {
    story.answer({ ok: false, error: "channel_not_found" });
    const parameters = { select: "channel", channelId: rl("C1"), text: "Hi", otherOptions: {} };
    const post = n8nNode("Post", "slack", parameters, { typeVersion: 2.3 });
    const { status, error } = await story.run(chainOf(called("Start"), post), {});
    expect([status, String(error)]).toEqual(["failed", expect.stringContaining("channel_not_found")]);
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

  it("finds the rows that all of several filters hold for", async () => {
    story.answer(
      table("Sheet1!A1:B4", [
        ["Id", "Name"],
        [7, "Ann"],
        [8, "Ann"],
        [8, "Bob"],
      ]),
    );
    const values = [
      { lookupColumn: "Id", lookupValue: "8" },
      { lookupColumn: "Name", lookupValue: "Ann" },
    ];
    const all = n8nNode("All", "aggregate", { aggregate: "aggregateAllItemData" });
    const find = sheet("Find", { filtersUI: { values } });
    const { output } = await story.run(chainOf(called("Start"), find, use("={{ $json.row_number }}"), all), {});
    expect(output).toEqual({ data: [{ u: "3" }] });
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
        body: { chat_id: 17, text: "Hi Ann", parse_mode: "Markdown", disable_web_page_preview: true },
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
    const { raw } = (asked?.body ?? {}) as { raw: string }; // cast: as it was sent
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

describe("Notion of n8n", () => {
  const at = {
    resource: "databasePage",
    databaseId: rl("https://www.notion.so/team/5026700b6693473a81008cc6ddef62a6?v=1", "url"),
    options: {},
  };
  const page = (id: string, name: string): Json => ({
    ...{ object: "page", id, url: `https://www.notion.so/${id}`, parent: { type: "database_id" } },
    properties: {
      "Task Name": { type: "title", title: [{ plain_text: name }] },
      dueDate: { type: "date", date: { start: "2026-01-31" } },
      Tags: { type: "multi_select", multi_select: [{ name: "a" }, { name: "b" }] },
    },
  });

  it("hands on the pages of a database in their simple form", async () => {
    story.answer({ results: [page("p1", "One"), page("p2", "Two")], has_more: false });
    const filters = { conditions: [{ key: "Status|status", condition: "equals", statusValue: "={{ $json.status }}" }] };
    const find = n8nNode(
      "Find",
      "notion",
      { ...at, operation: "getAll", returnAll: true, filterType: "manual", filters },
      { typeVersion: 2.2 },
    );
    const all = n8nNode("All", "aggregate", { aggregate: "aggregateAllItemData" });
    const tell = use(
      "={{ $json.name }} {{ $json.property_task_name }} {{ $json.property_due_date.start }} {{ $json.property_tags.join('+') }}",
    );
    const { output } = await story.run(chainOf(called("Start"), find, tell, all), { status: "Done" });
    expect(output).toEqual({ data: [{ u: "One One 2026-01-31 a+b" }, { u: "Two Two 2026-01-31 a+b" }] });
    expect(story.asked()).toMatchObject([
      {
        ...{
          method: "POST",
          url: "https://api.notion.com/v1/databases/5026700b6693473a81008cc6ddef62a6/query",
          authorization: "Bearer secret of notion",
        },
        body: { filter: { or: [{ property: "Status", status: { equals: "Done" } }] }, page_size: 100 },
      },
    ]);
  });

  it("creates a page with its properties", async () => {
    story.answer(page("p1", "One"));
    const propertyValues: JsonObject[] = [
      { key: "Count|number", numberValue: "={{ $json.n }}" },
      { key: "Tags|multi_select", multiSelectValue: ["a", "b"] },
      { key: "Text|rich_text", textContent: "=n is {{ $json.n }}" },
      { key: "Day|date", date: "2026-01-31", includeTime: false },
    ];
    const make = n8nNode(
      "Make",
      "notion",
      { ...at, title: "One", propertiesUi: { propertyValues } },
      { typeVersion: 2.2 },
    );
    const { output } = await story.run(chainOf(called("Start"), make, use("={{ $json.url }}")), { n: 3 });
    expect(output).toEqual({ u: "https://www.notion.so/p1" });
    expect(story.asked()[0]?.body).toEqual({
      parent: { database_id: "5026700b6693473a81008cc6ddef62a6" },
      properties: {
        title: { title: [{ text: { content: "One" } }] },
        Count: { type: "number", number: 3 },
        Tags: { type: "multi_select", multi_select: [{ name: "a" }, { name: "b" }] },
        Text: { rich_text: [{ text: { content: "n is 3" } }] },
        Day: { type: "date", date: { start: "2026-01-31", end: null } },
      },
    });
  });
});

describe("other apps of n8n", () => {
  it.each<[string, string, JsonObject, JsonObject, { method: string; url: string; body?: Json }, Json]>([
    [
      "Outlook sends a mail",
      "microsoftOutlook",
      { typeVersion: 2 },
      { subject: "Hi", bodyContent: "={{ $json.n }}", toRecipients: "a@x.example, b@x.example", additionalFields: {} },
      {
        ...{ method: "POST", url: "https://graph.microsoft.com/v1.0/me/sendMail" },
        body: {
          message: {
            ...{ subject: "Hi", body: { content: 3 } },
            toRecipients: [{ emailAddress: { address: "a@x.example" } }, { emailAddress: { address: "b@x.example" } }],
          },
          saveToSentItems: true,
        },
      },
      { success: true },
    ],
    [
      "GitHub comments on an issue",
      "github",
      { typeVersion: 1 },
      {
        operation: "createComment",
        owner: "ann",
        repository: rl("https://github.com/ann/tool.js", "url"),
        issueNumber: "={{ $json.n }}",
        body: "Hi",
      },
      { method: "POST", url: "https://api.github.com/repos/ann/tool.js/issues/3/comments", body: { body: "Hi" } },
      { id: 1 },
    ],
    [
      "WhatsApp sends a text",
      "whatsApp",
      { typeVersion: 1 },
      {
        operation: "send",
        phoneNumberId: "17",
        recipientPhoneNumber: "+49 (1)",
        textBody: "=n {{ $json.n }}",
        additionalFields: {},
        requestOptions: {},
      },
      {
        ...{ method: "POST", url: "https://graph.facebook.com/v13.0/17/messages" },
        body: { messaging_product: "whatsapp", to: "49 1", type: "text", text: { body: "n 3" } },
      },
      { id: 1 },
    ],
    [
      "Discord posts by a webhook",
      "discord",
      { typeVersion: 2 },
      { authentication: "webhook", content: "=n {{ $json.n }}", options: { username: "Bot" } },
      {
        method: "POST",
        url: "https://discord.com/api/webhooks/secret%20of%20discord-id/secret%20of%20discord-token",
        body: { content: "n 3", username: "Bot" },
      },
      {},
    ],
    [
      "Google Docs gets a text",
      "googleDocs",
      { typeVersion: 2 },
      { operation: "get", documentURL: "https://docs.google.com/document/d/abc_1/edit" },
      { method: "GET", url: "https://docs.googleapis.com/v1/documents/abc_1" },
      { documentId: "abc_1", content: "Hi you\n" },
    ],
  ])("%s", async (_what, type, more, parameters, request, output) => {
    const paragraph = { elements: [{ textRun: { content: "Hi " } }, { textRun: { content: "you\n" } }] };
    story.answer({
      id: 1,
      ...(type === "googleDocs"
        ? { documentId: "abc_1", body: { content: [{ sectionBreak: {} }, { paragraph }] } }
        : {}),
    });
    const run = await story.run(
      chainOf(
        called("Start"),
        n8nNode("App", type, parameters, more),
        n8nNode("Read", "code", { jsCode: "return [$input.first()];" }),
      ),
      { n: 3 },
    );
    expect(story.asked()).toMatchObject([request]);
    expect(run.status).toBe("completed");
    expect(run.output).toEqual(output);
  });
});

describe("a node of an app", () => {
  const at = { base: rl("app1"), table: rl("tbl1"), options: {} };
  const find = (more: JsonObject = {}) =>
    n8nNode("Find", "airtable", { ...at, operation: "search" }, { typeVersion: 2.1, ...more });
  const write = (name: string, value: string) =>
    n8nNode(name, "set", { assignments: { assignments: [{ name: "u", type: "string", value }] } });

  it("with “Always Output Data” goes on with an empty item where it found nothing", async () => {
    story.answer({ records: [] });
    const { status, output } = await story.run(
      chainOf(called("Start"), find({ alwaysOutputData: true }), write("Use", "on"), aggregated),
      {},
    );
    expect([status, output]).toEqual(["completed", { data: [{ u: "on" }] }]);
    story.answer({ records: [] });
    const none = await story.run(chainOf(called("Start"), find(), write("Use", "on"), aggregated), {});
    expect([none.status, none.output]).toEqual(["completed", []]);
  });
  const aggregated = n8nNode("All", "aggregate", { aggregate: "aggregateAllItemData" });

  it("leads where errors lead, whichever of its requests fails", async () => {
    const sheet = { documentId: rl("d1"), sheetName: rl("Sheet1", "name"), options: {} };
    const columns = { mappingMode: "defineBelow", value: { Name: "Ann" } };
    const parameters = { ...sheet, operation: "append", columns };
    const add = n8nNode("Add", "googleSheets", parameters, { typeVersion: 4.5, onError: "continueErrorOutput" });
    const document = documentOf([called("Start"), add, write("Done", "done"), write("Failed", "failed")], {
      Start: linked(["Add"]),
      Add: linked(["Done"], ["Failed"]),
    });
    const head: Json = { valueRanges: [{ valueRange: { range: "Sheet1!A1:A1", values: [["Name"]] } }] };
    for (const statuses of [[403], [200, 403]]) {
      story.reset();
      story.answer(head, {});
      story.fail(...statuses);
      expect((await story.run(document, {})).output).toEqual({ u: "failed" });
      expect(story.asked()).toHaveLength(statuses.length);
    }
    story.reset();
    story.answer(head, {});
    expect((await story.run(document, {})).output).toEqual({ u: "done" });
  });

  it("stays one placeholder where a list cannot be followed, and says why", async () => {
    const merge = n8nNode(
      "Merge",
      "merge",
      { mode: "combineBySql", query: "SELECT * FROM input1" },
      { typeVersion: 3 },
    );
    const document = documentOf([called("Start"), find(), write("Other", "x"), merge], {
      Start: linked(["Find", "Other"]),
      Find: linked(["Merge"]),
      Other: { main: [[{ node: "Merge", type: "main", index: 1 }]] },
    });
    const { report, problems } = await story.preview(document);
    const told = report.elements.filter(({ name }) => name.startsWith("Find"));
    expect(told).toMatchObject([
      {
        ...{ name: "Find", outcome: "placeholder", state: "find" },
        notes: ["what follows runs once for each item, and what it hands on is merged with something else"],
      },
    ]);
    // The Merge is the other one.
    expect(problems).toHaveLength(2);
    expect(report.settings.map(({ name }) => name)).toEqual([]);
  });
});
