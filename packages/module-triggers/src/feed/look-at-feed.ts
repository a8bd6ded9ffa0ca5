import type { JsonObject } from "@oven/contract";
import { decodeText } from "@oven/contract/text";
import type { Firing, FiringContext } from "@oven/module-registry";
import { z } from "zod";
import type { FeedConfig } from "./feed-config.ts";
import { type FeedEntry, readFeed } from "./read-feed.ts";

const MAX_FEED_BYTES = 5 * 1_048_576;
/** Entries of one look; the others come at the next one, a second later. */
const MOST_AT_ONCE = 100;
const MAX_RETRY_SECONDS = 86_400;

const StateSchema = z.looseObject({
  /** Entries of the feed as it was, by their hashes; absent: it was not looked at yet. */
  seen: z.array(z.string()).optional(),
  etag: z.string().optional(),
  lastModified: z.string().optional(),
});
type State = z.output<typeof StateSchema>;

/** Fetches a feed, if it has changed, and hands over what is new in it, the oldest first. */
export async function lookAtFeed(context: FiringContext<FeedConfig>): Promise<Firing> {
  const { config, now, services, signal } = context;
  const { lastError: _, ...known } = StateSchema.parse(context.state);
  const response = await services.outbound.fetch(config.url, {
    headers: {
      accept: "application/atom+xml, application/rss+xml, application/xml;q=0.9, text/xml;q=0.8, */*;q=0.1",
      ...(known.etag === undefined ? {} : { "if-none-match": known.etag }),
      ...(known.lastModified === undefined ? {} : { "if-modified-since": known.lastModified }),
    },
    maxBytes: MAX_FEED_BYTES,
    signal,
  });
  const next = new Date(now.getTime() + config.everySeconds * 1_000);
  if (!response.ok) {
    await response.body?.cancel();
    if (response.status === 304) return { arrivals: [], next, state: known as JsonObject }; // cast: parsed from JSON
    return { arrivals: [], next: later(next, response, now), state: failed(known, response.status) };
  }
  const bytes = new Uint8Array(await response.arrayBuffer());
  const { text } = decodeText(bytes, { contentType: response.headers.get("content-type"), what: "The feed" });
  return arrivalsOf(readFeed(text), known, { config, next, now, headers: response.headers });
}

function arrivalsOf(
  entries: readonly FeedEntry[],
  known: State,
  { config, next, now, headers }: { config: FeedConfig; next: Date; now: Date; headers: Headers },
): Firing {
  const isFirst = known.seen === undefined;
  const seen = new Set(known.seen);
  const unknown = entries.filter(({ hash }) => !seen.has(hash)).reverse();
  const fresh = isFirst && config.existing === "skip" ? [] : unknown;
  const taken = fresh.slice(0, MOST_AT_ONCE);
  const left = new Set(fresh.slice(MOST_AT_ONCE).map(({ hash }) => hash));
  const arrivals = taken.map(({ hash, payload }) => ({ key: `feed:${hash}`, payload }));
  const nowKnown = entries.map(({ hash }) => hash).filter((hash) => !left.has(hash));
  // Asked for as a whole again while something is left of it.
  if (left.size > 0) return { arrivals, next: new Date(now.getTime() + 1_000), state: { seen: nowKnown } };
  const etag = headers.get("etag");
  const lastModified = headers.get("last-modified");
  const state = {
    seen: nowKnown,
    ...(etag === null ? {} : { etag }),
    ...(lastModified === null ? {} : { lastModified }),
  };
  return { arrivals, next, state };
}

function failed(known: State, status: number): JsonObject {
  return { ...known, lastError: `The feed answered ${status}` } as JsonObject; // cast: parsed from JSON
}

/** As late as the server asks, in seconds or as a date. */
function later(next: Date, { headers }: Response, now: Date): Date {
  const asked = headers.get("retry-after") ?? "";
  const at = /^\d+$/.test(asked) ? now.getTime() + Number(asked) * 1_000 : Date.parse(asked);
  const latest = now.getTime() + MAX_RETRY_SECONDS * 1_000;
  return Number.isNaN(at) ? next : new Date(Math.min(latest, Math.max(next.getTime(), at)));
}
