import { z } from "zod";

export const FeedConfigSchema = z.strictObject({
  url: z
    .url({ protocol: /^https?$/ })
    .max(2_000)
    .describe("Address of an RSS or Atom feed"),
  everySeconds: z.int().min(60).max(86_400).default(900),
  existing: z.enum(["skip", "take"]).default("skip").describe("Entries that were there when the trigger was saved"),
});
export type FeedConfig = z.output<typeof FeedConfigSchema>;

export const FEED_SAMPLE = {
  id: "https://example.com/posts/1",
  title: "A new release",
  link: "https://example.com/posts/1",
  description: "What is new.",
  publishedAt: "2026-01-01T09:00:00.000Z",
  feed: { title: "Example", link: "https://example.com/" },
};
