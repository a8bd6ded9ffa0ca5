import type { JsonObject } from "@oven/contract";
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
const run = (node: JsonObject, then: string, input: JsonObject = {}, context?: JsonObject) =>
  story.run(chainOf(called("Start"), node, use(then)), input, context);
const reasonOf = async (node: JsonObject) => {
  const { report } = await story.preview(chainOf(called("Start"), node));
  return report.elements.find(({ name }) => name === "App")?.notes;
};
const app = (type: string, parameters: JsonObject, typeVersion = 1) =>
  n8nNode("App", type, parameters, { typeVersion });
const asked = () => story.asked().map(({ method, url }) => `${method} ${url}`);

describe("HubSpot", () => {
  const contact = {
    ...{ resource: "contact", email: "={{ $json.mail }}", options: {} },
    additionalFields: {
      firstName: "Ann",
      customPropertiesUi: { customPropertiesValues: [{ property: "plan", value: "={{ $json.plan }}" }] },
    },
  };

  it("writes a contact and reads it again", async () => {
    story.answer({ vid: 9, isNew: true }, { vid: 9, properties: { firstname: { value: "Ann" } } });
    const then = "={{ $json.properties.firstname.value }} {{ $json.isNew }}";
    const { output } = await run(app("hubspot", contact, 2), then, { mail: "a+b@c.org", plan: "big" });
    expect(output).toEqual({ u: "Ann true" });
    expect(asked()).toEqual([
      "POST https://api.hubapi.com/contacts/v1/contact/createOrUpdate/email/a%2Bb%40c.org",
      "GET https://api.hubapi.com/contacts/v1/contact/vid/9/profile",
    ]);
    expect(story.asked()[0]).toMatchObject({
      authorization: "Bearer secret of hubspot",
      body: {
        properties: [
          { property: "firstname", value: "Ann" },
          { property: "plan", value: "big" },
        ],
      },
    });
  });

  it("hands on the id alone where it says so", async () => {
    story.answer({ vid: 9, isNew: false });
    const { output } = await run(
      app("hubspot", { ...contact, options: { resolveData: true } }, 2),
      "={{ $json.vid }}",
      {
        ...{ mail: "a@b.org", plan: "" },
      },
    );
    expect([output, asked().length]).toEqual([{ u: "9" }, 1]);
  });

  it("gives a deal another owner", async () => {
    const parameters = {
      ...{ resource: "deal", operation: "update", dealId: { mode: "id", value: "={{ $json.id }}" } },
      updateFields: { dealOwner: { mode: "list", value: 12 } },
    };
    story.answer({ dealId: 5 });
    const { output } = await run(app("hubspot", parameters, 2), "={{ $json.dealId }}", { id: 5 });
    expect([output, asked()]).toEqual([{ u: "5" }, ["PUT https://api.hubapi.com/deals/v1/deal/5"]]);
    expect(story.asked()[0]?.body).toEqual({ properties: [{ name: "hubspot_owner_id", value: 12 }] });
  });

  it("stays a placeholder for a field that is not known", async () => {
    const more = { ...contact, additionalFields: { associatedCompanyId: 4 } };
    expect(await reasonOf(app("hubspot", more, 2))).toEqual([
      "its setting additionalFields.associatedCompanyId has no equal here",
    ]);
  });
});

describe("YouTube", () => {
  it("reads a video in all its parts", async () => {
    story.answer({ items: [{ snippet: { title: "T" } }] });
    const parameters = { resource: "video", operation: "get", videoId: "={{ $json.v }}", options: {} };
    const { output } = await run(app("youTube", parameters), "={{ $json.snippet.title }}", { v: "abc" });
    expect(JSON.stringify(output)).toContain('"u":"T"');
    expect(decodeURIComponent(asked()[0] ?? "")).toBe(
      "GET https://www.googleapis.com/youtube/v3/videos?id=abc&part=contentDetails,id,liveStreamingDetails,localizations,player,recordingDetails,snippet,statistics,status,topicDetails",
    );
  });

  it("searches, by its filters or among its own", async () => {
    story.answer({ items: [] }, { items: [] });
    const parameters = { resource: "video", limit: 3, filters: { q: "cats" }, options: { order: "date" } };
    await run(app("youTube", parameters), "x");
    await run(app("youTube", { resource: "video", limit: 3, filters: {}, options: {} }), "x");
    expect(asked()).toEqual([
      "GET https://www.googleapis.com/youtube/v3/search?q=cats&part=snippet&type=video&order=date&maxResults=3",
      "GET https://www.googleapis.com/youtube/v3/search?part=snippet&type=video&forMine=true&maxResults=3",
    ]);
  });

  it("changes a video", async () => {
    const parameters = {
      ...{ resource: "video", operation: "update", videoId: "v1", title: "New", categoryId: "22", regionCode: "US" },
      updateFields: { description: "D", tags: "={{ $json.tags }}" },
    };
    story.answer({ id: "v1" });
    await run(app("youTube", parameters), "x", { tags: "a,b" });
    expect(story.asked()[0]?.body).toEqual({
      id: "v1",
      snippet: { title: "New", categoryId: "22", description: "D", tags: ["a", "b"] },
      status: {},
      recordingDetails: {},
    });
  });
});

