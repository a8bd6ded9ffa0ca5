import { OvenError } from "@oven/contract";
import { decodeText, isTextType, mediaTypeOf } from "@oven/contract/text";
import { defineTool, type ToolDefinition } from "@oven/module-registry";
import { NodeHtmlMarkdown } from "node-html-markdown";
import { z } from "zod";

const MAX_BYTES = 1_048_576;

const fetchPage = defineTool({
  id: "web.fetch",
  title: "Read a web page",
  description: "Reads a page on the public internet as text, without its pictures and scripts",
  input: z.strictObject({
    url: z.url({ protocol: /^https?$/ }).max(2_000),
    maxChars: z.int().min(200).max(100_000).default(20_000).describe("How much of the text"),
  }),
  output: z.strictObject({
    url: z.string(),
    status: z.int(),
    mediaType: z.string(),
    text: z.string(),
    truncated: z.boolean(),
    charset: z.string(),
    note: z.string().optional().describe("What could not be read"),
  }),
  // What stands in the address reaches whoever answers.
  effect: "idempotent",
  tags: ["outside-content", "outbound"],
  permission: "web.fetch",
  timeoutMs: 30_000,
  async run({ input: { url, maxChars }, services, signal }) {
    const headers = { accept: "text/html,text/plain,application/json;q=0.9,*/*;q=0.1" };
    const response = await services.outbound.fetch(url, { headers, signal, maxBytes: MAX_BYTES });
    const contentType = response.headers.get("content-type");
    const mediaType = mediaTypeOf(contentType);
    if (mediaType !== "" && !isTextType(mediaType)) {
      await response.body?.cancel();
      throw new OvenError("CONTENT_UNAVAILABLE", `${url} answers ${mediaType || "something"}, which is no text`, {
        status: 422,
        fix: "Read pages, text or JSON.",
      });
    }
    const bytes = new Uint8Array(await response.arrayBuffer());
    const { text: body, charset, malformed } = decodeText(bytes, { contentType, malformed: "mark", status: 422 });
    const text = toText(body, mediaType);
    return {
      url,
      status: response.status,
      mediaType,
      text: text.slice(0, maxChars),
      truncated: text.length > maxChars,
      charset,
      ...(malformed === 0 ? {} : { note: `${malformed} characters are no ${charset} and stand as \uFFFD in the text` }),
    };
  },
});

export const webTools: ToolDefinition[] = [fetchPage];

function toText(body: string, mediaType: string): string {
  if (mediaType !== "text/html" && mediaType !== "application/xhtml+xml") return body;
  return NodeHtmlMarkdown.translate(body, {
    ignore: ["script", "style", "noscript", "svg", "img", "iframe", "template"],
  });
}
