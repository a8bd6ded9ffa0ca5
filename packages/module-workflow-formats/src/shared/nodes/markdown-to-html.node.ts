import { OvenError } from "@oven/contract";
import { defineNode, done } from "@oven/module-registry";
import { micromark } from "micromark";
import { z } from "zod";

const MAX_CHARS = 100_000;
/** A line that begins with this much of lists, quotes and indents: each level is looked at again on each line. */
const TOO_DEEP = /^(?:[\s>]|[-+*]\s|\d{1,9}[.)]\s){60}/m;

export const markdownToHtmlNode = defineNode({
  id: "data.markdownToHtml",
  version: 1,
  title: "Markdown to HTML",
  synonyms: ["html", "markdown", "web page", "mail", "convert"],
  docs: [
    "Writes Markdown as CommonMark defines it as HTML: headings, lists, links, code and emphasis.",
    "",
    "HTML within the Markdown is shown as the text that it is, and links lead to http, https, mailto and relative addresses only, so what a model or a stranger wrote can be shown or sent.",
  ].join("\n"),
  category: "data",
  kind: "data",
  effect: "pure",
  isLocal: true,
  input: z.strictObject({
    markdown: z.string().max(MAX_CHARS).describe(`At most ${MAX_CHARS} characters`),
  }),
  output: z.strictObject({ html: z.string() }),
  run: async ({ input: { markdown } }) => {
    if (TOO_DEEP.test(markdown))
      throw new OvenError("MARKDOWN_TOO_DEEP", "The Markdown has a line with more levels than texts have", {
        path: "$.markdown",
      });
    return done({ html: micromark(markdown) });
  },
});
