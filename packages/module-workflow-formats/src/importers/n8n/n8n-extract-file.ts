import type { Json } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { type MapNode, type Mapped, type N8nContext, toStep } from "./n8n-context.ts";
import type { N8nNode } from "./n8n-document.ts";
import { nameIn } from "./n8n-set.ts";

/** Whether a node takes something out of files. */
const readsFiles = ({ type }: N8nNode): boolean => type === "extractFromFile" || type === "readPDF";

const NOTES = [
  "Its text is that of the PDF; how many pages it has and what it says of itself is not handed on. Line breaks may stand at other places.",
  "A PDF without text, such as a scan, fails it, where n8n hands on an empty text. A file that a request has fetched may have 2 MiB.",
];

/** n8n's own name of it, and how it is spelled there. */
const TO_BASE64 = "binaryToPropery";

/** Whether a node hands on the text of a PDF, and nothing else of it. */
export const takesTextOnly = (node: N8nNode): boolean => readsFiles(node) && node.parameters.operation !== TO_BASE64;

/**
 * Takes the text out of a PDF that comes in, or hands on what a request has fetched as base64.
 * @throws NoEquivalent for other kinds of files, and one that does not stand in a run
 */
export const mapExtractFile: MapNode = (node, context) => {
  const { operation = "csv", options, binaryPropertyName = "data" } = node.parameters;
  if (node.type === "extractFromFile" && operation !== "pdf" && operation !== TO_BASE64)
    throw new NoEquivalent(`it takes ${String(operation)} out of a file, which nothing here does as n8n does it`);
  const [given] = Object.keys(isObject(options) ? options : {});
  if (given !== undefined) throw new NoEquivalent(`its option ${given} has no equal here`);
  if (node.parameters.encrypted === true) throw new NoEquivalent("it opens files with a password");
  const name = typeof binaryPropertyName === "string" ? nameIn(binaryPropertyName) : "=";
  if (name.startsWith("=")) throw new NoEquivalent("which file it reads is computed");
  const file = context.fileOf(name);
  if (file === undefined)
    throw new NoEquivalent(`the file ${name}, which it reads, comes from a step that hands on no files here`);
  if (operation === TO_BASE64) return toBase64(node, context, file);
  return { ...toStep(node, context, "data.extractText", { file, betweenPages: "\n\n" }), notes: NOTES };
};

/** The answer of a request is base64 here unless it is a text. @throws NoEquivalent for a file that did not come by one */
function toBase64(node: N8nNode, context: N8nContext, file: Json): Mapped {
  const { destinationKey = "data" } = node.parameters;
  const body = isObject(file) && typeof file.base64 === "string" ? file.base64 : undefined;
  const id = /^\$\.(\w+)_output\.body$/.exec(body ?? "")?.[1];
  if (id === undefined)
    throw new NoEquivalent("the file that it hands on as base64 came with the run, not by a request");
  const name = typeof destinationKey === "string" ? nameIn(destinationKey) : "=";
  if (!/^[\w$ -]+$/.test(name)) throw new NoEquivalent("where it puts the file is computed, or lies deeper");
  const text = `cel.bind(v, dyn(ctx.${id}_output), v.encoding == "base64" ? v.body : bytes(string(v.body)).base64())`;
  const notes = [
    "A text in another charset than UTF-8 is handed on in UTF-8. A file that a request has fetched may have 2 MiB.",
  ];
  return { ...toStep(node, context, "core.transform", { mapping: { [name]: { $cel: text } } }), notes };
}
