const FENCE = "```";

/**
 * A text in parts of at most so many UTF-16 code units, cut where paragraphs, lines or words end. A block of code that is cut is closed and
 * opened again.
 */
export function splitText(text: string, longest: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  // Room for the fences that are added.
  const most = longest - 2 * (FENCE.length + 1);
  while (rest.length > longest) {
    const at = cutAt(rest, most);
    const part = rest.slice(0, at).trimEnd();
    const isInCode = part.split(FENCE).length % 2 === 0;
    parts.push(isInCode ? `${part}\n${FENCE}` : part);
    rest = isInCode ? `${FENCE}\n${rest.slice(at).replace(/^\n/, "")}` : rest.slice(at).trimStart();
  }
  return [...parts, rest];
}

function cutAt(text: string, most: number): number {
  for (const end of ["\n\n", "\n", " "]) {
    const at = text.lastIndexOf(end, most);
    // A cut near the beginning would make many short parts.
    if (at > most / 2) return at;
  }
  // Between the halves of a character beyond the basic plane stands no end.
  const isInPair = /[\uD800-\uDBFF]/.test(text.charAt(most - 1));
  return isInPair ? most - 1 : most;
}
