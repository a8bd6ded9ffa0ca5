import { OvenError } from "@oven/contract";
import { type DocumentWarning, RecognizeTextSchema } from "@oven/contract/ai";
import { GivenFileSchema } from "@oven/contract/run";
import { checkGiven, defineNode, done } from "@oven/module-registry";
import { z } from "zod";
import { readGivenFile } from "./given-file.ts";

const MOST_FILES = 20;
const MOST_BYTES = 20_971_520;
/** Characters of JSON; what a step hands on may have little more. */
const MOST_OUTPUT = 4_000_000;

const FILE =
  "An address (http or https), a `data:` URL, a reference of stored content, or a file of a webhook, a form or a mail (`{filename, blob}`)";

export const extractTextNode = defineNode({
  id: "data.extractText",
  version: 1,
  title: "Extract text",
  synonyms: ["file", "document", "pdf", "word", "docx", "csv", "attachment", "parse", "read", "ocr", "scan"],
  docs: [
    "Takes the text out of files: PDF, Word (.docx), HTML, Markdown, CSV and any other text such as JSON or XML. `file` gives `text`, `files` gives `texts` in the same order.",
    "",
    "What a file is its first bytes say, else the ending of its name, else its content type. Pages of a PDF are parted by `betweenPages`. Of a Word document the paragraphs are lines and tables are Markdown; headers, footers, notes and comments are left out. CSV becomes a table in Markdown, HTML becomes Markdown.",
    "",
    "At most 20 files of 20 MiB each. A PDF of scanned pages has no text and is the error DOCUMENT_EMPTY, unless `recognizeText` reads it; `warnings` names pages without text in others. Spreadsheets and files of Office from before 2007 are DOCUMENT_TYPE_UNKNOWN.",
    "",
    "Files are written by others: mark what models get of them as untrusted, or put it into a message of its own.",
  ].join("\n"),
  category: "data",
  kind: "data",
  // What stands in an address reaches its host.
  effect: "idempotent",
  tags: ["outside-content", "outbound"],
  firstFields: ["file", "files"],
  input: z
    .strictObject({
      file: GivenFileSchema.optional().describe(FILE),
      files: z.array(GivenFileSchema).max(MOST_FILES).optional().describe(`Several of them, at most ${MOST_FILES}`),
      maxCharacters: z
        .int()
        .min(1)
        .max(MOST_OUTPUT)
        .optional()
        .describe(
          "How much of each text is handed on; absent: all of it. `truncated` says whether something is missing",
        ),
      html: z
        .enum(["markdown", "source"])
        .default("markdown")
        .describe("Whether a page becomes Markdown, or is handed on as it is written"),
      betweenPages: z.string().max(20).default("\f").describe("What stands between the pages of a PDF: a form feed"),
      recognizeText: z
        .boolean()
        .default(false)
        .describe(
          "Whether pages of a PDF that have no text, such as scans, are read by text recognition, some seconds a page",
        ),
      languages: RecognizeTextSchema.shape.languages.describe(
        "With `recognizeText`: languages of the pages, `eng` (English), `deu` (German) or both",
      ),
    })
    .refine(...checkGiven((has) => has("file") !== has("files"), "give either `file` or `files`")),
  output: z.strictObject({
    text: z.string().nullable().describe("Of `file`"),
    texts: z.array(z.string()).describe("Of `files`"),
    truncated: z.boolean(),
    warnings: z.array(z.string()).describe("What of the files is not in the texts"),
  }),
  async run(context) {
    const {
      file,
      files = [],
      maxCharacters = MOST_OUTPUT,
      html,
      betweenPages,
      recognizeText,
      languages,
    } = context.input;
    const texts: string[] = [];
    const warnings: string[] = [];
    let truncated = false;
    for (const [index, given] of (file === undefined ? files : [file]).entries()) {
      const read = await readGivenFile(context, given, MOST_BYTES);
      const asked = { ...read, html, recognition: recognizeText ? languages : null };
      const found = await context.services.documents.extract(asked, context.signal);
      const label = read.name ?? `File ${index + 1}`;
      warnings.push(...found.warnings.map((warning) => `${label}: ${toWords(warning)}`));
      const whole = found.mediaType === "application/pdf" ? found.text.replaceAll("\f", betweenPages) : found.text;
      const text = cut(whole, maxCharacters);
      truncated ||= text.length < whole.length;
      texts.push(text);
    }
    const size = JSON.stringify(texts).length;
    if (size > MOST_OUTPUT) throw tooMuch(size);
    for (const warning of warnings) context.log("warn", warning);
    const isOne = file !== undefined;
    return done({ text: isOne ? (texts[0] ?? "") : null, texts: isOne ? [] : texts, truncated, warnings });
  },
});

/** Not within a character that has two halves. */
function cut(text: string, characters: number): string {
  const end = /[\uD800-\uDBFF]/.test(text.charAt(characters - 1)) ? characters - 1 : characters;
  return text.slice(0, end);
}

function toWords(warning: DocumentWarning): string {
  const { count } = warning;
  switch (warning.kind) {
    case "pages-without-text":
      return `${count} of ${warning.of} pages have no text (${warning.pages.join(", ")})`;
    case "undecodable":
      return `${count} characters are no ${warning.charset} and stand as U+FFFD`;
    case "uncertain-text":
      return `text recognition is not certain of ${count} pages (${warning.pages.join(", ")})`;
    case "pages-not-recognized":
      return `${count} pages were not recognized: ${warning.reason} (${warning.pages.join(", ")})`;
  }
}

function tooMuch(size: number): OvenError {
  return new OvenError("DOCUMENT_TOO_LARGE", `The texts have ${size} characters, and a step hands on ${MOST_OUTPUT}`, {
    status: 422,
    fix: "Set `maxCharacters`, or read fewer files in one step",
    details: { limit: MOST_OUTPUT },
  });
}
