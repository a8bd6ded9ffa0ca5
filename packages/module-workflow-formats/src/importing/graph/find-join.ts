import type { Parts } from "./graph-parts.ts";

export interface Join {
  /** Where all come together; undefined: nowhere, they end on their own. */
  at: string | undefined;
  /** The parts on the way there, by target. */
  regions: ReadonlyMap<string, ReadonlySet<string>>;
}

function nextOf(parts: Parts, key: string): string[] {
  const part = parts.get(key);
  if (part === undefined) return [];
  return [...part.ways.flatMap(({ targets }) => targets), ...(part.onError ?? [])];
}

/** Everything that can be reached, in the order of distance; what is in `stops` is not entered. */
export function reachOf(parts: Parts, from: readonly string[], stops: ReadonlySet<string> = new Set()): Set<string> {
  const seen = new Set(from.filter((key) => !stops.has(key)));
  for (const key of seen) for (const next of nextOf(parts, key)) if (!stops.has(next)) seen.add(next);
  return seen;
}

/**
 * The nearest place where parallel ways come together so that what lies between has one entry for each way and no other exit.
 * Undefined: there is none, not even the end.
 * @param stops what ends the surroundings
 */
export function findJoin(parts: Parts, targets: readonly string[], stops: ReadonlySet<string>): Join | undefined {
  const [first = new Set<string>(), ...others] = targets.map((target) => reachOf(parts, [target], stops));
  const common = [...first].filter((key) => others.every((reach) => reach.has(key)));
  for (const at of [...common, undefined]) {
    const limits = at === undefined ? stops : new Set([...stops, at]);
    const begun = targets.filter((target) => target !== at);
    const regions = new Map(begun.map((target) => [target, reachOf(parts, [target], limits)]));
    if (areApart(parts, regions, { stops, targets })) return { at, regions };
  }
  return undefined;
}

interface Fork {
  stops: ReadonlySet<string>;
  targets: readonly string[];
}

function areApart(parts: Parts, regions: ReadonlyMap<string, ReadonlySet<string>>, { stops, targets }: Fork): boolean {
  const owner = new Map<string, string>();
  for (const [target, keys] of regions) {
    for (const key of keys) {
      if (owner.has(key)) return false;
      owner.set(key, target);
    }
    // A way out of the surroundings from within a region would leave the others behind.
    if ([...keys].some((key) => nextOf(parts, key).some((next) => stops.has(next)))) return false;
  }
  const isFork = (way: readonly string[]) =>
    new Set(way).size === targets.length && way.every((target) => targets.includes(target));
  for (const [key, { ways, onError = [] }] of parts) {
    const mine = owner.get(key);
    const isElsewhere = (next: string) => owner.has(next) && owner.get(next) !== mine;
    // Only the fork itself leads into the regions: a step stands in one place.
    for (const way of [...ways.map((one) => one.targets), onError])
      if (way.some(isElsewhere) && !(mine === undefined && isFork(way))) return false;
  }
  return true;
}
