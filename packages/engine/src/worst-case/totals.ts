/*
 * Amounts by quantity, and how they add up. The names of quantities are those of the caller; the engine itself knows only
 * `active` and `waiting`, both in milliseconds.
 */

/** What makes a quantity unbounded. */
export interface Cause {
  /** The state, `caller/inner` in a called workflow. */
  state: string;
  /** Where it is in the definition: `$.states.ask`. */
  path: string;
  code: string;
  /** What a code is about besides the state, such as a model's name. */
  about: string | null;
}

/** A state that adds to a quantity. */
export interface Part extends Pick<Cause, "state" | "path"> {
  most: number;
}

/** `most` is Infinity where there are causes; of `active`, which the limit of a run bounds, also without any. */
export interface Amount {
  most: number;
  causes: readonly Cause[];
  /** The single step that adds most to it, where it is a finite number. */
  largest?: Part | undefined;
}

/** Quantities that are not in it are zero. */
export type Totals = ReadonlyMap<string, Amount>;

export const ACTIVE = "active";
export const WAITING = "waiting";
export const NOTHING: Totals = new Map();

/** Causes of one quantity that are named; a person mends some at a time. */
const MAX_CAUSES = 20;

export function amount(most: number, at?: Pick<Cause, "state" | "path">): Amount {
  return { most, causes: [], ...(at && most > 0 ? { largest: { ...at, most } } : {}) };
}

export function unboundedBy(...causes: Cause[]): Amount {
  return { most: Number.POSITIVE_INFINITY, causes };
}

/** One after the other. */
export function sum(list: readonly Totals[]): Totals {
  return merge(list, (one, other) => one + other, largerPart);
}

/** One of them; which one is not known. */
export function either(list: readonly Totals[]): Totals {
  return merge(list, Math.max, (one, other) => (one.most >= other.most ? one : other).largest);
}

/** Side by side: everything adds up but time. */
export function together(list: readonly Totals[]): Totals {
  const most = either(list);
  const added = new Map(sum(list));
  for (const name of [ACTIVE, WAITING]) {
    const longest = most.get(name);
    if (longest !== undefined) added.set(name, longest);
  }
  return added;
}

/** @param count finite */
export function times(totals: Totals, count: number): Totals {
  if (count === 0) return NOTHING;
  return new Map(
    [...totals].map(([name, { most, causes, largest }]) => [
      name,
      { most: most * count, causes, largest: largest && { ...largest, most: largest.most * count } },
    ]),
  );
}

/** Every quantity for which `holds` is without a bound. */
export function unbound(totals: Totals, cause: Cause, holds: (name: string) => boolean = () => true): Totals {
  return new Map(
    [...totals].map(([name, given]) => {
      if (given.most === 0 || !holds(name)) return [name, given];
      if (name === ACTIVE) return [name, unboundedBy()];
      return [name, unboundedBy(...distinct([...given.causes, cause]))];
    }),
  );
}

/** Time that a state takes in all. What it waits goes first, so that a limit on a run's active time still holds for the rest. */
export function within(totals: Totals, milliseconds: number): Totals {
  const waiting = Math.min(mostOf(totals, WAITING), milliseconds);
  const active = Math.min(mostOf(totals, ACTIVE), milliseconds - waiting);
  return new Map([...totals, [WAITING, amount(waiting)], [ACTIVE, amount(active)]]);
}

/** The quantity is at most so much, whatever else was found. */
export function capped(totals: Totals, name: string, most: number): Totals {
  const found = totals.get(name);
  if (found === undefined || found.most <= most) return totals;
  return new Map([...totals, [name, { ...amount(most), largest: found.largest }]]);
}

export function mostOf(totals: Totals, name: string): number {
  return totals.get(name)?.most ?? 0;
}

function merge(
  list: readonly Totals[],
  join: (one: number, other: number) => number,
  largest: (one: Amount, other: Amount) => Part | undefined,
): Totals {
  const merged = new Map<string, Amount>();
  for (const totals of list) {
    for (const [name, found] of totals) {
      const before = merged.get(name);
      const joined = before && {
        most: join(before.most, found.most),
        causes: joinCauses(before.causes, found.causes),
        largest: largest(before, found),
      };
      merged.set(name, joined ?? found);
    }
  }
  return merged;
}

function largerPart(one: Amount, other: Amount): Part | undefined {
  return (one.largest?.most ?? 0) >= (other.largest?.most ?? 0) ? one.largest : other.largest;
}

function joinCauses(one: readonly Cause[], other: readonly Cause[]): readonly Cause[] {
  if (other.length === 0) return one;
  return one.length === 0 ? other : distinct([...one, ...other]);
}

function distinct(causes: readonly Cause[]): Cause[] {
  const byName = new Map(causes.map((cause) => [JSON.stringify([cause.state, cause.code, cause.about]), cause]));
  return [...byName.values()].slice(0, MAX_CAUSES);
}
