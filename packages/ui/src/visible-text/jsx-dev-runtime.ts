import * as react from "react/jsx-dev-runtime";
import { showText } from "./show-text.ts";

export type { JSX } from "react/jsx-dev-runtime";

/** React's fragment. */
export const Fragment = react.Fragment;
/** The same as `jsx-runtime` for development. */
export const jsxDEV: typeof react.jsxDEV = (type, props, ...others) => react.jsxDEV(type, showText(props), ...others);
