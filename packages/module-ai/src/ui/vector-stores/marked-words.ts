export interface TextPart {
  text: string;
  marked: boolean;
}

const WORD = /([\p{L}\p{N}]+)/u;
const SHORTEST = 3;

/** A text in parts, with those marked that a search's words are likely to have found it by: the same word, or another ending of it. */
export function markWords(text: string, query: string): TextPart[] {
  const wanted = query
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word.length >= SHORTEST);
  const parts: TextPart[] = [];
  for (const piece of text.split(WORD)) {
    const marked = isLike(piece.toLowerCase(), wanted);
    const last = parts.at(-1);
    if (last !== undefined && last.marked === marked) last.text += piece;
    else if (piece !== "") parts.push({ text: piece, marked });
  }
  return parts;
}

function isLike(word: string, wanted: readonly string[]): boolean {
  if (word.length < SHORTEST) return false;
  return wanted.some((one) => {
    const [short, long] = word.length < one.length ? [word, one] : [one, word];
    return long.startsWith(short) && long.length - short.length <= 3 && short.length >= Math.min(4, long.length);
  });
}
