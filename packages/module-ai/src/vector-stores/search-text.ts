/**
 * What the search by words compares: both a text and what is asked are brought into one form. PostgreSQL takes words apart at spaces,
 * which Chinese, Japanese, Thai and their like do not have, and Korean has only between phrases; there, each two characters that
 * follow each other are a word, so that a part of a sentence is found wherever it begins.
 */

/** Changes when texts are prepared in another way: those of a lower version are prepared anew. */
export const SEARCH_VERSION = 1;

/** Characters of a text that are indexed. A tsvector holds one megabyte. */
const MOST_CHARACTERS = 100_000;
const UNSPACED = /[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Hang}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmr}\p{sc=Mymr}]+/gu;
/** Vowel signs and the stretching of letters, which Arabic and Hebrew texts have or leave out. */
const OPTIONAL_SIGNS = /[\u0591-\u05c7\u0640\u064b-\u065f\u0670]/gu;

const characters = new Intl.Segmenter("und", { granularity: "grapheme" });

/** A text as it is indexed. */
export function toSearchText(text: string): string {
  return fold(text.slice(0, MOST_CHARACTERS)).replace(UNSPACED, (run) => ` ${split(run, true).join(" ")} `);
}

/**
 * What is asked, for `websearch_to_tsquery`, and beginnings of words beside it: a single character of a script without spaces is
 * the beginning of each pair that it stands in.
 */
export function toSearchQuery(query: string): { text: string; beginnings: string[] } {
  const beginnings: string[] = [];
  const text = fold(query).replace(UNSPACED, (run) => {
    const words = split(run, false);
    const [only] = words;
    if (words.length > 1 || only === undefined || charactersOf(only).length > 1) return ` ${words.join(" ")} `;
    beginnings.push(only);
    return " ";
  });
  return { text, beginnings };
}

/** NFKC, then capital and small letters as one, also where there are several to one: ß and SS. */
function fold(text: string): string {
  return text.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFKC").replace(OPTIONAL_SIGNS, "");
}

/** Pairs of characters. An indexed run ends with its last character alone, so that a single one finds that, too. */
function split(run: string, indexed: boolean): string[] {
  return run.split(/[\p{P}\p{S}\s]+/u).flatMap((part) => {
    const all = charactersOf(part);
    const pairs = all.slice(1).map((character, index) => `${all[index]}${character}`);
    return indexed || all.length === 1 ? [...pairs, ...all.slice(-1)] : pairs;
  });
}

function charactersOf(text: string): string[] {
  return [...characters.segment(text)].map(({ segment }) => segment);
}
