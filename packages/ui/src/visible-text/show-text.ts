import { markDeceptive } from "@oven/contract";

/** Texts that people read beside the children of an element. Values of inputs stay as they are: they are sent back. */
const READ = ["label", "title", "placeholder", "alt", "aria-label", "primary", "secondary", "helperText"];

interface Props {
  children?: unknown;
  [name: string]: unknown;
}

/** The properties of an element with marks for invisible characters; the same object where there are none. */
export function showText(given: unknown): unknown {
  const props = given as Props; // cast: React's properties are an object
  let shown = props;
  for (const name of ["children", ...READ]) {
    const value = props[name];
    const marked = name === "children" && Array.isArray(value) ? markAll(value) : mark(value);
    if (marked === value) continue;
    if (shown === props) shown = { ...props };
    shown[name] = marked;
  }
  return shown;
}

function mark(value: unknown): unknown {
  return typeof value === "string" ? markDeceptive(value) : value;
}

function markAll(values: readonly unknown[]): readonly unknown[] {
  return values.some((value) => mark(value) !== value) ? values.map(mark) : values;
}
