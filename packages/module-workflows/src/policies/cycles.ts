import type { Edge, Place } from "./policy-graph.ts";

/** The strongly connected components that have a cycle (Tarjan, without recursion: graphs are deep). */
export function strongComponents(places: readonly Place[], open: ReadonlySet<Edge>): Place[][] {
  const within = new Set(places);
  const index = new Map<Place, number>();
  const low = new Map<Place, number>();
  const onStack = new Set<Place>();
  const stack: Place[] = [];
  const found: Place[][] = [];
  const next = (place: Place) =>
    place.edges.filter((edge) => open.has(edge) && within.has(edge.to)).map(({ to }) => to);
  for (const root of places) {
    if (index.has(root)) continue;
    const work: { place: Place; rest: Place[] }[] = [];
    const enter = (place: Place) => {
      index.set(place, index.size);
      low.set(place, index.size - 1);
      stack.push(place);
      onStack.add(place);
      work.push({ place, rest: next(place) });
    };
    enter(root);
    for (let top = work.at(-1); top !== undefined; top = work.at(-1)) {
      const { place, rest } = top;
      const to = rest.pop();
      if (to !== undefined) {
        if (!index.has(to)) enter(to);
        else if (onStack.has(to)) low.set(place, Math.min(low.get(place) ?? 0, index.get(to) ?? 0));
        continue;
      }
      work.pop();
      const parent = work.at(-1)?.place;
      if (parent !== undefined) low.set(parent, Math.min(low.get(parent) ?? 0, low.get(place) ?? 0));
      if (low.get(place) !== index.get(place)) continue;
      const component: Place[] = [];
      for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
        onStack.delete(member);
        component.push(member);
        if (member === place) break;
      }
      if (component.length > 1 || next(place).includes(place)) found.push(component.reverse());
    }
  }
  return found;
}

/** One way round in a strong component, a shortest one from its first place. */
export function findCycle(component: readonly Place[], open: ReadonlySet<Edge>): Place[] {
  const [first] = component;
  if (first === undefined) return [];
  const within = new Set(component);
  const before = new Map<Place, Place>();
  const queue = [first];
  for (const place of queue) {
    for (const edge of place.edges) {
      if (!open.has(edge) || !within.has(edge.to)) continue;
      if (edge.to === first) {
        const cycle = [place];
        for (let at = before.get(place); at !== undefined; at = before.get(at)) cycle.unshift(at);
        return cycle;
      }
      if (before.has(edge.to)) continue;
      before.set(edge.to, place);
      queue.push(edge.to);
    }
  }
  return [];
}
