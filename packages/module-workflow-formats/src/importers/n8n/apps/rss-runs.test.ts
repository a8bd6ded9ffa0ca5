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

const feed = (parameters: JsonObject = {}, typeVersion = 1.1, more: JsonObject = {}) =>
  n8nNode("App", "rssFeedRead", { url: "=https://feeds.test/{{ $json.at }}", ...parameters }, { typeVersion, ...more });
const use = n8nNode("Use", "set", {
  assignments: { assignments: [{ name: "u", type: "string", value: "={{ JSON.stringify($json) }}" }] },
});
const run = (node: JsonObject) => story.run(chainOf(called("Start"), node, use), { at: "news" });
const entriesOf = (output: Json): Json[] => {
  const { items } = output as { items: { output: { u: string } }[] }; // cast: what a list of rounds hands on
  return items.map(({ output: { u } }) => JSON.parse(u));
};

/** The entries of a feed, one for each item that follows. */
async function read(body: string, type = "application/rss+xml"): Promise<Json[]> {
  story.answerText(type, body);
  const { status, error, output } = await run(feed());
  expect([status, error]).toEqual(["completed", null]);
  return entriesOf(output);
}

const RSS = `<?xml version="1.0" encoding="UTF-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
<channel><title>News</title><link>https://e.test</link><description>All</description>
<item>
  <title>Bread &amp; <![CDATA[<butter>]]></title>
  <link>https://e.test/1</link>
  <description><![CDATA[<p>Caf&eacute;&nbsp;opens</p><p>It&#8217;s &hellip; &lt;new&gt;</p>]]></description>
  <content:encoded><![CDATA[<h1>Long</h1><ul><li>one</li><li>two</li></ul>]]></content:encoded>
  <author>ann@e.test</author>
  <dc:creator>Ann</dc:creator>
  <category>Food</category>
  <category domain="https://e.test/tags">Town</category>
  <guid isPermaLink="false">id-1</guid>
  <pubDate>Sat, 07 Sep 2002 02:00:01 +0200</pubDate>
  <enclosure url="https://e.test/1.mp3" length="12" type="audio/mpeg"/>
  <comments>https://e.test/1#c</comments>
</item>
<item><title>Plain</title><description>No tags</description><guid>https://e.test/2</guid><pubDate>Mon, 01 Jan 2024 10:00:00 EST</pubDate></item>
<item><title>When</title><pubDate>some day</pubDate></item>
</channel></rss>`;

describe("feeds of RSS 2.0", () => {
  it("become an item for each entry", async () => {
    expect(await read(RSS)).toEqual([
      {
        ...{ title: "Bread & <butter>", link: "https://e.test/1", guid: "id-1", comments: "https://e.test/1#c" },
        ...{ author: "ann@e.test", creator: "Ann", "dc:creator": "Ann" },
        ...{ pubDate: "Sat, 07 Sep 2002 02:00:01 +0200", isoDate: "2002-09-07T00:00:01.000Z" },
        content: "<p>Caf&eacute;&nbsp;opens</p><p>It&#8217;s &hellip; &lt;new&gt;</p>",
        contentSnippet: "Caf\u00e9\u00a0opens\nIt\u2019s \u2026 <new>",
        "content:encoded": "<h1>Long</h1><ul><li>one</li><li>two</li></ul>",
        "content:encodedSnippet": "Long\n\none\ntwo",
        categories: ["Food", { $: { domain: "https://e.test/tags" }, _: "Town" }],
        enclosure: { url: "https://e.test/1.mp3", length: "12", type: "audio/mpeg" },
      },
      {
        ...{ title: "Plain", content: "No tags", contentSnippet: "No tags", guid: "https://e.test/2" },
        ...{ pubDate: "Mon, 01 Jan 2024 10:00:00 EST", isoDate: "2024-01-01T15:00:00.000Z" },
      },
      { title: "When", pubDate: "some day" },
    ]);
    const [headers] = story.headers();
    expect(story.asked()).toEqual([{ method: "GET", url: "https://feeds.test/news" }]);
    expect([headers?.["user-agent"], headers?.accept]).toEqual(["rss-parser", "application/rss+xml"]);
  });

  it("have what podcasts say, where the feed is one", async () => {
    const show = `<rss version="2.0" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"><channel>
<item><title>A</title><itunes:duration>61</itunes:duration><itunes:image href="https://e.test/a.png"/></item></channel></rss>`;
    expect(await read(show, "text/xml")).toEqual([
      { title: "A", itunes: { duration: "61", image: "https://e.test/a.png" } },
    ]);
  });
});

