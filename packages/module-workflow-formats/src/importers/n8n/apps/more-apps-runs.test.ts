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
const run = (node: JsonObject, then: string, input: JsonObject) =>
  story.run(chainOf(called("Start"), node, use(then)), input);
const reasonOf = async (node: JsonObject) => {
  const { report } = await story.preview(chainOf(called("Start"), node));
  return report.elements.find(({ name }) => name === "App")?.notes;
};

describe("pictures that OpenAI's node of n8n asks about", () => {
  const analyze = (more: JsonObject, typeVersion = 1.8) =>
    n8nNode(
      "App",
      "langchain.openAi",
      { resource: "image", operation: "analyze", options: {}, ...more },
      { typeVersion },
    );

  it("are shown to the model by their addresses", async () => {
    story.answer({ choices: [{ message: { content: "A cat" } }] });
    const asked = { modelId: rl("gpt-4o-mini", "list"), text: "=What? {{ $json.q }}", imageUrls: "={{ $json.urls }}" };
    const { output } = await run(analyze(asked), "={{ $json.content }}", {
      q: "Now",
      urls: "http://a/1.png, http://a/2.png",
    });
    const image = (url: string) => ({ type: "image_url", image_url: { url, detail: "auto" } });
    const content = [{ type: "text", text: "What? Now" }, image("http://a/1.png"), image("http://a/2.png")];
    expect([output, story.asked()]).toEqual([
      { u: "A cat" },
      [
        {
          ...{ method: "POST", url: "https://api.openai.com/v1/chat/completions" },
          authorization: "Bearer secret of openai",
          body: { model: "gpt-4o-mini", messages: [{ role: "user", content }], max_tokens: 300 },
        },
      ],
    ]);
  });

  it("hand on the whole answer where it is not simplified", async () => {
    story.answer({ choices: [{ message: { content: "A dog" } }] });
    const asked = { imageUrls: "http://a/1.png", simplify: false, options: { detail: "low", maxTokens: 9 } };
    const { output } = await run(analyze(asked), "={{ $json.choices[0].message.content }}", {});
    expect(output).toEqual({ u: "A dog" });
    expect(story.asked()[0]?.body).toMatchObject({ model: "gpt-4o", max_tokens: 9 });
  });

  it("stay a placeholder where they are files that no step before has got", async () => {
    const reason = "it shows the model a picture, and where that stands is not sure";
    expect(await reasonOf(analyze({ inputType: "base64" }))).toEqual([reason]);
  });
});

describe("GraphQL of n8n", () => {
  const graphql = (more: JsonObject) =>
    n8nNode("App", "graphql", { endpoint: "https://api.test/graphql", ...more }, { typeVersion: 1 });

  it("sends a query with variables, and hands on the answer", async () => {
    story.answer({ data: { user: "Ann" } });
    const parameters = { requestFormat: "json", query: "query($n: ID) { u }", variables: '={ "n": "{{ $json.n }}" }' };
    const { output } = await run(graphql(parameters), "={{ $json.data.user }}", { n: "7" });
    expect([output, story.asked()]).toEqual([
      { u: "Ann" },
      [
        {
          ...{ method: "POST", url: "https://api.test/graphql" },
          body: { query: "query($n: ID) { u }", variables: { n: "7" }, operationName: null },
        },
      ],
    ]);
  });

  it("asks by GET, and fails where the answer has errors", async () => {
    story.answer({ errors: [{ message: "no such field" }] });
    const { status, error } = await run(graphql({ requestMethod: "GET", query: "={ a{{ $json.n }} }" }), "x", { n: 1 });
    expect([status, String(error)]).toEqual(["failed", expect.stringContaining("no such field")]);
    expect(decodeURIComponent(story.asked()[0]?.url ?? "")).toBe("https://api.test/graphql?query={+a1+}");
  });

  it("stays a placeholder where its answer is a text", async () => {
    expect(await reasonOf(graphql({ query: "{ a }", responseFormat: "string" }))).toEqual([
      "it hands on its answer as a text",
    ]);
  });
});

