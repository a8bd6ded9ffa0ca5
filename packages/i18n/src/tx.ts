import { createElement, Fragment, type ReactNode } from "react";
import { t } from "./translate.ts";

/** Around a placeholder's name, so that it is found again after the translation. No text has this character. */
const MARK = "\u0000";

/**
 * The sentence in the reader's language, with elements in the place of its placeholders: links, code, times.
 * @param text one whole sentence or label; `{{name}}` stands for one of `parts`
 */
export function tx(text: string, parts: Record<string, ReactNode>): ReactNode {
  const marked = Object.keys(parts).map((name) => [name, `${MARK}${name}${MARK}`]);
  const pieces = t(text, Object.fromEntries(marked)).split(MARK);
  // Between two marks stands a name: every second piece.
  const children = pieces.map((piece, index) => (index % 2 === 1 ? parts[piece] : piece));
  return createElement(Fragment, null, ...children);
}
