import type { Parts } from "./graph-parts.ts";

export interface Join {
  /** Where all come together; undefined: nowhere, they end on their own. */
  at: string | undefined;
  /** Whether every way through the regions leads there, so that none ends before it. */
  isCertain: boolean;
}

/** Where a fork stands. */
export interface Surroundings {
  /** What the graph begins with. */
  entry: readonly string[];
  /** Parts that lie outside: going there is the end of the surroundings. */
  stops: ReadonlySet<string>;
  /** The loop whose body this is: going back to it is the end of a round. */
  loop: string | undefined;
}

/** Whether any way from a part ends, or leads out of the surroundings, instead of failing. */
export function canEnd(parts: Parts, from: string, { stops }: Surroundings): boolean {
  return [...reachOf(parts, [from], stops)].some((key) => {
    const part = parts.get(key);
    if (part === undefined || part.final !== undefined) return true;
    const ways = [...part.ways.map(({ targets }) => targets), ...(part.onError === undefined ? [] : [part.onError])];
    const isOpen = part.ways.length > 0 && part.ways.every(({ guard }) => guard !== undefined);
    return isOpen || ways.some((way) => way.every((next) => stops.has(next)));
  });
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
 * @param around with `hasToEnd`, what follows has to be able to end
 */
export function findJoin(
  parts: Parts,
  targets: readonly string[],
  around: Surroundings & { hasToEnd: boolean },
): Join | undefined {
  const { stops, hasToEnd } = around;
  if (targets.length < 2) return undefined;
  const [first = new Set<string>(), ...others] = targets.map((target) => reachOf(parts, [target], stops));
  const common = [...first].filter((key) => others.every((reach) => reach.has(key)));
  for (const at of [...common, undefined]) {
    const limits = at === undefined ? stops : new Set([...stops, at]);
    const begun = targets.filter((target) => target !== at);
    const regions = new Map(begun.map((target) => [target, reachOf(parts, [target], limits)]));
    const whole = new Map([...regions].map(([target, keys]) => [target, withInner(parts, keys, limits)]));
    if (!areApart(parts, whole, targets, around)) continue;
    if (hasToEnd && !(at === undefined ? targets : [at]).every((key) => canEnd(parts, key, around))) continue;
    if (at === undefined) return { at, isCertain: true };
    // What leads past the join would only be gone on with after it.
    if (leadsTo(parts, targets, regions, stops)) continue;
    const certain = [...regions.values()].filter((region) => alwaysLeadsTo(parts, region, at));
    // Where each way may end before it, whether it is come to depends on all of them.
    if (begun.length === targets.length && certain.length === 0) continue;
    return { at, isCertain: certain.length === regions.size };
  }
  return undefined;
}

/** Whether the fork or a part between leads to one of the `stops`. */
function leadsTo(
  parts: Parts,
  targets: readonly string[],
  regions: ReadonlyMap<string, ReadonlySet<string>>,
  stops: ReadonlySet<string>,
): boolean {
  const between = [...regions.values()].flatMap((keys) => [...keys]);
  return [...targets, ...between.flatMap((key) => nextOf(parts, key))].some((next) => stops.has(next));
}

/** Whether nothing in a region ends before the join. */
function alwaysLeadsTo(parts: Parts, region: ReadonlySet<string>, at: string): boolean {
  return [...region].every((key) => {
    const part = parts.get(key);
    if (part === undefined || part.final !== undefined) return false;
    const ways = [...part.ways.map(({ targets }) => targets), ...(part.onError === undefined ? [] : [part.onError])];
    const isOpen = part.ways.every(({ guard }) => guard !== undefined);
    return !isOpen && ways.every((way) => way.length > 0 && way.every((next) => next === at || region.has(next)));
  });
}

/** With what lies in the bodies of loops and in groups: it leads back to them, and nothing else does. */
function withInner(parts: Parts, keys: ReadonlySet<string>, limits: ReadonlySet<string>): Set<string> {
  const whole = new Set(keys);
  for (const key of whole) {
    const { loop, group, parallel = [] } = parts.get(key) ?? {};
    const entry = [...(loop?.body.entry ?? []), ...(group?.entry ?? []), ...parallel.flatMap((one) => one.entry)];
    for (const inner of reachOf(parts, entry, new Set([...limits, key]))) whole.add(inner);
  }
  return whole;
}

/** Whether each part between is in one region only, and is entered only through the fork. */
function areApart(
  parts: Parts,
  regions: ReadonlyMap<string, ReadonlySet<string>>,
  targets: readonly string[],
  { entry, loop }: Surroundings,
): boolean {
  const owner = new Map<string, string>();
  for (const [target, keys] of regions) {
    for (const key of keys) {
      if (owner.has(key)) return false;
      owner.set(key, target);
    }
  }
  const isFork = (way: readonly string[]) => {
    const goesOn = new Set(way.filter((target) => target !== loop));
    return goesOn.size === targets.length && [...goesOn].every((target) => targets.includes(target));
  };
  // Only the fork itself leads into the regions, from outside of them: a step stands in one place.
  const isIntruder = (way: readonly string[], mine?: string) =>
    isFork(way) ? mine !== undefined : way.some((next) => owner.has(next) && owner.get(next) !== mine);
  if (isIntruder(entry)) return false;
  for (const [key, { ways, onError = [], loop: inner, parallel = [], group }] of parts) {
    const mine = owner.get(key);
    if (inner !== undefined && isIntruder(inner.body.entry, mine)) return false;
    if (group !== undefined && isIntruder(group.entry, mine)) return false;
    if (parallel.some((region) => isIntruder(region.entry, mine))) return false;
    if ([...ways.map((one) => one.targets), onError].some((way) => isIntruder(way, mine))) return false;
  }
  return true;
}