describe("Pipedrive of n8n", () => {
  const pipedrive = (parameters: JsonObject) => n8nNode("App", "pipedrive", parameters, { typeVersion: 1 });

  it("writes a note with the token in the address, and hands on its data", async () => {
    story.answer({ success: true, data: { id: 5 } });
    const note = { resource: "note", content: "={{ $json.text }}", additionalFields: { org_id: "={{ $json.org }}" } };
    const { output } = await run(pipedrive(note), "={{ $json.id }}", { text: "Hi", org: 3 });
    expect(output).toEqual({ u: "5" });
    const [asked] = story.asked();
    expect([decodeURIComponent(asked?.url ?? ""), asked?.body]).toEqual([
      "https://api.pipedrive.com/v1/notes?api_token=secret of pipedrive",
      { content: "Hi", org_id: 3 },
    ]);
  });

  it("searches persons, and what follows runs once for each that it finds", async () => {
    story.answer({ success: true, data: { items: [{ result_score: 0.5, item: { id: 1 } }] } });
    const search = {
      resource: "person",
      operation: "search",
      term: "={{ $json.mail }}",
      additionalFields: { fields: "email" },
    };
    const { output } = await run(pipedrive(search), "={{ $json.id }} {{ $json.result_score }}", { mail: "a@b.c" });
    expect(output).toMatchObject({ items: [{ output: { u: "1 0.5" } }] });
    expect(story.asked()[0]?.url).toContain("term=a%40b.c&limit=100&fields=email");
  });

  it("fails where Pipedrive says that there was no success", async () => {
    story.answer({ success: false, error: "gone" });
    const { status, error } = await run(pipedrive({ resource: "person", operation: "get", personId: 4 }), "x", {});
    expect([status, String(error)]).toEqual(["failed", expect.stringContaining("gone")]);
  });

  it("stays a placeholder where it sets fields of one's own, and not where an owner is left open", async () => {
    const customProperties = { property: [{ name: "a", value: "b" }] };
    const own = { resource: "person", name: "Ann", additionalFields: { customProperties } };
    expect(await reasonOf(pipedrive(own))).toEqual(["it sets fields of one's own"]);
    expect(await reasonOf(pipedrive({ title: "Deal", additionalFields: {} }))).toContain(
      "It becomes requests to the API of Pipedrive.",
    );
  });
});

describe("X, OpenWeatherMap, Hunter and Clearbit of n8n", () => {
  it("write a post, and hand on its data", async () => {
    story.answer({ data: { id: "1", text: "Hi Ann" } });
    const reply = rl("https://x.com/ann/status/55", "url");
    const node = n8nNode(
      "App",
      "twitter",
      { text: "=Hi {{ $json.who }}", additionalFields: { inReplyToStatusId: reply } },
      { typeVersion: 2 },
    );
    const { output } = await run(node, "={{ $json.id }}", { who: "Ann" });
    expect([output, story.asked()]).toEqual([
      { u: "1" },
      [
        {
          ...{ method: "POST", url: "https://api.twitter.com/2/tweets", authorization: "Bearer secret of x" },
          body: { text: "Hi Ann", reply: { in_reply_to_tweet_id: "55" } },
        },
      ],
    ]);
    const first = n8nNode("App", "twitter", { text: "Hi" }, { typeVersion: 1 });
    expect(await reasonOf(first)).toEqual(["its version 1 asks an API that X no longer has"]);
  });

  it("ask with the key in the address", async () => {
    story.answer({ main: { temp: 7 } }, { data: { status: "valid" } });
    const weather = n8nNode("App", "openWeatherMap", { cityName: "={{ $json.city }}", language: "de" });
    expect((await run(weather, "={{ $json.main.temp }}", { city: "Bonn" })).output).toEqual({ u: "7" });
    const hunter = n8nNode("App", "hunter", { operation: "emailVerifier", email: "a@b.c" });
    expect((await run(hunter, "={{ $json.status }}", {})).output).toEqual({ u: "valid" });
    const asked = story.asked().map(({ url }) => new URL(url));
    expect(asked.map((url) => [url.host + url.pathname, Object.fromEntries(url.searchParams)])).toEqual([
      [
        "api.openweathermap.org/data/2.5/weather",
        { APPID: "secret of openweathermap", units: "metric", q: "Bonn", lang: "de" },
      ],
      ["api.hunter.io/v2/email-verifier", { api_key: "secret of hunter", email: "a@b.c" }],
    ]);
  });

  it("look up a person and a company", async () => {
    story.answer({ id: "p" }, { id: "c" });
    const person = n8nNode("App", "clearbit", { resource: "person", email: "={{ $json.mail }}", additionalFields: {} });
    expect((await run(person, "={{ $json.id }}", { mail: "a@b.c" })).output).toEqual({ u: "p" });
    const company = n8nNode("App", "clearbit", { domain: "b.c", additionalFields: { companyName: "B" } });
    expect((await run(company, "={{ $json.id }}", {})).output).toEqual({ u: "c" });
    expect(story.asked().map(({ url }) => decodeURIComponent(url))).toEqual([
      "https://person-stream.clearbit.com/v2/people/find?email=a@b.c",
      "https://company-stream.clearbit.com/v2/companies/find?domain=b.c&company_name=B",
    ]);
  });
});
