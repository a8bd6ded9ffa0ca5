import { defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import { HTML_TAKES, takeValues } from "../html/take-values.ts";

const MAX_CHARS = 2_000_000;

const tidyText = (trim: boolean, oneLine: boolean) => (text: string) => {
  const trimmed = trim || oneLine ? text.trim() : text;
  return oneLine ? trimmed.replace(/[\r\n]/g, "").replace(/\s+/g, " ") : trimmed;
};

const ValueSchema = z.strictObject({
  name: z.string().min(1).max(200).describe("What it is called in the output"),
  selector: z.string().min(1).max(2_000).describe("A CSS selector, such as `article > h2.title`"),
  take: z
    .enum(HTML_TAKES)
    .default("text")
    .describe(
      "`text` of all elements that are found, as it is written; of the first one: `readable` text in paragraphs and lines of at most 80 characters, the `html` within it, an `attribute`, or the `value` of a field of a form",
    ),
  attribute: z.string().max(200).optional().describe("The name of the attribute to take"),
  leaveOut: z
    .array(z.string().min(1).max(2_000))
    .max(100)
    .optional()
    .describe("Selectors of elements that a readable text leaves out, such as `nav`"),
  all: z.boolean().optional().describe("A list with a value for each element that is found"),
});

export const extractHtmlNode = defineNode({
  id: "data.extractHtml",
  version: 1,
  title: "Extract from HTML",
  synonyms: ["html", "css", "selector", "scrape", "web page", "extract"],
  docs: [
    "Takes values out of HTML by CSS selectors: texts, attributes, HTML and values of forms.",
    "",
    "The HTML is read as a browser reads it, so that a table has a `tbody`; nothing in it is run or loaded. A value that is not found, or is an empty text, is null, and a readable one an empty text.",
  ].join("\n"),
  category: "data",
  kind: "data",
  effect: "pure",
  isLocal: true,
  input: z.strictObject({
    html: z.string().max(MAX_CHARS).describe(`At most ${MAX_CHARS} characters`),
    values: z.array(ValueSchema).min(1).max(200),
    trim: z.boolean().default(false).describe("Without spaces and line breaks at both ends"),
    oneLine: z
      .boolean()
      .default(false)
      .describe("Also without line breaks within, and with one space where there are several"),
  }),
  output: z.strictObject({
    values: z.record(z.string(), z.union([z.string(), z.null(), z.array(z.union([z.string(), z.null()]))])),
  }),
  run: async ({ input: { html, values, trim, oneLine } }) =>
    done({ values: takeValues(html, values, { maxChars: MAX_CHARS, tidy: tidyText(trim, oneLine) }) }),
});
