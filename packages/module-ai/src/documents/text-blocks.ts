import { fromMarkdown } from "mdast-util-from-markdown";

/** A stretch of a document that belongs together. */
export interface Block {
  start: number;
  end: number;
  headings: string[];
  code: boolean;
}

type Node = ReturnType<typeof fromMarkdown>["children"][number];

/** Paragraphs, lists, tables and code blocks of Markdown with the headings above them. */
export function markdownBlocks(text: string): Block[] {
  const path: { depth: number; title: string }[] = [];
  const blocks: Block[] = [];
  for (const node of fromMarkdown(text).children) {
    const start = node.position?.start.offset;
    const end = node.position?.end.offset;
    if (start === undefined || end === undefined) continue;
    if (node.type === "heading") {
      while (path.length > 0 && (path.at(-1)?.depth ?? 0) >= node.depth) path.pop();
      path.push({ depth: node.depth, title: wordsOf(node) });
      continue;
    }
    if (node.type === "definition" || node.type === "thematicBreak") continue;
    blocks.push({ start, end, headings: path.map(({ title }) => title), code: node.type === "code" });
  }
  // A document of headings alone still says something.
  return blocks.length > 0 ? blocks : paragraphBlocks(text);
}

/** What stands between blank lines. A form feed parts pages, which are named as headings. */
export function paragraphBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  const pages = text.split("\f");
  let offset = 0;
  for (const [index, page] of pages.entries()) {
    const headings = pages.length > 1 ? [`Page ${index + 1}`] : [];
    for (const { 0: paragraph, index: at } of page.matchAll(/\S(?:(?!\n[ \t]*\n)[\s\S])*/g)) {
      const start = offset + at;
      blocks.push({ start, end: start + paragraph.trimEnd().length, headings, code: false });
    }
    offset += page.length + 1;
  }
  return blocks;
}

function wordsOf(node: Node | { value?: string }): string {
  if ("value" in node && typeof node.value === "string") return node.value;
  if (!("children" in node)) return "";
  return node.children
    .map((child) => wordsOf(child))
    .join("")
    .trim();
}
