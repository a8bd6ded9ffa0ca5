import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { type MapNode, toStep } from "./n8n-context.ts";
import { fieldOfMarkdown } from "./n8n-markdown-field.ts";
import { textFrom } from "./n8n-set.ts";

/** HTML as Markdown. */
export const mapMarkdown: MapNode = (node, context) => {
  const { mode = "htmlToMarkdown", html = "", options } = node.parameters;
  if (mode !== "htmlToMarkdown") throw new NoEquivalent("it makes HTML of Markdown");
  if (!/^[\w$-]+$/.test(fieldOfMarkdown(node)))
    throw new NoEquivalent("the name of the field that it fills is computed");
  const { ignore, ...others } = isObject(options) ? options : {};
  const [other] = Object.keys(others);
  if (other !== undefined) throw new NoEquivalent(`its option ${other} has no equal here`);
  const left = typeof ignore === "string" ? ignore.split(",").map((name) => name.trim()) : [];
  const names = left.filter((name) => name !== "");
  if ((ignore !== undefined && typeof ignore !== "string") || names.some((name) => !/^[A-Za-z][\w-]*$/.test(name)))
    throw new NoEquivalent("which elements it leaves out is computed");
  const input = { html: textFrom(html, context.references), ...(names.length === 0 ? {} : { ignore: names }) };
  const notes = ["The other fields stay where they were: later steps read them from the step that made them."];
  return { ...toStep(node, context, "data.htmlToMarkdown", input), notes };
};
