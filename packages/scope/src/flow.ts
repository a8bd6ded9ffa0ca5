import type { JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { childrenOf, familyOf, findState, indexStates, isLoop, isParallel, type StatePlace } from "./states.ts";
import { transitionsOf } from "./transitions.ts";

/** What a state left behind: its result, or its error where it handles that. */
export interface Trace {
  id: string;
  what: "output" | "error";
  /** On every way to the place; else on some. */
  always: boolean;
}

/** Three moments of a state: it is entered, it is done, it has failed. */
type Moment = number;
const ENTERED = 0;
const DONE = 1;
const FAILED = 2;

/** Where a moment comes from: after any of these, or after all of them. */
interface Sources {
  from: Set<Moment>;
  all: boolean;
}

type Bits = Uint32Array;

interface Flow {
  places: readonly StatePlace[];
  index: ReadonlyMap<string, number>;
  sources: readonly Sources[];
  must: readonly (Bits | null)[];
  may: readonly Bits[];
}

const flows = new WeakMap<JsonObject, Flow>();

/** Where an expression stands: where its state is entered, or where a transition of the state is taken. */
export type Moments = "entered" | "done" | "failed";
const MOMENTS: Readonly<Record<Moments, Moment>> = { entered: ENTERED, done: DONE, failed: FAILED };

/** Whether a state's result or error is there at a moment of another state: on every way to it, on some, on none. */
export function presenceOf(
  document: JsonObject,
  { id, what }: Pick<Trace, "id" | "what">,
  { stateId, moment }: { stateId: string; moment: Moments },
): "always" | "sometimes" | "never" {
  const flow = flowOf(document);
  const [from, to] = [flow.index.get(id), flow.index.get(stateId)];
  if (from === undefined || to === undefined) return "never";
  const [bit, at] = [from * 2 + (what === "error" ? 1 : 0), to * 3 + MOMENTS[moment]];
  const must = flow.must[at];
  if (must !== null && must !== undefined && has(must, bit)) return "always";
  const may = flow.may[at];
  if (may !== undefined && has(may, bit)) return "sometimes";
  return areBeside(document, flow.places[from], flow.places[to]) ? "sometimes" : "never";
}

/** Whether two states stand in different regions that run side by side: what one leaves, the other may find at any time. */
function areBeside(document: JsonObject, one: StatePlace | undefined, other: StatePlace | undefined): boolean {
  for (let region = one; region !== undefined; region = region.parent) {
    if (!isParallel(document, region.parent)) continue;
    for (let at = other; at !== undefined; at = at.parent)
      if (at !== region && at.parent === region.parent) return true;
  }
  return false;
}

/**
 * Whether at least one of several results is there at a moment of a state on every way to it: each alone may be missing on some.
 * @param ids the states whose results they are
 */
export function isOneAlwaysThere(
  document: JsonObject,
  ids: readonly string[],
  { stateId, moment }: { stateId: string; moment: Moments },
): boolean {
  const { index, sources } = flowOf(document);
  const to = index.get(stateId);
  if (to === undefined) return false;
  const makers = new Set(ids.flatMap((id) => index.get(id) ?? []).map((place) => place * 3 + DONE));
  // Every moment counts as sure until a way without any of the results is found.
  const sure = sources.map(({ from }) => from.size > 0);
  for (let changed = true; changed; ) {
    changed = false;
    sources.forEach(({ from, all }, at) => {
      if (sure[at] !== true || makers.has(at)) return;
      const ways = [...from].map((one) => one >= 0 && sure[one] === true);
      if (all ? ways.some(Boolean) : ways.every(Boolean)) return;
      sure[at] = false;
      changed = true;
    });
  }
  return sure[to * 3 + MOMENTS[moment]] === true;
}

/** The ids of the states on the shortest way from the beginning of the run to a state on which another one leaves no result; null: there is none. */
export function wayWithout(document: JsonObject, id: string, stateId: string): string[] | null {
  const { index, places, sources } = flowOf(document);
  const [without, to] = [index.get(id), index.get(stateId)];
  if (without === undefined || to === undefined) return null;
  // Backwards, so that each moment is reached once.
  const next = new Map<Moment, Moment | null>([[to * 3 + ENTERED, null]]);
  for (const moment of next.keys()) {
    for (const from of sources[moment]?.from ?? []) {
      if (from < 0) {
        const way: string[] = [];
        for (let at: Moment | null | undefined = moment; at !== null && at !== undefined; at = next.get(at)) {
          const name = places[Math.floor(at / 3)]?.id;
          if (name !== undefined && name !== way.at(-1)) way.push(name);
        }
        return way;
      }
      if (from !== without * 3 + DONE && !next.has(from)) next.set(from, moment);
    }
  }
  return null;
}

function flowOf(document: JsonObject): Flow {
  const flow = flows.get(document) ?? follow(document);
  flows.set(document, flow);
  return flow;
}

/** What results there are when a state is entered; those of other regions, which may come at any time, are not among them. */
export function tracesBefore(document: JsonObject, stateId: string): Trace[] {
  const flow = flowOf(document);
  const at = flow.index.get(stateId);
  if (at === undefined) return [];
  const entered = at * 3 + ENTERED;
  const must = flow.must[entered] ?? null;
  const may = flow.may[entered];
  return flow.places.flatMap(({ id }, place) =>
    ([0, 1] as const).flatMap((error): Trace[] => {
      const bit = place * 2 + error;
      const always = must !== null && has(must, bit);
      return always || (may !== undefined && has(may, bit))
        ? [{ id, what: error === 1 ? "error" : "output", always }]
        : [];
    }),
  );
}

function has(bits: Bits, bit: number): boolean {
  return ((bits[bit >>> 5] ?? 0) & (1 << (bit & 31))) !== 0;
}

function put(bits: Bits, bit: number): void {
  bits[bit >>> 5] = (bits[bit >>> 5] ?? 0) | (1 << (bit & 31));
}

function hasOutput({ state }: StatePlace): boolean {
  return isObject(state.invoke) || isObject(state.loop) || isObject(state.states);
}

/** Flow analysis: sets of results carried along every way until nothing changes. */
function follow(document: JsonObject): Flow {
  const places = indexStates(document).list;
  const index = new Map(places.map(({ id }, at) => [id, at]));
  const sources = toSources(document, places, index);
  const words = Math.ceil((places.length * 2) / 32);
  const count = places.length * 3;
  const must: (Bits | null)[] = Array.from({ length: count }, () => null);
  const may: Bits[] = Array.from({ length: count }, () => new Uint32Array(words));
  const targets: Moment[][] = Array.from({ length: count }, () => []);
  sources.forEach(({ from }, to) => {
    for (const one of from) if (one >= 0) targets[one]?.push(to);
  });
  const queue = new Set<Moment>(Array.from({ length: count }, (_, moment) => moment));
  for (const moment of queue) {
    queue.delete(moment);
    const source = sources[moment];
    const place = places[Math.floor(moment / 3)];
    if (source === undefined || place === undefined) continue;
    const nextMay: Bits = new Uint32Array(words);
    let nextMust: Bits | null = null;
    // What is not known yet may be everything: sets only shrink then, so that nothing goes round without an end.
    let isOpen = false;
    for (const from of source.from) {
      // The beginning of the run: nothing is there.
      const sure = from < 0 ? new Uint32Array(words) : must[from];
      const maybe = from < 0 ? undefined : may[from];
      for (let word = 0; word < words; word += 1) nextMay[word] = (nextMay[word] ?? 0) | (maybe?.[word] ?? 0);
      if (sure === null || sure === undefined) {
        isOpen ||= source.all;
        continue;
      }
      if (nextMust === null) nextMust = sure.slice();
      else
        for (let word = 0; word < words; word += 1) {
          const before = nextMust[word] ?? 0;
          nextMust[word] = source.all ? before | (sure[word] ?? 0) : before & (sure[word] ?? 0);
        }
    }
    if (isOpen) nextMust = null;
    const bit = Math.floor(moment / 3) * 2;
    const made =
      moment % 3 === DONE && hasOutput(place) && place.state.disabled !== true
        ? bit
        : moment % 3 === FAILED && handlesError(place)
          ? bit + 1
          : moment % 3 === ENTERED && isLoop(place)
            ? bit
            : null;
    if (made !== null && source.from.size > 0) {
      put(nextMay, made);
      if (nextMust !== null) put(nextMust, made);
    }
    if (same(nextMust, must[moment] ?? null) && same(nextMay, may[moment] ?? null)) continue;
    must[moment] = nextMust;
    may[moment] = nextMay;
    for (const target of targets[moment] ?? []) queue.add(target);
  }
  return { places, index, sources, must, may };
}

function same(one: Bits | null, other: Bits | null): boolean {
  if (one === null || other === null) return one === other;
  return one.every((word, at) => word === other[at]);
}

function handlesError({ state }: StatePlace): boolean {
  return (
    state.onError !== undefined ||
    (isObject(state.invoke) && state.invoke.onError !== undefined) ||
    (isObject(state.loop) && state.loop.onError !== undefined)
  );
}

function toSources(document: JsonObject, places: readonly StatePlace[], index: ReadonlyMap<string, number>): Sources[] {
  const sources: Sources[] = Array.from({ length: places.length * 3 }, () => ({ from: new Set(), all: false }));
  const moment = (id: string, which: number): Moment => (index.get(id) ?? 0) * 3 + which;
  const join = (to: Moment, from: Moment): void => void sources[to]?.from.add(from);
  const enterChildren = (container: StatePlace | undefined, from: Moment): void => {
    const children = childrenOf(document, container);
    const entered = isParallel(document, container) ? children : children.filter(({ initial }) => initial);
    for (const { id } of entered) join(moment(id, ENTERED), from);
  };
  enterChildren(undefined, -1);
  for (const place of places) {
    const entered = moment(place.id, ENTERED);
    const done = moment(place.id, DONE);
    const failed = moment(place.id, FAILED);
    const { children, state } = place;
    if (state.disabled === true || children.length === 0) {
      join(done, entered);
      join(failed, entered);
    }
    if (state.disabled !== true) enterChildren(place, entered);
    const finals = children.filter((child) => child.state.type === "final");
    if (isLoop(place)) {
      join(done, entered);
      for (const { id } of finals) {
        for (const first of children.filter(({ initial }) => initial))
          join(moment(first.id, ENTERED), moment(id, DONE));
        // Rounds side by side are runs of their own: their results stay with them.
        if (!(isObject(state.loop) && typeof state.loop.concurrency === "number" && state.loop.concurrency > 1))
          join(done, moment(id, DONE));
      }
    } else if (isParallel(document, place)) {
      const target = sources[done];
      if (target !== undefined) target.all = true;
      for (const { id } of children) join(done, moment(id, DONE));
    } else for (const { id } of finals) join(done, moment(id, DONE));
    for (const child of children) join(failed, moment(child.id, FAILED));
    for (const transition of transitionsOf(place)) {
      const { target, slot } = transition;
      if (target === null || !index.has(target)) continue;
      const to = moment(target, ENTERED);
      if (slot === "invoke.onDone" || slot === "loop.onDone" || slot === "onDone" || slot === "undo") join(to, done);
      else if (slot.endsWith("onError")) join(to, failed);
      else if (slot === "always" || slot === "target") join(to, entered);
      // An event or a timer comes at any time within the state.
      else
        for (const inner of familyOf(place)) {
          join(to, moment(inner.id, ENTERED));
          if (inner !== place) join(to, moment(inner.id, DONE));
        }
    }
    // Where a history state leads back to can be any state beside it.
    if (state.type === "history")
      for (const beside of childrenOf(document, place.parent))
        if (beside !== place) join(moment(beside.id, ENTERED), entered);
  }
  for (const target of Object.values(isObject(document.on) ? document.on : {})) {
    const id =
      typeof target === "string"
        ? target
        : isObject(target) && typeof target.target === "string"
          ? target.target
          : null;
    const known = id === null ? undefined : findState(document, id);
    if (known === undefined) continue;
    for (const place of places) join(moment(known.id, ENTERED), moment(place.id, ENTERED));
  }
  return sources;
}
