import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { MapNode } from "./dify-context.ts";
import { toStep } from "./dify-context.ts";
import { selectorOf } from "./dify-document.ts";
import { pathOfFiles, requireFiles } from "./dify-files.ts";

const NOTE =
  "It reads addresses, data: URLs and files of a run. A file without text, such as a scan, fails it; Dify hands on an empty text. Spreadsheets, presentations, mails and e-books, which Dify reads, are not read here.";

/** Takes the text out of a file, or of each of several. Dify hands pages on as they are written. @throws NoEquivalent */
export const mapDocumentExtractor: MapNode = (node, context) => {
  const selector = selectorOf(node.data.variable_selector);
  if (selector === undefined) throw new NoEquivalent("it names no file");
  const isList = requireFiles(selector, context) === "list";
  const path = pathOfFiles(selector, context);
  const input = { [isList ? "files" : "file"]: path, html: "source" };
  return { ...toStep(node, context, "data.extractText", input), notes: [NOTE] };
};
