import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { t } from "@oven/i18n";
import {
  childrenAddress,
  familyOf,
  findState,
  getAt,
  initialAddress,
  listTransitions,
  objectAt,
  outermost,
  removeAt,
  type StatePlace,
  setAt,
  type TransitionPlace,
  withKey,
} from "@oven/scope";
import type { Edit, Refusal } from "../edit.ts";
import { freeStateId, takenIds } from "../state-ids.ts";
import { removeTransitions, setTarget } from "../transitions.ts";
import { dropCollapsed } from "./canvas-view.ts";

export type Wrapping = "compound" | "parallel" | "loop";

const ERRORS: ReadonlySet<string> = new Set(["invoke.onError", "loop.onError", "onError"]);

/** Puts states of one container into a new group, parallel state or loop, which stands where they stood. */
export function wrapStates(document: JsonObject, ids: readonly string[], kind: Wrapping): Edit | Refusal {
  const tops = outermost(document, ids);
  const [first] = tops;
  if (first === undefined) return { reason: t("Select states first") };
  const container = first.parent;
  if (tops.some(({ parent }) => parent !== container)) return { reason: t("These states stand in different groups") };
  if (tops.some(({ state }) => state.outcome !== undefined))
    return { reason: t("A state that says how the run ends stays at the top") };
  if (kind !== "compound" && tops.some(({ state }) => state.type === "history" || state.type === "final"))
    return { reason: t("Ends and history states cannot stand in it by themselves") };

  const taken = takenIds(document);
  const id = freeStateId({ compound: "group", parallel: "parallel", loop: "loop" }[kind], taken);
  taken.add(id);
  const inside = new Set(tops.flatMap(familyOf));
  const border = crossings(document, inside);
  const entry = entryOf(tops, border.incoming);

  let wrapped = document;
  for (const transition of border.incoming) {
    // A group may be entered at any of its states; the others begin where they begin.
    if (kind !== "compound" || transition.target === entry.id) wrapped = setTarget(wrapped, transition.address, id);
  }
  const made =
    kind === "compound"
      ? { document: wrapped, state: (states: JsonObject): JsonObject => ({ initial: entry.id, states }) }
      : kind === "loop"
        ? toLoop(wrapped, border.outgoing, entry.id, freeStateId(`${id}_end`, taken))
        : toRegions(wrapped, document, tops, border.outgoing, taken);
  const address = childrenAddress(container);
  const states: JsonObject = {};
  for (const top of tops) states[top.id] = getAt(made.document, top.address) ?? {};
  const around = objectAt(made.document, address);
  const before = Object.keys(around)[Object.keys(around).indexOf(first.id) - 1];
  let rest = made.document;
  for (const top of tops) rest = removeAt(rest, top.address);
  const wrapper = made.state(states);
  const left = objectAt(rest, address);
  const put = before === undefined ? { [id]: wrapper, ...left } : withKey(left, id, wrapper, before);
  rest = setAt(rest, address, put);
  if (tops.some(({ initial }) => initial)) rest = setAt(rest, initialAddress(container), id);
  return { document: rest, select: [id] };
}

/** The transitions that lead into a set of states, and those that lead out of it. */
export function crossings(
  document: JsonObject,
  inside: ReadonlySet<StatePlace>,
): { incoming: TransitionPlace[]; outgoing: TransitionPlace[] } {
  const names = new Set([...inside].map(({ id }) => id));
  const incoming: TransitionPlace[] = [];
  const outgoing: TransitionPlace[] = [];
  for (const transition of listTransitions(document)) {
    if (transition.target === null) continue;
    const from = transition.owner !== undefined && inside.has(transition.owner);
    if (from && !names.has(transition.target)) outgoing.push(transition);
    if (!from && names.has(transition.target)) incoming.push(transition);
  }
  return { incoming, outgoing };
}

/** Where a set of states begins: with the first one of their container, the one that is led to, or the first. */
export function entryOf(tops: readonly StatePlace[], incoming: readonly TransitionPlace[]): StatePlace {
  const [first] = tops;
  const active = tops.filter(({ state }) => state.type !== "history");
  const led = active.find(({ id }) => incoming.some(({ target }) => target === id));
  const entry = active.find(({ initial }) => initial) ?? led ?? active[0] ?? first;
  if (entry === undefined) throw new Error("a set of states without states has no entry");
  return entry;
}

interface Made {
  document: JsonObject;
  state: (states: JsonObject) => JsonObject;
}

