/*
 * Letters of different scripts that look the same, as the confusables of Unicode have them for Latin, Cyrillic, Greek and
 * Armenian. https://www.unicode.org/reports/tr39/
 */

/** Drawn as the Latin letter in nearly every typeface. */
const SAME: ReadonlyMap<string, string> = pairs(
  // Cyrillic
  ["аеорсухіјѕԁһӏԛԝѵүАВЕКМНОРСТХУІЈЅԌԚԜӀѴҮ", "aeopcyxijsdhlqwvyABEKMHOPCTXYIJSGQWlVY"],
  // Greek
  ["οϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹͿ", "ocjABEZHIKMNOPTYXCJ"],
  // Armenian
  ["օոսհցզՕՍ", "onuhgqOU"],
);

/** Close enough to be taken for each other where only one of two names is seen. */
const SIMILAR: ReadonlyMap<string, string> = pairs(["ανκιργυτεωпгкзьЗЬ", "avkipyutewnrk3b3b"], ["ıɑɡI1|0", "iaglllO"]);

function pairs(...rows: readonly (readonly [letters: string, latin: string])[]): Map<string, string> {
  return new Map(
    rows.flatMap(([letters, latin]) =>
      Array.from(letters, (letter, index): [string, string] => [letter, latin[index] ?? letter]),
    ),
  );
}

const SAME_LATIN: ReadonlySet<string> = new Set(SAME.values());
const LATIN = /\p{sc=Latin}/u;
const CYRILLIC = /\p{sc=Cyrillic}/u;
const WORD = /[\p{L}\p{M}\p{N}_]+(?:[.@][\p{L}\p{M}\p{N}_]+)*/gu;
const FIRST_LOOK = new RegExp(`[${[...SAME.keys()].join("")}]`, "u");

/**
 * A text with a mark in the place of each letter that stands among those of another script and looks like one of them: the
 * Cyrillic а in `pаypal`. Words whose scripts can be seen to
 * differ stay as they are, and so do formulas with Greek letters.
 */
export function replaceLookalikes(text: string, toMark: (letter: string) => string): string {
  if (!FIRST_LOOK.test(text)) return text;
  return text.replace(WORD, (word) => {
    const letters = word.match(/\p{L}/gu) ?? [];
    const latin = letters.filter((letter) => LATIN.test(letter));
    const others = letters.filter((letter) => !LATIN.test(letter));
    if (latin.length === 0 || others.length === 0) return word;
    const isHidden = others.every((letter) => SAME.has(letter))
      ? (letter: string) => SAME.has(letter)
      : latin.every((letter) => SAME_LATIN.has(letter)) && others.every((letter) => CYRILLIC.test(letter))
        ? (letter: string) => LATIN.test(letter)
        : undefined;
    return isHidden === undefined
      ? word
      : Array.from(word, (letter) => (isHidden(letter) ? toMark(letter) : letter)).join("");
  });
}

/** What is the same for all names that look alike. */
function skeletonOf(name: string): string {
  const letters = Array.from(name.normalize("NFKC").replaceAll(/\p{Cf}/gu, ""), (letter) => {
    const latin = SAME.get(letter) ?? letter;
    return SIMILAR.get(latin) ?? latin;
  });
  return letters.join("").replaceAll("rn", "m").replaceAll("vv", "w").replaceAll(/\s+/g, " ").trim();
}

/** The different names that look alike, in groups of at least two. */
export function lookalikesIn(names: Iterable<string>): string[][] {
  const groups = new Map<string, string[]>();
  for (const name of new Set(names)) {
    const skeleton = skeletonOf(name);
    groups.set(skeleton, [...(groups.get(skeleton) ?? []), name]);
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

/** A name with the characters by code that look like others on a screen: `⟨U+0430⟩pple`. */
export function spellOut(name: string): string {
  return name.replaceAll(
    /[^\x20-\x7e]/gu,
    (letter) => `⟨U+${(letter.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}
