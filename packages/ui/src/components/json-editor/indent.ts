/** A change to the text of an editor: `insert` replaces what lies between `from` and `to`. */
export interface TextChange {
  from: number;
  to: number;
  insert: string;
  /** The selection afterwards. */
  select: [start: number, end: number];
}

const STEP = "  ";

function lineStart(text: string, offset: number): number {
  return text.lastIndexOf("\n", offset - 1) + 1;
}

/** Tab: two spaces at the caret, or every selected line moved right. */
export function indent(text: string, start: number, end: number): TextChange {
  if (!text.slice(start, end).includes("\n")) {
    return { from: start, to: end, insert: STEP, select: [start + STEP.length, start + STEP.length] };
  }
  const from = lineStart(text, start);
  const insert = text.slice(from, end).replace(/^/gm, STEP);
  return { from, to: end, insert, select: [start + STEP.length, from + insert.length] };
}

/** Shift+Tab: every touched line moved left. */
export function outdent(text: string, start: number, end: number): TextChange {
  const from = lineStart(text, start);
  const before = text.slice(from, end);
  const insert = before.replace(/^ {1,2}/gm, "");
  const removedFirst = before.length - before.replace(/^ {1,2}/, "").length;
  const newStart = Math.max(from, start - removedFirst);
  return { from, to: end, insert, select: [newStart, Math.max(newStart, from + insert.length)] };
}

/** Enter: the new line starts where the last one did, one step deeper after an opening bracket. */
export function newLine(text: string, start: number, end: number): TextChange {
  const line = text.slice(lineStart(text, start), start);
  const depth = /^ */.exec(line)?.[0] ?? "";
  const opened = /[{[]\s*$/.test(line);
  const inner = `\n${depth}${opened ? STEP : ""}`;
  const closing = opened && /^\s*[}\]]/.test(text.slice(end)) ? `\n${depth}` : "";
  const caret = start + inner.length;
  return { from: start, to: end, insert: inner + closing, select: [caret, caret] };
}
