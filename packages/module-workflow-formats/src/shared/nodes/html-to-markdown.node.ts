import { defineNode, done } from "@oven/module-registry";
import { NodeHtmlMarkdown } from "node-html-markdown";
import { z } from "zod";

const MAX_CHARS = 2_000_000;

export const htmlToMarkdownNode = defineNode({
  id: "data.htmlToMarkdown",
  version: 1,
  title: "HTML to Markdown",
  synonyms: ["html", "markdown", "web page", "text", "convert"],
  docs: [
    "Writes what HTML shows as Markdown: headings, lists, links, tables and emphasis.",
    "",
    "Scripts and styles are left out, and so are the elements of `ignore` with what they hold.",
  ].join("\n"),
  category: "data",
  kind: "data",
  effect: "pure",
  input: z.strictObject({
    html: z.string().max(MAX_CHARS).describe(`At most ${MAX_CHARS} characters`),
    ignore: z
      .array(z.string().regex(/^[A-Za-z][\w-]*$/))
      .max(100)
      .optional()
      .describe("Names of elements to leave out, such as `img`"),
  }),
  output: z.strictObject({ markdown: z.string() }),
  run: async ({ input: { html, ignore } }) =>
    done({ markdown: NodeHtmlMarkdown.translate(html, ignore === undefined ? {} : { ignore }) }),
});
