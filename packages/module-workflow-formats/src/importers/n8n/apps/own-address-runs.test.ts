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
const app = (type: string, parameters: JsonObject) => n8nNode("App", type, parameters, { typeVersion: 1 });
const run = (node: JsonObject, then: string, input: JsonObject) =>
  story.run(chainOf(called("Start"), node, use(then)), input);

describe("an app of n8n at an address of one's own", () => {
  it("has its address in a variable of the run, which the report names", async () => {
    story.answer({ id: "p1" });
    const post = { message: "=Hi {{ $json.who }}", channelId: "c1", attachments: [], otherOptions: {} };
    const { output, report } = await run(app("mattermost", post), "={{ $json.id }}", { who: "Ann" });
    expect(output).toEqual({ u: "p1" });
    expect(story.asked()).toEqual([
      {
        ...{ method: "POST", url: "https://mattermost.invalid/api/v4/posts" },
        authorization: "Bearer secret of mattermost",
        body: { channel_id: "c1", message: "Hi Ann", props: { attachments: [] } },
      },
    ]);
    const [setting] = report.settings.filter(({ kind }) => kind === "configuration");
    expect([setting?.name, setting?.advice]).toEqual([
      "mattermost_address",
      expect.stringContaining("Write the address of Mattermost"),
    ]);
  });

  it("has ids in its address that are computed", async () => {
    story.answer({ status: "OK" });
    const add = { resource: "channel", operation: "addUser", userId: "={{ $json.who }}", channelId: "={{ $json.c }}" };
    await run(app("mattermost", add), "={{ $json.status }}", { who: "u1", c: "c9" });
    const [asked] = story.asked();
    expect([asked?.url, asked?.body]).toEqual([
      "https://mattermost.invalid/api/v4/channels/c9/members",
      { user_id: "u1" },
    ]);
  });

  it("stays a placeholder that names what it does where that is not known", async () => {
    const node = app("mattermost", { resource: "user", operation: "invite", emails: "a@b.c", teamId: "t" });
    const { report } = await story.preview(chainOf(called("Start"), node));
    const told = report.elements.find(({ name }) => name === "App");
    expect([told?.outcome, told?.notes]).toEqual(["placeholder", ["there is no node here that does user: invite"]]);
  });
});

describe("Supabase of n8n", () => {
  const filters = (...conditions: JsonObject[]) => ({ filters: { conditions }, tableId: "people" });
  const isAnn = { keyName: "name", condition: "eq", keyValue: "={{ $json.who }}" };

  it("creates a row, and hands it on", async () => {
    story.answer([{ id: 4 }]);
    const fieldsUi = { fieldValues: [{ fieldId: "name", fieldValue: "={{ $json.who }}" }] };
    const { output } = await run(app("supabase", { tableId: "people", fieldsUi }), "={{ $json.id }}", { who: "Ann" });
    expect([output, story.asked()]).toEqual([
      { u: "4" },
      [{ method: "POST", url: "https://supabase.invalid/rest/v1/people", body: [{ name: "Ann" }] }],
    ]);
  });

  it("gets the rows that a filter names, and what follows runs once for each", async () => {
    story.answer([{ id: 1 }, { id: 2 }]);
    const old = { keyName: "age", condition: "gt", keyValue: "30" };
    const node = app("supabase", { operation: "getAll", ...filters(isAnn, old), matchType: "allFilters" });
    const { output } = await run(node, "={{ $json.id }}", { who: "Ann" });
    expect(output).toMatchObject({ items: [{ output: { u: "1" } }, { output: { u: "2" } }] });
    const { pathname, searchParams } = new URL(story.asked()[0]?.url ?? "");
    expect([pathname, Object.fromEntries(searchParams)]).toEqual([
      "/rest/v1/people",
      { name: "eq.Ann", age: "gt.30", limit: "50" },
    ]);
  });

  it("changes rows that one of several filters names", async () => {
    story.answer([{ id: 1 }]);
    const fieldsUi = { fieldValues: [{ fieldId: "age", fieldValue: 7 }] };
    const old = { keyName: "age", condition: "is", keyValue: "null" };
    const node = app("supabase", { operation: "update", ...filters(isAnn, old), fieldsUi });
    await run(node, "={{ $json.id }}", { who: "Ann" });
    const [asked] = story.asked();
    expect([asked?.method, decodeURIComponent(asked?.url ?? ""), asked?.body]).toEqual([
      "PATCH",
      "https://supabase.invalid/rest/v1/people?or=(name.eq.Ann,age.is.null)",
      { age: 7 },
    ]);
  });

  it("deletes nothing where no filter says which rows", async () => {
    const { report } = await story.preview(
      chainOf(called("Start"), app("supabase", { operation: "delete", tableId: "people" })),
    );
    const told = report.elements.find(({ name }) => name === "App");
    expect([told?.outcome, told?.notes]).toEqual(["placeholder", ["it says not which rows it is about"]]);
  });
});

