import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { whyNoSelector } from "../../shared/html/select-html.ts";
import { type MapNode, toStep } from "./n8n-context.ts";
import type { N8nDocument, N8nNode } from "./n8n-document.ts";
import { type N8nReferences, translateValue } from "./n8n-expression.ts";
import { extractsHtml } from "./n8n-html-kind.ts";
import { PASSES_ON } from "./n8n-references.ts";
import { nameIn, textFrom } from "./n8n-set.ts";

const valuesOf = ({ parameters: { extractionValues } }: N8nNode): JsonObject[] =>
  isObject(extractionValues) && Array.isArray(extractionValues.values) ? extractionValues.values.filter(isObject) : [];

/** A name that is written, not computed. @throws NoEquivalent */
function written(value: Json | undefined, what: string): string {
  const name = typeof value === "string" ? nameIn(value) : "";
  if (name === "") throw new NoEquivalent(`it does not say ${what}`);
  if (name.startsWith("=")) throw new NoEquivalent(`${what} is computed`);
  return name;
}

/** Since its version 1.2 it lays out a text, of the first element alone. */
const TAKES: Readonly<Record<string, string>> = { attribute: "attribute", html: "html", text: "text", value: "value" };

/** @throws NoEquivalent */
function toValue(value: JsonObject, { type, version }: N8nNode, references: N8nReferences): JsonObject {
  const { key, cssSelector = "", returnValue = "text", attribute, returnArray, skipSelectors = "" } = value;
  const isReadable = returnValue === "text" && type === "html" && version >= 1.2;
  const take = isReadable ? "readable" : Object.hasOwn(TAKES, String(returnValue)) && TAKES[String(returnValue)];
  if (typeof take !== "string") throw new NoEquivalent(`it takes ${String(returnValue)} of an element`);
  if (typeof skipSelectors !== "string" || skipSelectors.startsWith("="))
    throw new NoEquivalent("which elements it leaves out is computed");
  const leaveOut = skipSelectors.split(",").flatMap((selector) => (selector.trim() === "" ? [] : [selector.trim()]));
  const all = returnArray === true;
  if (returnArray !== undefined && typeof returnArray !== "boolean")
    throw new NoEquivalent("whether it makes a list is computed");
  return {
    ...{ name: written(key, "what its value is called"), selector: selectorOf(cssSelector, references), take },
    ...(take === "attribute" ? { attribute: written(attribute, "which attribute it takes") } : {}),
    ...(isReadable && leaveOut.length > 0 ? { leaveOut } : {}),
    ...(all ? { all } : {}),
  };
}

/** @throws NoEquivalent */
function selectorOf(given: Json, references: N8nReferences): Json {
  const text = typeof given === "string" ? nameIn(given) : "";
  if (text.trim() === "") throw new NoEquivalent("it names no selector");
  if (text.startsWith("=")) return textFrom(text, references);
  const why = whyNoSelector(text);
  if (why !== undefined) throw new NoEquivalent(why);
  return textFrom(text, references);
}

/** Whether a field comes straight from a node that makes a list of HTML of it: n8n then hands on an item for each entry. */
function isListBefore(name: string, field: string, document: N8nDocument, seen = new Set<string>()): boolean {
  if (seen.has(name)) return false;
  seen.add(name);
  return document.inputs(name).some(({ from }) => {
    const before = document.nodes.get(from);
    if (before === undefined) return false;
    if (PASSES_ON.has(before.type) || before.disabled) return isListBefore(from, field, document, seen);
    return (
      extractsHtml(before) && valuesOf(before).some(({ key, returnArray }) => key === field && returnArray === true)
    );
  });
}

/** Values that are taken out of HTML by CSS selectors. */
export const mapExtractHtml: MapNode = (node, context) => {
  const { parameters, version } = node;
  const { sourceData = "json", options } = parameters;
  if (sourceData !== "json") throw new NoEquivalent("it reads a file");
  const { trimValues, cleanUpText, ...others } = isObject(options) ? options : {};
  const [other] = Object.keys(others);
  if (other !== undefined) throw new NoEquivalent(`its option ${other} has no equal here`);
  if ([trimValues, cleanUpText].some((flag) => flag !== undefined && typeof flag !== "boolean"))
    throw new NoEquivalent("how it tidies texts is computed");
  const field = written(parameters.dataPropertyName ?? "data", "which field it reads");
  if (isListBefore(node.name, field, context.document))
    throw new NoEquivalent("it hands on an item for each entry of a list of HTML");
  const given = valuesOf(node);
  if (given.length === 0) throw new NoEquivalent("it takes no value");
  // Before version 1.1 a dot is part of the name.
  const isPath = node.type === "html" && version > 1;
  const source = `=${"{{"} $json${(isPath ? field.split(".") : [field]).map((key) => `[${JSON.stringify(key)}]`).join("")} }}`;
  const input = {
    html: translateValue(source, context.references),
    values: given.map((value) => toValue(value, node, context.references)),
    ...(trimValues === true ? { trim: true } : {}),
    ...(cleanUpText === true ? { oneLine: true } : {}),
  };
  const notes = ["A value that is not found is null, where n8n leaves its field out. A list of HTML fails the run."];
  return { ...toStep(node, context, "data.extractHtml", input), endOutput: `$.${context.id}_output.values`, notes };
};
