import * as react from "react/jsx-dev-runtime";
import { showText } from "./show-text.ts";

export type { JSX } from "react/jsx-dev-runtime";

export const Fragment = react.Fragment;
/** The same as `jsx-runtime` for development. */
export const jsxDEV: typeof react.jsxDEV = (type, props, ...others) => react.jsxDEV(type, showText(props), ...others);
