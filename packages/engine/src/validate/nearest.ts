/** The known names closest to a wrong one, best first; none when all are far. */
function nearest(name: string, known: Iterable<string>, count = 3): string[] {
  const limit = Math.max(2, Math.floor(name.length / 3));
  return [...known]
    .map((candidate) => ({ candidate, distance: distance(name.toLowerCase(), candidate.toLowerCase()) }))
    .filter(({ candidate, distance: far }) => far <= limit || candidate.toLowerCase().includes(name.toLowerCase()))
    .sort((one, other) => one.distance - other.distance || one.candidate.localeCompare(other.candidate))
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** The known name that a wrong one differs from by one or two letters at most; undefined: there is none. */
export function misspelt(name: string, known: Iterable<string>): string | undefined {
  if (name.length < 5) return undefined;
  return [...known].find((candidate) => distance(name.toLowerCase(), candidate.toLowerCase()) <= 2);
}

/** "Did you mean …?", or `otherwise` when nothing is near. */
export function suggest(name: string, known: Iterable<string>, otherwise: string): string {
  const names = nearest(name, known);
  return names.length === 0 ? otherwise : `Did you mean ${names.join(", ")}?`;
}

/** Levenshtein distance, one row at a time. */
function distance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= to.length; j += 1) {
      const replace = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1);
      next.push(Math.min(replace, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[to.length] ?? 0;
}
