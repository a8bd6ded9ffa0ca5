/** What a command line was read as: its words, and what a shell would have put into them. */
export interface ShellWords {
  words: string[];
  /** Variables and commands that a shell would fill in, as written. */
  unfilled: string[];
  /** What stands behind the command, such as `| jq`; null: nothing. */
  rest: string | null;
}

/** A quote that is not closed. */
export class UnclosedQuote extends Error {}

const ESCAPES: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  a: "\u0007",
  b: "\b",
  f: "\f",
  v: "\v",
  e: "\u001b",
  E: "\u001b",
};
const CODE = /^(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3}))/;
/** Not longer, so that many that are never closed are not each looked for to the end. */
const FILLED = /^(?:\$\w+|\$\{[^}]{0,500}\}|\$\([^)]{0,500}\)|`[^`]{0,500}`)/;

/**
 * Reads the first command of a line as a POSIX shell would, with the `$'…'` of bash. Nothing is run or filled in.
 * @throws UnclosedQuote
 */
export function readShellWords(text: string): ShellWords {
  const words: string[] = [];
  const unfilled: string[] = [];
  let word: string | null = null;
  let at = 0;
  const add = (part: string): void => {
    word = (word ?? "") + part;
  };
  const end = (): void => {
    if (word !== null) words.push(word);
    word = null;
  };
  /** Takes what a shell would fill in as it is written. */
  const takeFilled = (): boolean => {
    const found = FILLED.exec(text.slice(at))?.[0];
    if (found === undefined) return false;
    unfilled.push(found);
    add(found);
    at += found.length;
    return true;
  };
  const closing = (quote: string): number => {
    const close = text.indexOf(quote, at);
    if (close < 0) throw new UnclosedQuote(quote);
    return close;
  };
  while (at < text.length) {
    const sign = text[at] ?? "";
    const next = text[at + 1] ?? "";
    if (sign === "'") {
      at += 1;
      const close = closing("'");
      add(text.slice(at, close));
      at = close + 1;
    } else if (sign === "$" && next === "'") {
      at += 2;
      add("");
      for (;;) {
        if (at >= text.length) throw new UnclosedQuote("'");
        if (text[at] === "'") break;
        if (text[at] === "\\") {
          const [part, length] = readEscape(text.slice(at + 1));
          add(part);
          at += length + 1;
        } else {
          add(text[at] ?? "");
          at += 1;
        }
      }
      at += 1;
    } else if (sign === '"') {
      at += 1;
      add("");
      for (;;) {
        if (at >= text.length) throw new UnclosedQuote('"');
        const inner = text[at] ?? "";
        if (inner === '"') break;
        if (inner === "\\") {
          const escaped = text[at + 1] ?? "";
          if (escaped !== "\n") add('"\\$`'.includes(escaped) ? escaped : `\\${escaped}`);
          at += 2;
        } else if (!takeFilled()) {
          add(inner);
          at += 1;
        }
      }
      at += 1;
    } else if (sign === "\\") {
      // A line that goes on, also with the line ends of Windows.
      if (next === "\n") at += 2;
      else if (next === "\r" && text[at + 2] === "\n") at += 3;
      else {
        add(next);
        at += 2;
      }
    } else if (sign === "\n" || sign === ";" || sign === "|" || sign === "&" || sign === ">" || sign === "<") {
      end();
      const rest = text.slice(at).trim();
      // Empty lines before the command.
      if (sign === "\n" && words.length === 0) at += 1;
      else return { words, unfilled, rest: rest === "" ? null : rest };
    } else if (/\s/.test(sign)) {
      end();
      at += 1;
    } else if (sign === "#" && word === null) {
      const line = text.indexOf("\n", at);
      at = line < 0 ? text.length : line;
    } else if (!takeFilled()) {
      add(sign);
      at += 1;
    }
  }
  end();
  return { words, unfilled, rest: null };
}

/** Whether a command is written for the command prompt of Windows. */
const OF_PROMPT = /\^\s*(?:\r?\n|$|")|^"?curl\.exe\b/m;

/**
 * Reads the words of a command of Windows' command prompt, as browsers copy it: with `^` before line ends and special signs, and `\"` for
 * a quote. Undefined: it is written for another shell.
 * @throws UnclosedQuote
 */
export function readPromptWords(text: string): ShellWords | undefined {
  if (!OF_PROMPT.test(text)) return undefined;
  const joined = text.replace(/\^\s*\r?\n/g, " ");
  const plain = joined.includes('^"') ? joined.replace(/\^([\s\S])/g, "$1") : joined;
  const words: string[] = [];
  let word: string | null = null;
  let isQuoted = false;
  for (let at = 0; at < plain.length; at++) {
    const sign = plain[at] ?? "";
    const next = plain[at + 1];
    if (sign === "\\" && next === '"') {
      word = `${word ?? ""}"`;
      at += 1;
    } else if (sign === '"' && isQuoted && next === '"') {
      word = `${word ?? ""}"`;
      at += 1;
    } else if (sign === '"') {
      isQuoted = !isQuoted;
      word ??= "";
    } else if (!isQuoted && /\s/.test(sign)) {
      if (word !== null) words.push(word);
      word = null;
    } else word = (word ?? "") + sign;
  }
  if (isQuoted) throw new UnclosedQuote('"');
  if (word !== null) words.push(word);
  return { words, unfilled: [], rest: null };
}

/** What stands behind a backslash in `$'…'`, and how long that is. */
function readEscape(text: string): [part: string, length: number] {
  const code = CODE.exec(text);
  if (code !== null) {
    const [all, hex, short, long, octal] = code;
    const point = octal === undefined ? Number.parseInt(hex ?? short ?? long ?? "0", 16) : Number.parseInt(octal, 8);
    return [point <= 0x10ffff ? String.fromCodePoint(point) : "\ufffd", all.length];
  }
  const sign = text[0] ?? "";
  return [ESCAPES[sign] ?? (`'"\\?`.includes(sign) ? sign : `\\${sign}`), 1];
}
