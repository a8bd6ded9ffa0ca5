import { createHash } from "node:crypto";
import type { Json, JsonObject } from "@oven/contract";
import { getFeed } from "htmlparser2";
import { parseXml } from "../xml/parse-xml.ts";

/** Of one feed that are looked at, the first ones in it: those are the newest. */
const MAX_ENTRIES = 500;
const MAX_TEXT_CHARACTERS = 100_000;

export interface FeedEntry {
  /** Tells it from the others of the feed, in every look at it. */
  hash: string;
  payload: JsonObject;
}

/**
 * The entries of RSS 0.9 to 2.0, RDF or Atom, in the order of the feed. Entities that a document declares itself are not expanded.
 * @throws Error when it is none
 */
export function readFeed(text: string): FeedEntry[] {
  const feed = getFeed(parseXml(text));
  if (feed === null)
    throw new Error(
      "What was answered is neither RSS nor Atom. Give the address of the feed itself, not of the page that links to it.",
    );
  const of = { title: cut(feed.title), link: cut(feed.link) };
  return feed.items.slice(0, MAX_ENTRIES).map(({ id, title, link, description, pubDate }) => {
    const payload = {
      id: cut(id),
      title: cut(title),
      link: cut(link),
      description: cut(description),
      publishedAt: pubDate === undefined || Number.isNaN(pubDate.getTime()) ? null : pubDate.toISOString(),
      feed: of,
    };
    const identity: Json = id ?? link ?? [payload.title, payload.publishedAt, payload.description];
    return { hash: createHash("sha256").update(JSON.stringify(identity)).digest("base64url"), payload };
  });
}

function cut(text: string | undefined): string | null {
  return text === undefined ? null : text.slice(0, MAX_TEXT_CHARACTERS);
}
