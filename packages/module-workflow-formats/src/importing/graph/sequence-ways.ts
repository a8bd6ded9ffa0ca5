import { reachedFrom } from "../complete/carry-over.ts";
import { buildStates } from "./build-states.ts";
import { canEnd } from "./find-join.ts";
import type { Part, Parts, TangledFork } from "./graph-parts.ts";
import { nodeOfPart, partKey } from "./part-key.ts";
import { StateNames } from "./state-names.ts";

/** Ways of one fork that lead to common parts, or a single one. */
export interface WayGroup {
  targets: readonly string[];
  /** All parts that they lead to without going through the fork again. */
  reach: ReadonlySet<string>;
}

/** A fork whose ways are gone along one after the other. */
export interface Sequence {
  fork: TangledFork;
  /** Parts that runs come to without going through the fork. */
  before: ReadonlySet<string>;
  /** Groups that end by themselves, in order. */
  first: readonly WayGroup[];
  /** What is gone on with last: it may lead back to before the fork. */
  last: WayGroup;
}

export interface SequenceOptions {
  /** The order in which the product goes along ways, as a list of the same targets. */
  inOrder(targets: readonly string[]): readonly string[];
  /** Whether nothing but the order of their steps depends on which way comes first. */
  isAllowed(sequence: Sequence): boolean;
  /** Takes an id for a state. */
  take(name: string): string;
}

/**
 * Lets the ways of a fork that do not come together be gone along one after the other, where all but one end by themselves: those come first, each as
 * a group of states, and the one that leads back, or to what other steps lead to as well, comes last. For products that do so; what they do at the
 * same time stays as it is.
 * @param parts gets the groups
 * @param entries what runs begin with
 * @returns what they begin with now, and what was put in order
 */
export function sequenceWays(
  parts: Map<string, Part>,
  entries: readonly string[],
  options: SequenceOptions,
): { entries: readonly string[]; sequences: Sequence[] } {
  const sequences: Sequence[] = [];
  let begin = entries;
  for (;;) {
    const before = sequences.length;
    for (const fork of tangledIn(parts, begin)) {
      const sequence = toSequence(parts, begin, { fork, ...options });
      if (sequence === undefined || !options.isAllowed(sequence)) continue;
      begin = putInOrder(parts, begin, sequence, options.take);
      sequences.push(sequence);
    }
    if (sequences.length === before) return { entries: begin, sequences };
  }
}

function tangledIn(parts: Parts, entries: readonly string[]): TangledFork[] {
  const found: TangledFork[] = [];
  const toTangled = (fork: TangledFork) => {
    found.push(fork);
    return { label: "" };
  };
  buildStates(parts, entries, { names: new StateNames(), toTangled });
  return found;
}

/** Whether a list of targets is that of a fork. */
function isSame(targets: readonly string[], fork: TangledFork): boolean {
  const own = new Set(targets);
  return own.size === new Set(fork.targets).size && fork.targets.every((target) => own.has(target));
}

/** All lists of what a part leads to, those of its inner states among them. */
function listsOf({ ways, onError, loop, parallel = [], group }: Part): (readonly string[])[] {
  const inner = [loop?.body.entry, group?.entry, ...parallel.map(({ entry }) => entry)];
  return [...ways.map(({ targets }) => targets), onError, ...inner].filter((list) => list !== undefined);
}

function toSequence(
  parts: Parts,
  entries: readonly string[],
  { fork, inOrder }: { fork: TangledFork } & SequenceOptions,
): Sequence | undefined {
  // Nothing is gone along a second time where the fork is come to again.
  const cut = new Map(
    [...parts].map(([key, part]) => [key, withLists(part, (list) => (isSame(list, fork) ? [] : list))]),
  );
  const sites = new Set(
    [...parts].flatMap(([key, part]) => (listsOf(part).some((list) => isSame(list, fork)) ? [key] : [])),
  );
  const groups: { targets: string[]; reach: Set<string> }[] = [];
  for (const target of inOrder(fork.targets)) {
    const reach = reachedFrom([target], cut);
    const shared = groups.filter((group) => overlap(group.reach, reach));
    const joined = { targets: [...shared.flatMap(({ targets }) => targets), target], reach };
    for (const group of shared) {
      for (const key of group.reach) reach.add(key);
      groups.splice(groups.indexOf(group), 1);
    }
    groups.push(joined);
  }
  const endsEach = (targets: readonly string[]) =>
    targets.every((target) => canEnd(parts, target, { entry: [], stops: new Set(), loop: undefined }));
  // Of ways that are gone along at once, one that always fails lets none of them go on.
  const forksIn = (reach: ReadonlySet<string>) =>
    [...reach].flatMap((key) => {
      const part = parts.get(key);
      return part === undefined ? [] : listsOf(part).filter((list) => new Set(list).size > 1 && !isSame(list, fork));
    });
  const isClosed = ({ targets, reach }: WayGroup) =>
    !overlap(sites, reach) &&
    endsEach(targets) &&
    forksIn(reach).every(endsEach) &&
    !isEntered(cut, isSame(entries, fork) ? [] : entries, reach);
  const closed = groups.filter(isClosed);
  const open = groups.filter((group) => !closed.includes(group));
  const rest = open.length > 0 ? open : closed.splice(-1);
  if (closed.length === 0) return undefined;
  const reach = new Set(rest.flatMap((group) => [...group.reach]));
  const before = reachedFrom(isSame(entries, fork) ? [] : entries, cut);
  return { fork, before, first: closed, last: { targets: rest.flatMap(({ targets }) => targets), reach } };
}

function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return [...one].some((key) => other.has(key));
}

/** Whether anything outside of some parts leads into them. */
function isEntered(parts: Parts, entries: readonly string[], reach: ReadonlySet<string>): boolean {
  const leadsIn = (list: readonly string[]) => list.some((target) => reach.has(target));
  return leadsIn(entries) || [...parts].some(([key, part]) => !reach.has(key) && listsOf(part).some(leadsIn));
}

function withLists(part: Part, change: (list: readonly string[]) => readonly string[]): Part {
  const { ways, onError, loop, parallel, group } = part;
  return {
    ...part,
    ways: ways.map((way) => ({ ...way, targets: change(way.targets) })),
    ...(onError === undefined ? {} : { onError: change(onError) }),
    ...(loop === undefined ? {} : { loop: { ...loop, body: { ...loop.body, entry: change(loop.body.entry) } } }),
    ...(parallel === undefined ? {} : { parallel: parallel.map((one) => ({ ...one, entry: change(one.entry) })) }),
    ...(group === undefined ? {} : { group: { entry: change(group.entry) } }),
  };
}

function putInOrder(
  parts: Map<string, Part>,
  entries: readonly string[],
  { fork, first, last }: Sequence,
  take: (name: string) => string,
): readonly string[] {
  let next = last.targets;
  const made: [string, Part][] = [];
  for (const { targets } of first.toReversed()) {
    const label = targets.map((target) => parts.get(target)?.label ?? target).join(", ");
    const id = take(`${label} way`);
    const key = partKey(`group ${id}`, nodeOfPart(fork.from));
    made.push([key, { id, label, group: { entry: targets }, ways: [{ targets: next }] }]);
    next = [key];
  }
  const begin = next;
  const lead = (list: readonly string[]) => (isSame(list, fork) ? begin : list);
  for (const [key, part] of parts) parts.set(key, withLists(part, lead));
  for (const [key, part] of made) parts.set(key, part);
  return lead(entries);
}