describe("Baserow", () => {
  const fields = { fieldValues: [{ fieldId: 12, fieldValue: "={{ $json.said }}" }] };

  it("writes a row by the ids of its fields and hands it on by their names", async () => {
    story.answer({ id: 4, field_12: "Hi" }, { id: 4, Said: "Hi" });
    const parameters = { operation: "create", databaseId: 1, tableId: 7, fieldsUi: fields };
    const { output } = await run(
      app("baserow", parameters),
      "={{ $json.Said }}",
      { said: "Hi" },
      {
        baserow_address: "https://base.test",
      },
    );
    expect(output).toEqual({ u: "Hi" });
    expect(asked()).toEqual([
      "POST https://base.test/api/database/rows/table/7/",
      "GET https://base.test/api/database/rows/table/7/4/?user_field_names=true",
    ]);
    expect(story.asked()[0]).toMatchObject({ authorization: "Token secret of baserow", body: { field_12: "Hi" } });
  });

  it("stays a placeholder where it sends all fields of its item, or reads all rows", async () => {
    const all = { operation: "create", tableId: 7, dataToSend: "autoMapInputData" };
    expect(await reasonOf(app("baserow", all))).toEqual([
      "it sends all fields of its item, by names that only the table knows the ids of",
    ]);
    expect(await reasonOf(app("baserow", { tableId: 7 }))).toEqual(["there is no node here that does row: getAll"]);
  });
});

describe("XML", () => {
  const read = async (xml: string, options: JsonObject = {}) => {
    const { output } = await run(app("xml", { options }), "={{ JSON.stringify($json) }}", { data: xml });
    return JSON.parse((output as { u: string }).u); // cast: what Use hands on
  };

  it("becomes the objects that n8n makes of it", async () => {
    const xml = `<?xml version="1.0"?><!DOCTYPE r><r a="1 &amp; 2"><!-- no --><i>x</i><i n='3'>y &lt; <![CDATA[<z>]]></i><e/><w>  </w></r>`;
    expect(await read(xml)).toEqual({ r: { a: "1 & 2", i: ["x", { n: "3", _: "y < <z>" }], e: "", w: "" } });
  });

  it("follows its options", async () => {
    const options = { explicitRoot: false, mergeAttrs: false, explicitArray: true, normalizeTags: true, trim: true };
    expect(await read('<R a="1"><I> x </I></R>', options)).toEqual({ $: { a: "1" }, i: ["x"] });
    expect(await read('<R a="1"><I>x</I></R>', { ignoreAttrs: true })).toEqual({ R: { I: "x" } });
  });

  it("fails where it is not well formed", async () => {
    const { status, error } = await run(app("xml", { options: {} }), "x", { data: "<a><b></a>" });
    expect([status, JSON.stringify(error)]).toEqual(["failed", expect.stringContaining("not well formed")]);
  });

  it("stays a placeholder where it makes XML", async () => {
    expect(await reasonOf(app("xml", { mode: "jsonToxml" }))).toEqual(["it makes XML"]);
  });
});

describe("Hacker News", () => {
  it("searches stories", async () => {
    story.answer({ hits: [{ title: "One" }] });
    const parameters = {
      resource: "all",
      limit: 5,
      additionalFields: { keyword: "={{ $json.q }}", tags: ["story", "ask_hn"] },
    };
    const { output } = await run(app("hackerNews", parameters), "={{ $json.title }}", { q: "x" });
    expect(JSON.stringify(output)).toContain('"u":"One"');
    expect(story.asked()[0]?.url).toBe(
      "https://hn.algolia.com/api/v1/search?tags=story%2Cask_hn&query=x&hitsPerPage=5",
    );
    expect(story.asked()[0]?.authorization).toBeUndefined();
  });

  it("reads an article without what was said of it", async () => {
    story.answer({ title: "A", children: [1] });
    const { output } = await run(
      app("hackerNews", { articleId: "7", additionalFields: {} }),
      "={{ JSON.stringify($json) }}",
    );
    expect(output).toEqual({ u: '{"title":"A"}' });
  });
});

it("deletes a message of Slack", async () => {
  story.answer({ ok: true, ts: "1.2" });
  const parameters = { operation: "delete", channelId: { mode: "id", value: "C1" }, timestamp: "={{ $json.ts }}" };
  const { output } = await run(app("slack", parameters, 2.2), "={{ $json.message_timestamp }}", { ts: "1.2" });
  expect([output, asked(), story.asked()[0]?.body]).toEqual([
    { u: "1.2" },
    ["POST https://slack.com/api/chat.delete"],
    { channel: "C1", ts: "1.2" },
  ]);
});

describe("Markdown", () => {
  it("is made of HTML, beside the other fields", async () => {
    const parameters = { html: "={{ $json.page }}", destinationKey: "md", options: { ignore: "a, img" } };
    const page = "<h1>T</h1><p>x <b>y</b> <a href='z'>gone</a></p>";
    const { output } = await run(app("markdown", parameters), "={{ $json.md }} | {{ $json.page.length }}", { page });
    expect(output).toEqual({ u: expect.stringMatching(/^# T\n\nx \*\*y\*\* *\| 48$/) });
  });

  it("becomes HTML, beside the other fields", async () => {
    const parameters = {
      mode: "markdownToHtml",
      markdown: "={{ $json.t }}",
      destinationKey: "page",
      options: { tables: false },
    };
    const { output } = await run(app("markdown", parameters), "={{ $json.page }} | {{ $json.t.length }}", {
      t: "# A\n\n*b*",
    });
    expect(output).toEqual({ u: "<h1>A</h1>\n<p><em>b</em></p> | 8" });
  });

  it("stays a placeholder where more than CommonMark is asked for", async () => {
    const parameters = { mode: "markdownToHtml", markdown: "a", options: { tables: true } };
    expect(await reasonOf(app("markdown", parameters))).toEqual(["its option tables has no equal here"]);
  });
});
