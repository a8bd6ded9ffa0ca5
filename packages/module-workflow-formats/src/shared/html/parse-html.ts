import { OvenError } from "@oven/contract";
import { type DefaultTreeAdapterMap, type DefaultTreeAdapterTypes, defaultTreeAdapter, Parser } from "parse5";

export type HtmlNode = DefaultTreeAdapterTypes.Node;
export type HtmlElement = DefaultTreeAdapterTypes.Element;
type HtmlDocument = DefaultTreeAdapterTypes.Document;

const CHUNK = 16_384;
const MAX_ATTRIBUTES = 2_000;
const MAX_DEPTH = 500;
const MAX_NODES = 200_000;

/** Names the bound that a page is beyond. */
export function tooMuch(message: string): OvenError {
  return new OvenError("HTML_TOO_LARGE", message, { path: "$.html" });
}

/**
 * A page or a piece of one, as a browser reads it: what is missing around it (`html`, `body`, `tbody`) is added.
 * @throws OvenError HTML_TOO_LARGE where it has more elements, levels or attributes than pages have: reading such a page would take
 * time that grows with the square of its size
 */
export function parseHtml(html: string): HtmlDocument {
  let nodes = 0;
  const depths = new WeakMap<HtmlNode, number>();
  const count = <Made>(made: Made): Made => {
    nodes += 1;
    if (nodes > MAX_NODES) throw tooMuch(`The HTML has more than ${MAX_NODES} elements`);
    return made;
  };
  const place = (parent: HtmlNode, child: HtmlNode) => {
    const depth = (depths.get(parent) ?? 0) + 1;
    if (depth > MAX_DEPTH) throw tooMuch(`The HTML has more than ${MAX_DEPTH} levels`);
    depths.set(child, depth);
  };
  const treeAdapter: typeof defaultTreeAdapter = {
    ...defaultTreeAdapter,
    createElement: (...given) => count(defaultTreeAdapter.createElement(...given)),
    createCommentNode: (data) => count(defaultTreeAdapter.createCommentNode(data)),
    appendChild: (parent, child) => {
      place(parent, child);
      defaultTreeAdapter.appendChild(parent, child);
    },
    insertBefore: (parent, child, before) => {
      place(parent, child);
      defaultTreeAdapter.insertBefore(parent, child, before);
    },
  };
  const parser = new Parser<DefaultTreeAdapterMap>({ treeAdapter });
  const { tokenizer } = parser;
  for (let at = 0; at < html.length || at === 0; at += CHUNK) {
    tokenizer.write(html.slice(at, at + CHUNK), at + CHUNK >= html.length);
    // Each attribute is compared with those before it in its tag.
    // biome-ignore lint/complexity/useLiteralKeys: it is protected, and can be read by its name alone
    const token = tokenizer["currentToken"];
    if (token !== null && "attrs" in token && token.attrs.length > MAX_ATTRIBUTES)
      throw tooMuch(`An element of the HTML has more than ${MAX_ATTRIBUTES} attributes`);
  }
  return parser.document;
}
