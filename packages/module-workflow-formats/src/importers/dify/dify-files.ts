import type { Json } from "@oven/contract";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import type { DifyContext } from "./dify-context.ts";
import { type DifyDocument, objectsIn, selectorOf } from "./dify-document.ts";

/** Types of fields of the start form that hold files. */
const FIELDS: Readonly<Record<string, "one" | "list">> = { file: "one", "file-list": "list" };
const MOST_STEPS = 20;

/** Whether a variable is a file, a list of files, or neither as far as that is known. */
export function filesIn(
  selector: readonly string[],
  document: DifyDocument,
  steps = MOST_STEPS,
): "one" | "list" | undefined {
  const [from = "", key = "", ...rest] = document.withoutOldSystem(selector);
  if (rest.length > 0 || steps === 0) return undefined;
  if (from === "sys") return key === "files" ? "list" : undefined;
  const node = document.nodes.get(from);
  const through = (value: Json | undefined) => {
    const inner = selectorOf(value);
    return inner && filesIn(inner, document, steps - 1);
  };
  switch (node?.type) {
    case "start": {
      const field = objectsIn(node.data.variables).find(({ variable }) => variable === key);
      const type = String(field?.type);
      return Object.hasOwn(FIELDS, type) ? FIELDS[type] : undefined;
    }
    case "list-operator":
      if (through(node.data.variable) !== "list") return undefined;
      return key === "result" ? "list" : key === "first_record" || key === "last_record" ? "one" : undefined;
    case "iteration":
      return key === "item" && through(node.data.iterator_selector) === "list" ? "one" : undefined;
    default:
      return undefined;
  }
}

/** The path of files that come into a run, or of a list operator on them; a list that is left out is empty. @throws NoEquivalent */
export function pathOfFiles(selector: readonly string[], { data, document }: DifyContext): string {
  if (document.withoutOldSystem(selector).join(".") === "sys.files") return data.files();
  const path = data.path(selector);
  return filesIn(selector, document) === "list" ? path.replace(/default\(null\)$/, "default([])") : path;
}

/** A variable that is a file, or several. @throws NoEquivalent for what is none that comes into runs here */
export function requireFiles(selector: readonly string[], context: DifyContext): "one" | "list" {
  const kind = filesIn(selector, context.document);
  if (kind !== undefined) return kind;
  const [from = ""] = selector;
  const node = context.document.nodes.get(from);
  throw new NoEquivalent(
    `it reads ${selector.join(".")}${node === undefined ? "" : ` of “${node.title}”`}, which is no file that comes into runs here`,
  );
}
