/** Dampens the difference between the first places; 60 is the usual one (Cormack, Clarke, Büttcher 2009). */
const K = 60;

/** Reciprocal rank fusion of lists of ids, best first. 1 is the first place in every list. */
export function fuseRanks(lists: readonly (readonly number[])[]): { id: number; score: number }[] {
  const scores = new Map<number, number>();
  for (const list of lists) {
    for (const [index, id] of list.entries()) scores.set(id, (scores.get(id) ?? 0) + 1 / (K + index + 1));
  }
  const best = lists.length / (K + 1);
  return [...scores]
    .map(([id, score]) => ({ id, score: score / best }))
    .sort((a, b) => b.score - a.score || a.id - b.id);
}
