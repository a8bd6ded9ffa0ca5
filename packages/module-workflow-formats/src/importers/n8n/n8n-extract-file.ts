import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { type MapNode, toStep } from "./n8n-context.ts";
import type { N8nNode } from "./n8n-document.ts";
import { nameIn } from "./n8n-set.ts";

/** Whether a node takes something out of files. */
export const readsFiles = ({ type }: N8nNode): boolean => type === "extractFromFile" || type === "readPDF";

const NOTES = [
  "Its text is that of the PDF; how many pages it has and what it says of itself is not handed on. Line breaks may stand at other places.",
  "A PDF without text, such as a scan, fails it, where n8n hands on an empty text. A file that a request has fetched may have 2 MiB.",
];

/** Takes the text out of a PDF that comes in. @throws NoEquivalent for other kinds of files, and one that does not stand in a run */
export const mapExtractFile: MapNode = (node, context) => {
  const { operation = "csv", options, binaryPropertyName = "data" } = node.parameters;
  if (node.type === "extractFromFile" && operation !== "pdf")
    throw new NoEquivalent(`it takes ${String(operation)} out of a file, which nothing here does as n8n does it`);
  const [given] = Object.keys(isObject(options) ? options : {});
  if (given !== undefined) throw new NoEquivalent(`its option ${given} has no equal here`);
  if (node.parameters.encrypted === true) throw new NoEquivalent("it opens files with a password");
  const name = typeof binaryPropertyName === "string" ? nameIn(binaryPropertyName) : "=";
  if (name.startsWith("=")) throw new NoEquivalent("which file it reads is computed");
  const file = context.fileOf(name);
  if (file === undefined)
    throw new NoEquivalent(`the file ${name}, which it reads, comes from a step that hands on no files here`);
  return { ...toStep(node, context, "data.extractText", { file, betweenPages: "\n\n" }), notes: NOTES };
};
