import type { JsonObject } from "@oven/contract";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AppStory, startApps } from "./testing/app-story.ts";
import { called, chainOf, n8nNode } from "./testing/n8n-documents.ts";

let story: AppStory;
beforeAll(async () => {
  story = await startApps();
});
afterAll(() => story.stop());

const use = (value: string) =>
  n8nNode("Use", "set", { assignments: { assignments: [{ name: "u", type: "string", value }] } });
const extract = (values: JsonObject[], more: JsonObject = {}, typeVersion = 1.2) =>
  n8nNode(
    "Page",
    "html",
    { operation: "extractHtmlContent", extractionValues: { values }, options: {}, ...more },
    { typeVersion },
  );
const HTML = `<h1>Offers</h1><nav>Menu</nav><table><tr class="row"><td>Cup<td><a href="/cup?a=1&amp;b=2">more</a>
  <tr class="row"><td>Big <b>mug</b><td><a>none</a></table><input value="7">`;

/** What a later step reads of the values, as JSON. */
const ran = async (node: JsonObject, input: JsonObject) => {
  const { status, output, error } = await story.run(
    chainOf(called("Start"), node, use("={{ $json.toJsonString() }}")),
    input,
  );
  return status === "completed" ? JSON.parse((output as { u: string }).u) : String(error);
};

// What is expected is what n8n's documentation says of the HTML node, and html-to-text and cheerio of theirs.
describe("Extract HTML Content of n8n", () => {
  it("takes texts, attributes, HTML and values, of the first element or of each", async () => {
    const values: JsonObject[] = [
      { key: "title", cssSelector: "h1" },
      { key: "names", cssSelector: "table > tbody > .row td:first-child", returnArray: true },
      { key: "more link", cssSelector: "a", returnValue: "attribute", attribute: "href" },
      { key: "links", cssSelector: "a", returnValue: "attribute", attribute: "href", returnArray: true },
      { key: "html", cssSelector: ".row:nth-of-type(2) td", returnValue: "html" },
      { key: "field", cssSelector: "input", returnValue: "value" },
    ];
    expect(await ran(extract(values, { dataPropertyName: "page.body" }), { page: { body: HTML } })).toEqual({
      ...{ title: "Offers", names: ["Cup", "Big mug"], "more link": "/cup?a=1&b=2", links: ["/cup?a=1&b=2", null] },
      ...{ html: "Big <b>mug</b>", field: "7" },
    });
  });

  it("lays out the text of the first element since its version 1.2, and puts all together before", async () => {
    const values = [{ key: "t", cssSelector: "li, body > p", skipSelectors: "i, .no" }];
    const data = "<p>One<br>two <i>not</i></p><ul><li>three</ul>";
    expect(await ran(extract(values), { data })).toEqual({ t: "One\ntwo" });
    expect(await ran(extract(values, {}, 1.1), { data })).toEqual({ t: "Onetwo notthree" });
  });

  it("tidies texts where it is asked to", async () => {
    const values = [{ key: "t", cssSelector: "b", returnValue: "html" }];
    const data = "<b> a\nb   c </b>";
    expect(await ran(extract(values), { data })).toEqual({ t: " a\nb   c " });
    expect(await ran(extract(values, { options: { trimValues: true } }), { data })).toEqual({ t: "a\nb   c" });
    expect(await ran(extract(values, { options: { cleanUpText: true } }), { data })).toEqual({ t: "ab c" });
  });

  it("reads a field whose name has a dot in its version 1, and so does the older node", async () => {
    const values = [{ key: "t", cssSelector: "b" }];
    const more = { dataPropertyName: "a.b" };
    expect(await ran(extract(values, more, 1), { "a.b": "<b>x</b>" })).toEqual({ t: "x" });
    const older = n8nNode("Page", "htmlExtract", { extractionValues: { values }, options: {} }, { typeVersion: 1 });
    expect(await ran(older, { data: "<b>x</b><b>y</b>" })).toEqual({ t: "xy" });
  });

  it("takes a selector that is computed, and the text that a request answered", async () => {
    story.reset();
    const asText = { response: { response: { responseFormat: "text" } } };
    const get = n8nNode("Get", "httpRequest", { url: "https://page.test/", options: asText }, { typeVersion: 4.2 });
    const values = [{ key: "t", cssSelector: "=.{{ $('Start').item.json.c }} > b" }];
    story.answer("<div class=x><b>found</b></div>");
    const { output } = await story.run(chainOf(called("Start"), get, extract(values), use("={{ $json.t }}")), {
      c: "x",
    });
    expect(output).toEqual({ u: "found" });
  });

  it("runs for each entry of a list, whose values are gathered", async () => {
    const list = n8nNode("List", "splitOut", { fieldToSplitOut: "pages", options: {} }, { typeVersion: 1 });
    const values = [{ key: "t", cssSelector: "b" }];
    const gather = n8nNode("All", "aggregate", { aggregate: "aggregateAllItemData", options: {} }, { typeVersion: 1 });
    const { output } = await story.run(
      chainOf(
        called("Start"),
        list,
        extract(values, { dataPropertyName: "pages" }),
        gather,
        use("={{ $json.data.toJsonString() }}"),
      ),
      { pages: ["<b>1</b>", "<b>2</b>"] },
    );
    expect(output).toEqual({ u: '[{"t":"1"},{"t":"2"}]' });
  });

  it.each<[string, JsonObject, string]>([
    ["a selector that only jQuery has", extract([{ key: "t", cssSelector: "li:eq(2)" }]), "is no CSS selector"],
    ["a file", extract([{ key: "t", cssSelector: "b" }], { sourceData: "binary" }), "it reads a file"],
    ["nothing to take", extract([]), "it takes no value"],
    ["no selector", extract([{ key: "t" }]), "it names no selector"],
    ["a name that is computed", extract([{ key: "={{ $json.k }}", cssSelector: "b" }]), "is computed"],
  ])("is a placeholder with %s", async (_, node, why) => {
    const { report } = await story.preview(chainOf(called("Start"), node));
    const page = report.elements.find(({ name }) => name === "Page");
    expect([page?.outcome, page?.notes.join()]).toEqual(["placeholder", expect.stringContaining(why)]);
  });

  it("is a placeholder where a list of HTML comes from the node before", async () => {
    const rows = extract([{ key: "rows", cssSelector: "tr", returnValue: "html", returnArray: true }]);
    const cells = { ...extract([{ key: "t", cssSelector: "td" }], { dataPropertyName: "rows" }), name: "Cells" };
    const { report } = await story.preview(chainOf(called("Start"), rows, cells));
    expect(report.elements.find(({ name }) => name === "Cells")?.notes).toEqual([
      "it hands on an item for each entry of a list of HTML",
    ]);
  });
});
