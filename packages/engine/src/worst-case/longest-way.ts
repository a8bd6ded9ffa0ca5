/** What may follow what, among things with numbers from 0. */
export type Edges = readonly ReadonlySet<number>[];

/** One thing, or several that lead to each other. */
export interface Component {
  members: readonly number[];
  /** A way leads from it back to itself. */
  isCycle: boolean;
}

/**
 * Strongly connected components, each after all that it leads to (Tarjan, without recursion: a definition may have thousands of
 * states in a row).
 */
function components(edges: Edges): Component[] {
  const index = new Map<number, number>();
  const low = new Map<number, number>();
  const stack: number[] = [];
  const onStack = new Set<number>();
  const found: Component[] = [];
  const lower = (at: number, value: number): void => void low.set(at, Math.min(low.get(at) ?? value, value));
  for (const root of edges.keys()) {
    if (index.has(root)) continue;
    const work: { at: number; rest: number[] }[] = [];
    const enter = (at: number): void => {
      index.set(at, index.size);
      low.set(at, index.size - 1);
      stack.push(at);
      onStack.add(at);
      work.push({ at, rest: [...(edges[at] ?? [])] });
    };
    enter(root);
    for (let top = work.at(-1); top !== undefined; top = work.at(-1)) {
      const { at, rest } = top;
      const next = rest.pop();
      if (next !== undefined) {
        if (!index.has(next)) enter(next);
        else if (onStack.has(next)) lower(at, index.get(next) ?? 0);
        continue;
      }
      work.pop();
      const before = work.at(-1);
      if (before) lower(before.at, low.get(at) ?? 0);
      if (low.get(at) !== index.get(at)) continue;
      const members = stack.splice(stack.lastIndexOf(at));
      for (const member of members) onStack.delete(member);
      found.push({ members, isCycle: members.length > 1 || (edges[at]?.has(at) ?? false) });
    }
  }
  return found;
}

/**
 * The longest way through, wherever it begins.
 * @param worth of one component
 * @param join how what follows one another adds up
 * @param best of several ways
 */
export function longestWay<T>(
  edges: Edges,
  worth: (component: Component) => T,
  join: (one: T, other: T) => T,
  best: (ways: readonly T[]) => T,
): T {
  const from = new Map<number, number>();
  const ways: T[] = [];
  for (const [place, component] of components(edges).entries()) {
    const after = new Set<number>();
    for (const member of component.members) {
      from.set(member, place);
      for (const next of edges[member] ?? []) {
        const other = from.get(next);
        if (other !== undefined && other !== place) after.add(other);
      }
    }
    const following = [...after].flatMap((other) => ways[other] ?? []);
    const own = worth(component);
    ways.push(following.length === 0 ? own : join(own, best(following)));
  }
  // What comes first is named first.
  return best(ways.toReversed());
}
