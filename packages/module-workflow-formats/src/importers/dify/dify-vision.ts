import type { Json } from "@oven/contract";
import { isObject } from "@oven/engine";
import type { DifyContext } from "./dify-context.ts";
import { type DifyDocument, type DifyNode, selectorOf } from "./dify-document.ts";

/** Which files a node looks at; where runs cannot begin with files, there are none to look at. */
export function filesSeen(vision: Json | undefined, { takesFiles }: DifyDocument): readonly string[] | undefined {
  if (!isObject(vision) || vision.enabled !== true) return undefined;
  const configs = isObject(vision.configs) ? vision.configs : {};
  const selector = selectorOf(configs.variable_selector) ?? ["sys", "files"];
  return takesFiles || selector.join(".") !== "sys.files" ? selector : undefined;
}

/** The input of a model that looks at files. @throws NoEquivalent */
export function imagesOf({ data }: DifyNode, context: DifyContext, notes: string[]): Record<string, Json> {
  const selector = filesSeen(data.vision, context.document);
  if (selector === undefined) return {};
  const isOfSystem = context.document.withoutOldSystem(selector).join(".") === "sys.files";
  const path = isOfSystem
    ? context.data.files()
    : context.data.path(selector).replace(/default\(null\)$/, "default([])");
  notes.push(
    `It looks at the pictures in ${path.split(" | ")[0]}: addresses, data: URLs or files of the run. A file that is no picture fails it.`,
  );
  return { images: path };
}
