/**
 * Where a line of a text begins and ends.
 * @param line counted from 1; behind the last it is the last
 */
export function rangeOfLine(text: string, line: number): { from: number; to: number } {
  const lines = text.split("\n");
  const index = Math.min(line, lines.length) - 1;
  const from = lines.slice(0, index).reduce((length, before) => length + before.length + 1, 0);
  return { from, to: from + (lines[index]?.length ?? 0) };
}
