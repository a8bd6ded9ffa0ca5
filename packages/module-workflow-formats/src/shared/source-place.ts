import type { Json } from "@oven/contract";

export interface Place {
  line: number;
  column: number;
}

export interface ReadSource {
  value: Json;
  /** Where the value of a path such as `$.executors[2].tools[0]` stands, else what is nearest around it. */
  placeOf(path: string): Place;
}

/** @param offsets of values in the text, by path */
export function placesIn(text: string, offsets: ReadonlyMap<string, number>): (path: string) => Place {
  let starts: number[] | undefined;
  return (path) => {
    for (let at = path; at.length > 0; at = at.slice(0, Math.max(at.lastIndexOf("."), at.lastIndexOf("[")))) {
      const offset = offsets.get(at);
      if (offset === undefined) continue;
      starts ??= startsOfLines(text);
      const line = lastUpTo(starts, offset);
      return { line: line + 1, column: offset - (starts[line] ?? 0) + 1 };
    }
    return { line: 1, column: 1 };
  };
}

function startsOfLines(text: string): number[] {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return starts;
}

/** Index of the last entry of a rising list that is not over the value. */
function lastUpTo(list: readonly number[], value: number): number {
  let low = 0;
  let high = list.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((list[middle] ?? 0) <= value) low = middle;
    else high = middle - 1;
  }
  return low;
}
