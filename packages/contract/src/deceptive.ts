import { replaceLookalikes } from "./lookalikes.ts";

/*
 * Characters that change what is read: invisible ones reverse the direction of a text, hide words, or tell two names apart that
 * look the same; letters of one script pass for those of another. People who decide on a text see them as marks.
 * https://www.unicode.org/reports/tr36/
 */

const CONTROLS = "\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f";
const DIRECTIONS = "\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069";
const HIDDEN =
  "\\u00ad\\u034f\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f\\u200b\\u2028\\u2029\\u2060-\\u2065\\u206a-\\u206f\\u3164\\ufeff\\uffa0\\ufff9-\\ufffb";
const BEYOND = "\\u{13430}-\\u{1343f}\\u{1bca0}-\\u{1bca3}\\u{1d173}-\\u{1d17a}\\u{e0000}-\\u{e0fff}";
/** Joiners belong to emoji and to letters of scripts that join, variation selectors to the character before them. */
const JOINERS =
  "(?<![\\p{Extended_Pictographic}\\p{EMod}\\ufe0f\\p{L}\\p{M}])[\\u200c\\u200d]|[\\u200c\\u200d](?![\\p{Extended_Pictographic}\\p{L}\\p{M}])";
const LATIN_JOINERS = "(?<=[\\p{sc=Latin}\\p{sc=Cyrillic}\\p{sc=Greek}])[\\u200c\\u200d]";
const SELECTORS = "(?<![^\\s\\ufe00-\\ufe0f])[\\ufe00-\\ufe0f]";
const FLAG = "\\u{1f3f4}[\\u{e0020}-\\u{e007e}]{1,6}\\u{e007f}";
const LONE_SURROGATE = "\\p{Cs}";

const ALL = `[${CONTROLS}${DIRECTIONS}${HIDDEN}${BEYOND}]|${JOINERS}|${LATIN_JOINERS}|${SELECTORS}|${LONE_SURROGATE}`;
const FIRST_LOOK = new RegExp(
  `[${CONTROLS}${DIRECTIONS}${HIDDEN}${BEYOND}\\u200c\\u200d\\ufe00-\\ufe0f]|${LONE_SURROGATE}`,
  "u",
);
const INVISIBLE = new RegExp(`(${FLAG})|${ALL}`, "gu");

/** `U+202E` */
function nameOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
}

/** A text with `⟨U+202E⟩` in the place of each deceptive character. The same text where there is none. */
export function markDeceptive(text: string): string {
  return replaceDeceptive(text, (found) => `⟨${nameOf(found)}⟩`);
}

/** Where each deceptive character of a text stands, in UTF-16 units, and the mark that is shown for it. */
export function deceptivePlaces(text: string): { at: number; length: number; mark: string }[] {
  const marked = markDeceptive(text);
  if (marked === text) return [];
  const places: { at: number; length: number; mark: string }[] = [];
  let at = 0;
  let shown = 0;
  while (at < text.length) {
    const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
    const mark = `⟨${nameOf(character)}⟩`;
    const isMark = marked.startsWith(mark, shown);
    if (isMark) places.push({ at, length: character.length, mark });
    at += character.length;
    shown += isMark ? mark.length : character.length;
  }
  return places;
}

function replaceDeceptive(text: string, toMark: (character: string) => string): string {
  // The marks of the first step are made of visible characters, so the second leaves them alone.
  const shown = replaceLookalikes(text, toMark);
  if (!FIRST_LOOK.test(shown)) return shown;
  return shown.replace(INVISIBLE, (found, flag: string | undefined) => flag ?? toMark(found));
}

/** The deceptive characters in the texts and keys of a value, each once: `["U+200B", "U+202E"]`. */
export function deceptiveIn(value: unknown): string[] {
  const found = new Set<string>();
  const visit = (part: unknown): void => {
    if (typeof part === "string") {
      replaceDeceptive(part, (character) => {
        found.add(nameOf(character));
        return character;
      });
    } else if (Array.isArray(part)) for (const item of part) visit(item);
    else if (typeof part === "object" && part !== null)
      for (const [key, child] of Object.entries(part)) {
        visit(key);
        visit(child);
      }
  };
  visit(value);
  return [...found].sort();
}
