import { isObject } from "@oven/engine";
import { NoEquivalent } from "../../importing/no-equivalent.ts";
import { type MapNode, toStep } from "./n8n-context.ts";
import { fieldOfMarkdown, makesHtml } from "./n8n-markdown-field.ts";
import { textFrom } from "./n8n-set.ts";

const OTHERS_STAY = "The other fields stay where they were: later steps read them from the step that made them.";

/** Options of Markdown to HTML that change nothing where they are off, or have only what is given here anyway. */
const OFF = new Set([
  "completeHTMLDocument",
  "emoji",
  "simpleLineBreaks",
  "simplifiedAutoLink",
  "strikethrough",
  "tables",
]);
const WITHOUT_EFFECT = new Set(["noHeaderId", "backslashEscapesHTMLTags"]);

/** Markdown as HTML. @throws NoEquivalent */
const toHtml: MapNode = (node, context) => {
  const { markdown = "", options } = node.parameters;
  for (const [name, value] of Object.entries(isObject(options) ? options : {}))
    if (!WITHOUT_EFFECT.has(name) && !(OFF.has(name) && value === false))
      throw new NoEquivalent(`its option ${name} has no equal here`);
  const notes = [
    OTHERS_STAY,
    "Headings get no ids, and HTML within the Markdown is shown as text, which n8n hands on as it is.",
  ];
  const input = { markdown: textFrom(markdown, context.references) };
  return { ...toStep(node, context, "data.markdownToHtml", input), notes };
};

/** HTML as Markdown, and the other way round. */
export const mapMarkdown: MapNode = (node, context) => {
  const { mode = "htmlToMarkdown", html = "", options } = node.parameters;
  if (mode !== "htmlToMarkdown" && !makesHtml(node)) throw new NoEquivalent("which way it converts is computed");
  if (!/^[\w$-]+$/.test(fieldOfMarkdown(node)))
    throw new NoEquivalent("the name of the field that it fills is computed");
  if (makesHtml(node)) return toHtml(node, context);
  const { ignore, ...others } = isObject(options) ? options : {};
  const [other] = Object.keys(others);
  if (other !== undefined) throw new NoEquivalent(`its option ${other} has no equal here`);
  const left = typeof ignore === "string" ? ignore.split(",").map((name) => name.trim()) : [];
  const names = left.filter((name) => name !== "");
  if ((ignore !== undefined && typeof ignore !== "string") || names.some((name) => !/^[A-Za-z][\w-]*$/.test(name)))
    throw new NoEquivalent("which elements it leaves out is computed");
  const input = { html: textFrom(html, context.references), ...(names.length === 0 ? {} : { ignore: names }) };
  return { ...toStep(node, context, "data.htmlToMarkdown", input), notes: [OTHERS_STAY] };
};
