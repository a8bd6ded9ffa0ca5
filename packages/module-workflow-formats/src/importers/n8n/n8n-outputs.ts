import { isObject } from "@oven/engine";
import type { N8nNode } from "./n8n-document.ts";

/** How many outputs a node has in n8n, before that of errors. */
export function outputsOf({ type, parameters, version }: N8nNode): number {
  const options = isObject(parameters.options) ? parameters.options : {};
  switch (type) {
    case "if":
    case "splitInBatches":
      return 2;
    case "switch": {
      const { mode = "rules", rules, numberOutputs = 4, outputsAmount, fallbackOutput } = parameters;
      if (version < 2) return 4;
      if (mode !== "rules") return Number(outputsAmount ?? numberOutputs);
      if (version < 3) return Math.max(lengthOf(rules, "rules"), Number(fallbackOutput ?? -1) + 1);
      return lengthOf(rules, "values") + (options.fallbackOutput === "extra" ? 1 : 0);
    }
    case "langchain.textClassifier":
      return lengthOf(parameters.categories, "categories") + (options.fallback === "other" ? 1 : 0);
    default:
      return 1;
  }
}

/** Whether anything comes out of an output: a Switch has outputs that none of its rules leads to. */
export function isReached({ type, parameters, version }: N8nNode, output: number): boolean {
  const { mode = "rules", rules, fallbackOutput, options } = parameters;
  if (type !== "switch" || mode !== "rules") return true;
  if (version >= 3) {
    const count = lengthOf(rules, "values");
    const fallback = isObject(options) ? options.fallbackOutput : undefined;
    return output < count || output === (fallback === "extra" ? count : fallback);
  }
  const list = isObject(rules) && Array.isArray(rules.rules) ? rules.rules.filter(isObject) : [];
  return (
    fallbackOutput === output || list.some((rule, index) => output === (version < 2 ? Number(rule.output ?? 0) : index))
  );
}

function lengthOf(collection: unknown, key: string): number {
  const list = isObject(collection) ? collection[key] : undefined;
  return Array.isArray(list) ? list.length : 0;
}

/** Whether an output is the one that errors take. */
export function isErrorOutput(node: N8nNode, output: number): boolean {
  return node.spec.onError === "continueErrorOutput" && output === outputsOf(node);
}
