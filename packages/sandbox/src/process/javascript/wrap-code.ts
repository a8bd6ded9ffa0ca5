/** Code as it is evaluated, and how its places are those of the author's text. */
export interface WrappedCode {
  text: string;
  fileName: string;
  /** Characters before the code in its first line. */
  offset: number;
  lines: number;
}

const FILE = "code.js";
/** Of a traceback: the innermost calls. */
const MOST_CALLS = 10;

/**
 * The code as the body of an async function that finds its inputs as constants. All that is before it stands in its first line, so lines
 * are those of the author. An author who closes the function early is still in the same context, and gains nothing.
 */
export function wrapCode(code: string, inputNames: readonly string[]): WrappedCode {
  const before = `(function () { const { ${inputNames.join(", ")} } = arguments[0]; return async function () {`;
  return { text: `${before}${code}\n}; })`, fileName: FILE, offset: before.length, lines: code.split("\n").length };
}

/** A place in the code of the author, counted from 1. */
export interface CodePlace {
  line: number;
  column: number;
}

/** The first place of a stack that is in the code. */
export function placeIn(stack: string, { lines, offset, fileName }: WrappedCode): CodePlace | undefined {
  for (const [, file, line, column] of stack.matchAll(/([^\s()]+):(\d+):(\d+)\)?$/gm)) {
    if (file !== fileName) continue;
    return toPlace(Number(line), Number(column), { lines, offset });
  }
  return undefined;
}

function toPlace(line: number, column: number, { lines, offset }: Pick<WrappedCode, "lines" | "offset">): CodePlace {
  // What is missing at the end of the code is only missed behind it.
  if (line > lines) return { line: lines, column: 1 };
  return { line, column: line === 1 ? Math.max(1, column - offset) : column };
}

/** The stack with the places of the author, without what is around the code. */
export function toTraceback(stack: string, wrapped: WrappedCode): string {
  return stack
    .split("\n")
    .filter((line) => line.trim() !== "" && !line.includes("guest.js"))
    .slice(0, MOST_CALLS)
    .map((line) =>
      line.replace(/code\.js:(\d+):(\d+)/, (_, row, column) => {
        const place = toPlace(Number(row), Number(column), wrapped);
        return `code.js:${place.line}:${place.column}`;
      }),
    )
    .join("\n");
}
