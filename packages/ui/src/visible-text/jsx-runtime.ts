import * as react from "react/jsx-runtime";
import { showText } from "./show-text.ts";

/*
 * What JSX compiles to (`jsxImportSource`). It makes React's elements and shows invisible characters as marks, wherever a text
 * stands on a screen, so that no page can forget it.
 */
export type { JSX } from "react/jsx-runtime";

/** React's fragment. */
export const Fragment = react.Fragment;
/** Makes an element with one child whose texts show invisible characters as marks. */
export const jsx: typeof react.jsx = (type, props, key) => react.jsx(type, showText(props), key);
/** Makes an element with several children whose texts show invisible characters as marks. */
export const jsxs: typeof react.jsxs = (type, props, key) => react.jsxs(type, showText(props), key);
