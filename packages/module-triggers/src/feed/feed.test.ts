import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { startTriggers, type TestClock, type TestTriggers } from "../triggers/testing/start-triggers.ts";
import { readFeed } from "./read-feed.ts";

const MINUTE = 60_000;

/** An RSS feed with entries by their numbers, the newest first. */
const rss = (...numbers: number[]) => `<?xml version="1.0"?>
<rss version="2.0"><channel><title>News &amp; more</title><link>https://news.example/</link>${numbers
  .toReversed()
  .map(
    (n) => `<item><guid>post-${n}</guid><title>Post ${n}</title><link>https://news.example/${n}</link>
      <description><![CDATA[<p>Text ${n}</p>]]></description><pubDate>Fri, 23 Oct 2026 12:00:0${n % 10} GMT</pubDate></item>`,
  )
  .join("")}</channel></rss>`;

describe("a feed", () => {
  const clock: TestClock = { now: new Date("2026-10-23T12:00:00Z") };
  /** What the server says next, and what it was asked with. */
  const site = { body: rss(1, 2), status: 200, headers: {} as Record<string, string>, asked: [] as unknown[] };
  let server: Server;
  let triggers: TestTriggers;
  let workflowId: number;
  let url: string;
  beforeAll(async () => {
    server = createServer((request, response) => {
      site.asked.push(request.headers["if-none-match"]);
      const etag = `"${site.body.length}-${site.body.split("<item>").length}"`;
      const isKnown = site.status === 200 && request.headers["if-none-match"] === etag;
      response.writeHead(isKnown ? 304 : site.status, { etag, "content-type": "application/rss+xml", ...site.headers });
      response.end(isKnown ? undefined : site.body);
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`; // cast: it listens on a port
    url = `${origin}/feed.xml`;
    triggers = await startTriggers(clock, undefined, { outboundAllow: [origin] });
    workflowId = await triggers.workflow("News");
  });
  afterEach(async () => {
    Object.assign(site, { body: rss(1, 2), status: 200, headers: {}, asked: [] });
    const { body } = await triggers.oven.call("GET", "triggers");
    for (const { id } of body) await triggers.oven.call("DELETE", `triggers/${id}`);
  });
  afterAll(async () => {
    await triggers.stop();
    server.close();
  });

  const make = async (config: object = {}) =>
    (
      await triggers.make({
        type: "feed",
        name: "News",
        target: { kind: "workflow", workflowId },
        config: { url, everySeconds: 60, ...config },
      })
    ).id;
  const pass = async (milliseconds: number) => {
    clock.now = new Date(clock.now.getTime() + milliseconds);
    await triggers.tick();
  };
  const titles = async (id: number) =>
    (await triggers.deliveries(id)).map(({ payload }) => (payload as { title: string }).title); // cast: an entry

  it("starts nothing for what is there, then one run for each new entry, the oldest first", async () => {
    const id = await make();
    await pass(0);
    expect(await titles(id)).toEqual([]);
    site.body = rss(1, 2, 3, 4);
    await pass(MINUTE - 1);
    expect(await titles(id)).toEqual([]);
    await pass(1);
    expect(await titles(id)).toEqual(["Post 3", "Post 4"]);
    expect((await triggers.deliveries(id))[0]).toMatchObject({
      decision: "started",
      payload: {
        id: "post-3",
        link: "https://news.example/3",
        description: "<p>Text 3</p>",
        publishedAt: "2026-10-23T12:00:03.000Z",
        feed: { title: "News & more", link: "https://news.example/" },
      },
    });
    // An entry that is gone and comes again is known.
    site.body = rss(4);
    await pass(MINUTE);
    site.body = rss(3, 4, 5);
    await pass(MINUTE);
    expect(await titles(id)).toEqual(["Post 3", "Post 4", "Post 5"]);
  });

  it("is asked whether it has changed, and is not read again when it has not", async () => {
    const id = await make({ existing: "take" });
    await pass(0);
    expect(await titles(id)).toEqual(["Post 1", "Post 2"]);
    await pass(MINUTE);
    await pass(MINUTE);
    expect(site.asked.map((etag) => typeof etag)).toEqual(["undefined", "string", "string"]);
    expect(await titles(id)).toHaveLength(2);
  });

  it("hands over many entries in several looks", async () => {
    const id = await make({ existing: "take" });
    site.body = rss(...Array.from({ length: 150 }, (_, n) => n));
    await pass(0);
    expect(await titles(id)).toHaveLength(100);
    await pass(1_000);
    expect(await titles(id)).toEqual(Array.from({ length: 150 }, (_, n) => `Post ${n}`));
  });

  it("says what is wrong, comes as late as it is asked to, and goes on with what it knew", async () => {
    const id = await make();
    await pass(0);
    Object.assign(site, { status: 503, headers: { "retry-after": "300" } });
    await pass(MINUTE);
    const trigger = async () => (await triggers.oven.call("GET", `triggers/${id}`)).body;
    expect(await trigger()).toMatchObject({
      lastError: "The feed answered 503",
      dueAt: new Date(clock.now.getTime() + 5 * MINUTE).toISOString(),
    });
    Object.assign(site, { status: 200, headers: {}, body: "<html><body>Our news</body></html>" });
    await pass(5 * MINUTE);
    expect((await trigger()).lastError).toContain("neither RSS nor Atom");
    site.body = rss(1, 2, 3);
    await pass(MINUTE);
    expect(await titles(id)).toEqual(["Post 3"]);
    expect((await trigger()).lastError).toBeNull();
  });

  it("is refused where outbound calls may not go", async () => {
    const id = await make({ url: "http://169.254.169.254/latest" });
    await pass(0);
    expect((await triggers.oven.call("GET", `triggers/${id}`)).body.lastError).toContain("169.254.169.254");
    const { status } = await triggers.oven.call("POST", "triggers", {
      type: "feed",
      name: "x",
      target: { kind: "workflow", workflowId },
      config: { url: "file:///etc/passwd" },
    });
    expect(status).toBe(400);
  });
});

describe("reading feeds", () => {
  it("takes Atom, and entries without an id by their link", () => {
    const entries = readFeed(`<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title><entry><id>urn:1</id>
      <title>One</title><link href="https://a.example/1"/><summary>Short</summary><updated>2026-01-02T03:04:05Z</updated></entry>
      <entry><title>Two</title><link href="https://a.example/2"/></entry></feed>`);
    expect(entries.map(({ payload }) => [payload.id, payload.title, payload.link, payload.publishedAt])).toEqual([
      ["urn:1", "One", "https://a.example/1", "2026-01-02T03:04:05.000Z"],
      [null, "Two", "https://a.example/2", null],
    ]);
    expect(new Set(entries.map(({ hash }) => hash)).size).toBe(2);
  });

  it("expands no entity that the document declares, and is not brought down by depth", () => {
    const bomb = `<!DOCTYPE rss [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>
      <rss><channel><item><guid>1</guid><title>&b;&x;</title></item></channel></rss>`;
    expect(readFeed(bomb)[0]?.payload.title).toBe("&b;&x;");
    const deep = `<rss><channel><item><title>${"<a>".repeat(200_000)}`;
    expect(() => readFeed(deep)).toThrow("nested too deeply");
  });
});
