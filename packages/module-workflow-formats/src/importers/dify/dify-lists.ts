import { getOwn } from "@oven/contract";
import { isObject } from "@oven/engine";
import { type DifyDocument, type DifyNode, objectsIn, selectorOf } from "./dify-document.ts";
import { filesIn } from "./dify-files.ts";

const LISTS = /^array/;

/** Whether a round surely hands on a list (true), surely none (false), or that is not known. */
function givesList([from = "", key = "", inner]: readonly string[], document: DifyDocument): boolean | undefined {
  const node = document.nodes.get(from);
  switch (node?.type) {
    case "template-transform":
    case "http-request":
    case "question-classifier":
      return false;
    case "document-extractor":
      return filesIn(selectorOf(node.data.variable_selector) ?? [], document) === "list";
    case "knowledge-retrieval":
    case "iteration":
      return key === "result" || key === "output";
    case "parameter-extractor": {
      const parameter = objectsIn(node.data.parameters).find(({ name }) => name === key);
      return parameter !== undefined && LISTS.test(String(parameter.type));
    }
    case "llm": {
      if (key === "text") return false;
      const { structured_output: structured } = node.data;
      const schema = isObject(structured) && isObject(structured.schema) ? structured.schema : {};
      const properties = isObject(schema.properties) ? schema.properties : {};
      const property = inner === undefined ? undefined : getOwn(properties, inner);
      return inner === undefined ? false : isObject(property) ? property.type === "array" : undefined;
    }
    default:
      return undefined;
  }
}

/** Whether an iteration may have to make one list of those that its rounds hand on: not where that is off, or none hands on a list. */
export function joinsLists({ data }: DifyNode, document: DifyDocument): boolean {
  const output = selectorOf(data.output_selector);
  return data.flatten_output !== false && output !== undefined && givesList(output, document) !== false;
}
