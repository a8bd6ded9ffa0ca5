import type { Place, PolicyGraph } from "@oven/module-workflows";

/**
 * A number for each place, which every edge raises that the engine does not count.
 * @returns in the order of `Numbered`; undefined: there is a cycle of such edges
 */
export function rankPlaces({ start, places }: PolicyGraph): number[] | undefined {
  const ordered = [start, ...places.filter((place) => place !== start)];
  const open = new Map<Place, number>(ordered.map((place) => [place, 0]));
  const next = (place: Place) => place.edges.filter(({ bounded }) => !bounded).map(({ to }) => to);
  for (const to of ordered.flatMap(next)) open.set(to, (open.get(to) ?? 0) + 1);
  const ranks = new Map<Place, number>();
  const queue = ordered.filter((place) => open.get(place) === 0);
  for (const place of queue) {
    ranks.set(place, ranks.size);
    for (const to of next(place)) {
      const left = (open.get(to) ?? 0) - 1;
      open.set(to, left);
      if (left === 0) queue.push(to);
    }
  }
  if (ranks.size < ordered.length) return undefined;
  return ordered.map((place) => ranks.get(place) ?? 0);
}
