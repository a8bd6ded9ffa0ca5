import { NoEquivalent } from "../../../importing/no-equivalent.ts";
import type { App } from "./app-steps.ts";
import { READ_FEED } from "./rss-code.ts";
import { READ_XML } from "./xml-code.ts";

/** What n8n sends with its requests for feeds. */
const HEADERS = { "user-agent": "rss-parser", accept: "application/rss+xml" };

/** The entries of a feed. Before version 1.1 only the first item that comes in is read. */
export const RSS: App = {
  title: "RSS",
  becomes: "It becomes a request for the feed, whose entries are read by JavaScript.",
  credential: "none",
  secret: "none",
  plan: (given) => {
    const url = String(given.need("url"));
    if (given.group("options").flag("ignoreSSL"))
      throw new NoEquivalent("it calls a server without a valid certificate");
    const read = "return $input.all().flatMap((item) => feedItems(item.json.data));";
    return {
      isOnce: given.version < 1.1,
      steps: [
        { what: "request", method: "GET", url, headers: HEADERS, answer: "text", timeoutMs: 60_000 },
        { code: [READ_XML, READ_FEED, read].join("\n"), isList: true },
      ],
      notes: ["`contentSnippet` has names of rarer characters, such as `&alpha;`, as the feed has them."],
    };
  },
};
