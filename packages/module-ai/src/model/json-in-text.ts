/** What stands at a place in a text: a whole value, or where what began as one stops being one. */
type Scanned = { type: "value"; end: number } | { type: "broken"; at: number; hasKey: boolean };

export interface FoundJson {
  /** Objects and lists as they are written, outermost ones only, in order. */
  texts: string[];
  /** An object that has begun and is broken or cut off. */
  isBroken: boolean;
}

const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/**
 * The JSON objects and lists that stand in a text among other words. One pass: nothing inside of a value that is broken is looked at,
 * so part of a cut answer is never taken for the whole.
 */
export function findJson(text: string): FoundJson {
  const texts: string[] = [];
  for (let at = 0; at < text.length; ) {
    if (text[at] !== "{" && text[at] !== "[") {
      at++;
      continue;
    }
    const scanned = scan(text, at);
    if (scanned.type === "value") texts.push(text.slice(at, scanned.end));
    else if (scanned.hasKey) return { texts, isBroken: true };
    // Never the same place again, and never inside of what has been read.
    at = scanned.type === "value" ? scanned.end : Math.max(scanned.at, at + 1);
  }
  return { texts, isBroken: false };
}

/** Reads one object or list, as the grammar of JSON has it. */
function scan(text: string, start: number): Scanned {
  const open: string[] = [];
  let at = start;
  let hasKey = false;
  let wanted: "value" | "key" | "end" = "value";
  /** Right behind an opening bracket, which may be closed at once. */
  let isFirst = false;
  const broken = (): Scanned => ({ type: "broken", at, hasKey });
  for (;;) {
    at = skipBlank(text, at);
    const next = text[at];
    const inner = open.at(-1);
    if ((isFirst || wanted === "end") && inner !== undefined && next === (inner === "{" ? "}" : "]")) {
      at++;
      open.pop();
      if (open.length === 0) return { type: "value", end: at };
      [wanted, isFirst] = ["end", false];
    } else if (wanted === "end") {
      if (next !== ",") return broken();
      at++;
      wanted = inner === "{" ? "key" : "value";
    } else if (wanted === "key") {
      const end = endOfString(text, at);
      const colon = end === undefined ? at : skipBlank(text, end);
      if (end === undefined || text[colon] !== ":") return broken();
      at = colon + 1;
      [wanted, isFirst, hasKey] = ["value", false, true];
    } else if (next === "{" || next === "[") {
      open.push(next);
      at++;
      [wanted, isFirst] = [next === "{" ? "key" : "value", true];
    } else {
      const end = next === '"' ? endOfString(text, at) : endOf(SCALAR, text, at);
      if (end === undefined) return broken();
      at = end;
      [wanted, isFirst] = ["end", false];
    }
  }
}

function endOfString(text: string, start: number): number | undefined {
  if (text[start] !== '"') return undefined;
  for (let at = start + 1; at < text.length; ) {
    const character = text.charAt(at);
    if (character === '"') return at + 1;
    if (character < " ") return undefined;
    const end = character === "\\" ? endOf(ESCAPE, text, at) : at + 1;
    if (end === undefined) return undefined;
    at = end;
  }
  return undefined;
}

function endOf(pattern: RegExp, text: string, start: number): number | undefined {
  pattern.lastIndex = start;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}

function skipBlank(text: string, start: number): number {
  let at = start;
  while (text[at] === " " || text[at] === "\n" || text[at] === "\r" || text[at] === "\t") at++;
  return at;
}
