import { toPath } from "../../importing/literals.ts";
import { NoEquivalent } from "../../importing/no-equivalent.ts";

export type Segment = string | number;

/** A value of the run: a variable, or one of the engine's roots, and where in it. */
export interface Place {
  /** Such as `$.data`. */
  root: string;
  segments: readonly Segment[];
}

const STEP = /\.([A-Za-z_][\w-]*)|\[(\d+)\]|\['([^'\\]*)'\]|\["([^"\\]*)"\]/y;

/** `$.a['b'][0]` as what it goes through. @throws NoEquivalent for paths that search */
export function segmentsOf(path: string): Segment[] {
  const segments: Segment[] = [];
  STEP.lastIndex = 1;
  while (STEP.lastIndex < path.length) {
    const match = path.startsWith("$") ? STEP.exec(path) : null;
    if (match === null) throw new NoEquivalent(`the path ${path} has no exact equivalent`);
    segments.push(match[1] ?? match[3] ?? match[4] ?? Number(match[2]));
  }
  return segments;
}

/** A path of ours. */
export const pathOf = ({ root, segments }: Place): string => toPath(root, segments);

/** Words that CEL does not take behind a point. */
const WORDS = new Set(
  ["as", "break", "const", "continue", "else", "false", "for", "function", "if", "import", "in", "let", "loop"].concat([
    "namespace",
    "null",
    "package",
    "return",
    "true",
    "var",
    "void",
    "while",
  ]),
);

/** The same value in CEL. */
export function celOf({ root, segments }: Place): string {
  const name = root.slice(2);
  const base = name === "trigger" || name === "execution" ? name : `ctx${celKey(name)}`;
  return segments.reduce<string>((text, part) => text + celKey(part), base);
}

const isCelName = (name: Segment | undefined): name is string =>
  typeof name === "string" && /^[A-Za-z_]\w*$/.test(name) && !WORDS.has(name);

function celKey(part: Segment): string {
  if (typeof part === "number") return `[${part}]`;
  return isCelName(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
}

/**
 * A path with one `[*]`: the list before it, with each entry that has what stands behind it as that.
 * @throws NoEquivalent
 */
export function celSearch(path: string, celOfPath: (path: string) => string): string {
  const [before = "", after = "", ...more] = path.split("[*]");
  const names = segmentsOf(`$${after}`);
  if (more.length > 0 || names.length > 1 || names.some((name) => !isCelName(name)))
    throw new NoEquivalent(`the path ${path} has no exact equivalent`);
  // An object is no list here: added to one it is an error.
  const list = `(${celOfPath(before)} + [])`;
  return names.length === 0 ? list : `${list}.map(one, has(one.${names[0]}), one.${names[0]})`;
}
