import { diffWordsWithSpace } from "diff";

/** A run of words that both texts have, or that only one of them has. */
export interface TextPart {
  kind: "same" | "removed" | "added";
  text: string;
}

/** Above so many changed words the comparison stops: the texts are then shown one after the other. */
const MAX_CHANGED_WORDS = 1_000;
/** Texts with less than this share in common read better one after the other. */
const MIN_SHARED = 0.3;

/** How two texts differ, word by word; null when they have too little in common for that to be readable. */
export function diffTexts(before: string, after: string): TextPart[] | null {
  // A name or an address is read as a whole.
  if (!/\s/.test(before) && !/\s/.test(after)) return null;
  const changes = diffWordsWithSpace(before, after, { maxEditLength: MAX_CHANGED_WORDS });
  if (changes === undefined) return null;
  const parts = changes.map(({ value, added, removed }): TextPart => {
    return { kind: added ? "added" : removed ? "removed" : "same", text: value };
  });
  const shared = parts.reduce((length, { kind, text }) => length + (kind === "same" ? text.trim().length : 0), 0);
  return shared < MIN_SHARED * Math.min(before.length, after.length) || shared === 0 ? null : parts;
}

/** How much of an unchanged passage stays beside a change, in characters. */
const AROUND = 60;

/** The parts with long unchanged passages shortened, so that the first change is in sight. */
export function shortenSame(parts: readonly TextPart[]): TextPart[] {
  return parts.map((part, index) => {
    if (part.kind !== "same" || part.text.length <= 3 * AROUND) return part;
    const head = index === 0 ? "" : `${part.text.slice(0, AROUND)} `;
    const tail = index === parts.length - 1 ? "" : ` ${part.text.slice(-AROUND)}`;
    return { kind: "same", text: `${head}…${tail}` };
  });
}

/** Where the texts begin to differ, in UTF-16 units. */
export function firstDifference(before: string, after: string): number {
  let at = 0;
  while (at < before.length && at < after.length && before[at] === after[at]) at += 1;
  return at;
}
