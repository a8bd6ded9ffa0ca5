import { defineTrigger } from "@oven/module-registry";
import { FEED_SAMPLE, FeedConfigSchema } from "../feed/feed-config.ts";
import { lookAtFeed } from "../feed/look-at-feed.ts";

export const feedTrigger = defineTrigger({
  id: "feed",
  title: "RSS or Atom feed",
  docs: "Starts for each new entry of a feed. What arrives is {id, title, link, description, publishedAt, feed}.",
  config: FeedConfigSchema,
  sample: FEED_SAMPLE,
  arriving: Object.keys(FEED_SAMPLE),
  clock: {
    isSlow: true,
    first: (_config, after) => after,
    fire: lookAtFeed,
  },
});
