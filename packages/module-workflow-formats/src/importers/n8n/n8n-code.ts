import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { codeOf, givesOneItem } from "./n8n-code-items.ts";
import { inputsFor, timeNotes, toCode } from "./n8n-computed.ts";
import type { MapNode } from "./n8n-context.ts";
import type { N8nNode } from "./n8n-document.ts";
import { toListStep } from "./n8n-regions.ts";
import { analyse, parseBody } from "./n8n-script.ts";

const ITEMS_IN = [
  'const dataOf = (item) => (typeof item === "object" && item !== null && "json" in item ? item.json : item);',
  "const listIn = (value) => (value === null || value === undefined ? [] : Array.isArray(value) ? value : [value]).map(dataOf);",
];

const whyNoCode = ({ parameters }: N8nNode): string =>
  parameters.language === undefined || parameters.language === "javaScript"
    ? "it has no code"
    : "its code is Python, which is not carried over yet";

/** A Code node, also in its older forms: JavaScript that runs in the sandbox. */
export const mapCode: MapNode = (node, context) => {
  const code = codeOf(node);
  if (code === undefined) throw new NoEquivalent(whyNoCode(node));
  const isEach = node.type === "functionItem" || node.parameters.mode === "runOnceForEachItem";
  const script = analyse(parseBody(code));
  const isList = !isEach;
  const { inputs, prelude } = inputsFor(script, node.name, {
    ...{ items: context.items, document: context.document },
    ...(isList ? { incoming: context.incoming } : {}),
    ...(node.type === "functionItem" ? { itemIsData: true } : {}),
  });
  const isOne = givesOneItem(node);
  const end = isOne
    ? [
        "const [only, ...others] = listIn(returned);",
        'if (only === undefined || others.length > 0) throw new Error("It handed on " + (only === undefined ? "no item" : "several items") + ", and what follows runs once");',
        "return only;",
      ]
    : ["return listIn(returned);"];
  const lines = [...prelude, "const returned = await (async () => {", code, "})();", ...ITEMS_IN, ...end];
  const { src, input } = toCode(lines, inputs);
  const notes = timeNotes(script, context.document);
  return { ...toListStep(node, context, { src, input }), notes };
};
