import { OvenError } from "@oven/contract";
import { compile, type Options, selectAll } from "css-select";
import { type HtmlElement, type HtmlNode, tooMuch } from "./parse-html.ts";

/** How often a selector may look at a node: some seven times for each of the elements that a page can have. */
const MAX_LOOKS = 20_000_000;

type Adapter = NonNullable<Options<HtmlNode, HtmlElement>["adapter"]>;

const isElement = (node: HtmlNode): node is HtmlElement => "tagName" in node;
const childrenOf = (node: HtmlNode): HtmlNode[] => ("childNodes" in node ? node.childNodes : []);
const parentOf = (node: HtmlNode): HtmlNode | null => ("parentNode" in node ? node.parentNode : null);

/** All text of a node, as it is written, also that of scripts. */
export function textIn(node: HtmlNode): string {
  if (node.nodeName === "#text" && "value" in node) return node.value;
  return childrenOf(node).map(textIn).join("");
}

export function attributeOf({ attrs }: HtmlElement, name: string): string | undefined {
  return attrs.find((attribute) => attribute.name === name)?.value;
}

/** How css-select walks a page. Each step is counted, so that no selector can hold up a worker. */
function countingAdapter(look: (weight?: number) => void): Adapter {
  /** The first element below that fits, in the order of the page. */
  const find = (fits: (element: HtmlElement) => boolean, nodes: readonly HtmlNode[]): HtmlElement | null => {
    for (const node of nodes) {
      look();
      if (!isElement(node)) continue;
      const found = fits(node) ? node : find(fits, node.childNodes);
      if (found !== null) return found;
    }
    return null;
  };
  return {
    isTag: (node): node is HtmlElement => {
      look();
      return isElement(node);
    },
    existsOne: (test, nodes) => find(test, nodes) !== null,
    findAll: (test, nodes) => {
      const found: HtmlElement[] = [];
      const keep = (element: HtmlElement) => {
        if (test(element)) found.push(element);
        return false;
      };
      find(keep, nodes);
      return found;
    },
    findOne: find,
    equals: (one, other) => {
      look();
      return one === other;
    },
    getAttributeValue: (element, name) => {
      look(element.attrs.length);
      return attributeOf(element, name);
    },
    hasAttrib: (element, name) => {
      look(element.attrs.length);
      return attributeOf(element, name) !== undefined;
    },
    getChildren: (node) => {
      look();
      return childrenOf(node);
    },
    getName: ({ tagName }) => {
      look();
      return tagName;
    },
    getParent: (node) => {
      look();
      return parentOf(node);
    },
    getSiblings: (node) => {
      const parent = parentOf(node);
      const siblings = parent === null ? [node] : childrenOf(parent);
      look();
      return siblings;
    },
    getText: (node) => {
      const text = textIn(node);
      look(text.length);
      return text;
    },
    removeSubsets: (nodes) => {
      const given = new Set(nodes);
      return [...given].filter((node) => {
        for (let at = parentOf(node); at !== null; at = parentOf(at)) {
          look();
          if (given.has(at)) return false;
        }
        return true;
      });
    },
  };
}

function refuse(selector: string, cause: unknown): OvenError {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new OvenError("SELECTOR_INVALID", `${JSON.stringify(selector)} is no CSS selector that is known: ${why}`, {
    path: "$.values",
    cause,
  });
}

/** Why a text is no selector that `selectHtml` knows; undefined: it is one. */
export function whyNoSelector(selector: string): string | undefined {
  try {
    compile<HtmlNode, HtmlElement>(selector, { adapter: countingAdapter(() => {}) });
    return undefined;
  } catch (cause) {
    return refuse(selector, cause).message;
  }
}

/** Selects in one page. All its selectors together may look at nodes so often and no more. */
export class HtmlSelection {
  readonly #root: HtmlNode;
  readonly #options: Options<HtmlNode, HtmlElement>;
  #looks = 0;

  constructor(root: HtmlNode) {
    this.#root = root;
    const look = (weight = 1) => {
      this.#looks += weight;
      if (this.#looks > MAX_LOOKS) throw tooMuch("The selectors take too long on this HTML: use simpler ones");
    };
    this.#options = { adapter: countingAdapter(look) };
  }

  /**
   * The elements that a selector names, in the order of the page.
   * @throws OvenError SELECTOR_INVALID where it is no selector, HTML_TOO_LARGE where it takes too long
   */
  all(selector: string): HtmlElement[] {
    let query: ReturnType<typeof compile<HtmlNode, HtmlElement>>;
    try {
      query = compile<HtmlNode, HtmlElement>(selector, this.#options);
    } catch (cause) {
      throw refuse(selector, cause);
    }
    return selectAll<HtmlNode, HtmlElement>(query, this.#root, this.#options);
  }
}