describe("WordPress of n8n", () => {
  it("writes a post", async () => {
    story.answer({ id: 9 });
    const fields = { additionalFields: { status: "draft", content: "={{ $json.text }}", authorId: 3 } };
    const { output } = await run(app("wordpress", { title: "=On {{ $json.who }}", ...fields }), "={{ $json.id }}", {
      ...{ who: "Ann", text: "Long" },
    });
    expect([output, story.asked()]).toEqual([
      { u: "9" },
      [
        {
          ...{ method: "POST", url: "https://wordpress.invalid/wp-json/wp/v2/posts" },
          authorization: "Basic secret of wordpress",
          body: { title: "On Ann", author: 3, content: "Long", status: "draft" },
        },
      ],
    ]);
  });

  it("changes one, and gets all of one page", async () => {
    story.answer({ id: 9 });
    await run(app("wordpress", { operation: "update", postId: "={{ $json.id }}", updateFields: { tags: [1] } }), "x", {
      id: "9",
    });
    story.answer([{ id: 1 }, { id: 2 }]);
    const all = { resource: "page", operation: "getAll", returnAll: true, options: { orderBy: "title" } };
    const { output } = await run(app("wordpress", all), "={{ $json.id }}", {});
    expect(output).toMatchObject({ items: [{ output: { u: "1" } }, { output: { u: "2" } }] });
    expect(story.asked().map(({ url, body }) => [url, body])).toEqual([
      ["https://wordpress.invalid/wp-json/wp/v2/posts/9", { id: 9, tags: [1] }],
      ["https://wordpress.invalid/wp-json/wp/v2/pages?orderby=title&per_page=100", undefined],
    ]);
  });
});

describe("n8n and Jira of n8n", () => {
  it("gets the workflows, and fails where there are more than one page", async () => {
    story.answer({ data: [{ id: "w1" }], nextCursor: null });
    const { output } = await run(app("n8n", { filters: { tags: "a,b" }, requestOptions: {} }), "={{ $json.id }}", {});
    expect(output).toMatchObject({ items: [{ output: { u: "w1" } }] });
    expect(decodeURIComponent(story.asked()[0]?.url ?? "")).toBe("https://n8n.invalid/workflows?tags=a,b&limit=100");
    story.answer({ data: [{ id: "w1" }], nextCursor: "more" });
    const { status, error } = await run(app("n8n", { filters: {} }), "={{ $json.id }}", {});
    expect([status, String(error)]).toEqual(["failed", expect.stringContaining("more than 100")]);
  });

  it("makes an issue, and comments on it", async () => {
    story.answer({ key: "A-1" }, { id: "5" });
    const issue = { project: rl("10", "list"), issueType: rl("3", "list"), summary: "={{ $json.what }}" };
    const make = n8nNode("Make", "jira", { ...issue, additionalFields: { description: "It broke" } });
    const comment = { resource: "issueComment", issueKey: "={{ $json.key }}", comment: "Seen", options: {} };
    await story.run(chainOf(called("Start"), make, app("jira", comment)), { what: "Broken" });
    const text = { type: "text", text: "Seen" };
    expect(story.asked().map(({ url, body }) => [url, body])).toEqual([
      [
        "https://jira.invalid/rest/api/2/issue",
        { fields: { summary: "Broken", project: { id: "10" }, issuetype: { id: "3" }, description: "It broke" } },
      ],
      [
        "https://jira.invalid/rest/api/3/issue/A-1/comment",
        { body: { type: "doc", version: 1, content: [{ type: "paragraph", content: [text] }] } },
      ],
    ]);
  });
});