/** Ways out of the body become its end; the loop leads on to where the first of them led. */
function toLoop(document: JsonObject, outgoing: readonly TransitionPlace[], entry: string, end: string): Made {
  const done = outgoing.filter(({ slot }) => !ERRORS.has(slot));
  const errors = outgoing.filter(({ slot }) => ERRORS.has(slot));
  let changed = document;
  for (const { address } of done) changed = setTarget(changed, address, end);
  changed = removeTransitions(changed, errors);
  const onDone = done[0]?.target ?? null;
  const onError = errors[0]?.target ?? null;
  return {
    document: changed,
    state: (states) => ({
      loop: {
        type: "forEach",
        collection: "$.trigger.items",
        bodyInitial: entry,
        bodyStates: { ...states, [end]: { type: "final" } },
        ...(onDone === null ? {} : { onDone }),
        ...(onError === null ? {} : { onError }),
      },
    }),
  };
}

/** Each state becomes a region of its own, which ends where the state led on. */
function toRegions(
  document: JsonObject,
  before: JsonObject,
  tops: readonly StatePlace[],
  outgoing: readonly TransitionPlace[],
  taken: Set<string>,
): Made {
  const free = (wish: string): string => {
    const id = freeStateId(wish, taken);
    taken.add(id);
    return id;
  };
  const regions = tops.map((top) => ({ top, id: free(`${top.id}_region`), end: free(`${top.id}_end`) }));
  let changed = document;
  for (const { top, end } of regions) {
    const family = new Set(familyOf(top));
    for (const { address, slot, target } of crossings(before, family).outgoing) {
      const toSibling = regions.some((other) => familyOf(other.top).some(({ id }) => id === target));
      if (!ERRORS.has(slot) || toSibling) changed = setTarget(changed, address, end);
    }
  }
  const onDone = outgoing.find(({ slot }) => !ERRORS.has(slot))?.target ?? null;
  return {
    document: changed,
    state: (states) => ({
      type: "parallel",
      states: Object.fromEntries(
        regions.map(({ top, id, end }): [string, Json] => [
          id,
          { initial: top.id, states: { [top.id]: states[top.id] ?? {}, [end]: { type: "final" } } },
        ]),
      ),
      ...(onDone === null ? {} : { onDone }),
    }),
  };
}

/** States that a container keeps for itself and that would be lost with it. */
const OWN: readonly string[] = ["on", "after", "always", "entry", "exit"];

/** Takes a group, parallel state or loop apart: what is in it stands where it stood. */
export function unwrapState(document: JsonObject, id: string): Edit | Refusal {
  const place = findState(document, id);
  if (place === undefined || place.children.length === 0) return { reason: t("{{id}} holds no states", { id }) };
  const own = OWN.filter((key) => place.state[key] !== undefined);
  if (own.length > 0)
    return {
      reason: t("{{id}} has {{parts}} of its own, which would be lost: remove it first", {
        id,
        parts: own.join(" and "),
      }),
    };
  if (place.parent?.state.type === "parallel")
    return { reason: t("{{id}} is a region: take the parallel state apart instead", { id }) };
  const holder = isObject(place.state.loop) ? place.state.loop : place.state;
  const onDone = targetOf(holder.onDone);
  const inner = place.state.type === "parallel" ? place.children.flatMap((region) => region.children) : place.children;
  if (inner.length === 0) return { reason: t("The regions of {{id}} hold no states of their own", { id }) };
  const ends = new Set(inner.filter(({ state }) => state.type === "final").map((end) => end.id));
  const kept = inner.filter((child) => !ends.has(child.id) && child.state.type !== "history");
  const entry = kept.find(({ initial }) => initial) ?? kept[0];
  if (entry === undefined) return { reason: t("{{id}} holds only ends", { id }) };
  const gone = new Set([...place.children, ...inner].filter((child) => !kept.includes(child)).map((child) => child.id));

  let open = document;
  const lost: TransitionPlace[] = [];
  for (const transition of listTransitions(document)) {
    const { target, owner, address } = transition;
    if (target === null || (owner !== undefined && gone.has(owner.id))) continue;
    if (target === id) open = setTarget(open, address, entry.id);
    else if (gone.has(target)) {
      const next = ends.has(target) ? onDone : entry.id;
      if (next === null) lost.push(transition);
      else open = setTarget(open, address, next);
    }
  }
  open = removeTransitions(open, lost);
  const address = childrenAddress(place.parent);
  const states = Object.entries(objectAt(open, address)).flatMap(([key, state]): [string, Json][] =>
    key === id ? kept.map((child): [string, Json] => [child.id, getAt(open, child.address) ?? {}]) : [[key, state]],
  );
  open = setAt(open, address, Object.fromEntries(states));
  if (place.initial) open = setAt(open, initialAddress(place.parent), entry.id);
  return { document: dropCollapsed(open, new Set([id])), select: kept.map((child) => child.id) };
}

/** Where the last branch of a transition leads. */
function targetOf(transition: Json | undefined): string | null {
  const last = Array.isArray(transition) ? transition.at(-1) : transition;
  if (typeof last === "string") return last;
  return isObject(last) && typeof last.target === "string" ? last.target : null;
}
