import { createElement as create } from "react";
import { showText } from "./show-text.ts";

/** What JSX compiles to where a `key` stands behind spread properties. */
export const createElement = ((type: Parameters<typeof create>[0], props: unknown, ...children: readonly unknown[]) => {
  const { children: shown = [] } = showText({ children }) as { children?: readonly never[] }; // cast: what was given, with marks
  return create(type, showText(props ?? {}) as object, ...shown); // cast: as above
}) as typeof create;