describe("feeds of Atom", () => {
  it("become an item for each entry", async () => {
    const atom = `<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom"><title>Log</title><id>tag:e.test,2003:3</id><updated>2005-07-31T12:29:29Z</updated>
<entry>
  <title type="html">Draft &lt;b&gt;7&lt;/b&gt;</title>
  <link rel="enclosure" type="audio/mpeg" href="https://e.test/a.mp3"/>
  <link rel="alternate" type="text/html" href="https://e.test/a"/>
  <id>tag:e.test,2003:3.2397</id>
  <updated>2005-07-31T12:29:29Z</updated>
  <published>2003-12-13T08:29:29-04:00</published>
  <author><name>Mark</name><uri>https://e.test/</uri></author>
  <category term="spec"/>
  <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Up <i>now</i></p><p>A &amp; B</p></div></content>
</entry>
<entry><title>Note</title><link href="https://e.test/b"/><id>b</id><updated>2005-08-01T00:00:00Z</updated><summary>Short</summary></entry>
</feed>`;
    const xhtml =
      '<div type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>Up <i>now</i></p><p>A &amp; B</p></div></div>';
    expect(await read(atom, "application/atom+xml")).toEqual([
      {
        ...{ title: "Draft <b>7</b>", link: "https://e.test/a", id: "tag:e.test,2003:3.2397", author: "Mark" },
        ...{ pubDate: "2003-12-13T12:29:29.000Z", isoDate: "2003-12-13T12:29:29.000Z" },
        ...{ content: xhtml, contentSnippet: "Up now\nA & B" },
      },
      {
        ...{ title: "Note", link: "https://e.test/b", id: "b", summary: "Short" },
        ...{ pubDate: "2005-08-01T00:00:00.000Z", isoDate: "2005-08-01T00:00:00.000Z" },
      },
    ]);
  });
});

describe("RSS Read of n8n", () => {
  it("reads the feeds of RSS 1.0 and 0.91", async () => {
    const rdf = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel rdf:about="c"><title>C</title></channel>
<item rdf:about="i1"><title>One</title><link>https://e.test/1</link></item></rdf:RDF>`;
    expect(await read(rdf)).toEqual([{ title: "One", link: "https://e.test/1", "rdf:about": "i1" }]);
    const old = `<rss version="0.91"><channel><title>C</title><item><title>Old</title></item></channel></rss>`;
    expect(await read(old)).toEqual([{ title: "Old" }]);
  });

  it("fails where the answer is no feed", async () => {
    story.answerText("text/html", "<html><body></body></html>");
    const { status, error } = await run(feed({ url: "https://feeds.test/page" }));
    expect([status, JSON.stringify(error)]).toEqual(["failed", expect.stringContaining("Feed not recognized")]);
  });

  it("asks again where it is set to", async () => {
    story.fail(503);
    story.answerText("text/plain", "away");
    story.answerText("application/rss+xml", RSS);
    const again = { retryOnFail: true, maxTries: 2, waitBetweenTries: 0 };
    const { output } = await run(feed({ url: "https://feeds.test/a" }, 1.1, again));
    expect([entriesOf(output).length, story.asked().length]).toEqual([3, 2]);
  });

  it("stays a placeholder where it does what is not done here", async () => {
    const reasonOf = async (...nodes: JsonObject[]) => {
      const { report } = await story.preview(chainOf(called("Start"), ...nodes));
      return report.elements.find(({ name }) => name === "App")?.notes;
    };
    expect(await reasonOf(feed({ options: { ignoreSSL: true } }))).toEqual([
      "it calls a server without a valid certificate",
    ]);
    expect(await reasonOf(feed({ options: { customFields: "media:group" } }))).toEqual([
      "its setting options.customFields has no equal here",
    ]);
    const list = n8nNode("List", "splitOut", { fieldToSplitOut: "feeds" }, { typeVersion: 1 });
    const ofEach = feed({ url: "={{ $json.feeds }}" }, 1);
    expect(await reasonOf(list, ofEach, use)).toEqual(["it runs once, for the first item of a list"]);
  });
});
