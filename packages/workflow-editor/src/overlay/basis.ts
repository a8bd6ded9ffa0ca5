import type { Json, JsonObject } from "@oven/contract";
import { isObject } from "@oven/contract";
import { indexStates } from "@oven/scope";
import { toGraph } from "../graph/to-graph.ts";

/**
 * What the results of some states are made from, each as a short text: the state itself and every one that can come before it.
 * States that are not there have none.
 */
export function toBases(definition: JsonObject, ids: Iterable<string>): ReadonlyMap<string, string> {
  const wanted = [...ids];
  if (wanted.length === 0) return new Map();
  const { byId } = indexStates(definition);
  const arrivals = new Map<string, Set<string>>();
  for (const { source, target } of toGraph(definition).edges)
    arrivals.set(target, (arrivals.get(target) ?? new Set()).add(source));
  const bases = new Map<string, string>();
  for (const id of wanted) {
    if (!byId.has(id)) continue;
    const before = new Set([id]);
    for (const at of before) {
      const parent = byId.get(at)?.parent?.id;
      if (parent !== undefined) before.add(parent);
      for (const source of arrivals.get(at) ?? []) before.add(source);
    }
    const texts = [...before]
      .toSorted()
      .map((state) => `${state}=${canonical(withoutLooks(byId.get(state)?.state ?? {}))}`);
    bases.set(id, toHash(texts.join("\n")));
  }
  return bases;
}

/** The states whose result need not be what it was: those that do something else now, and all that can follow them. */
export function toStale(of: JsonObject, now: JsonObject): Set<string> {
  const stale = new Set<string>();
  if (of === now) return stale;
  const before = indexStates(of).byId;
  const { list, byId } = indexStates(now);
  for (const { id, state } of list) {
    const old = before.get(id)?.state;
    if (old !== state && (old === undefined || canonical(withoutLooks(old)) !== canonical(withoutLooks(state))))
      stale.add(id);
  }
  if (stale.size === 0) return stale;
  const ways = new Map<string, string[]>();
  for (const { source, target } of toGraph(now).edges) ways.set(source, [...(ways.get(source) ?? []), target]);
  for (const id of stale) {
    for (const target of ways.get(id) ?? []) stale.add(target);
    for (const child of byId.get(id)?.children ?? []) stale.add(child.id);
  }
  return new Set([...stale].filter((id) => before.has(id) && byId.has(id)));
}

/** Names and places change nothing of what a state does; the states inside it are looked at by themselves. */
function withoutLooks({
  meta: _meta,
  label: _label,
  description: _text,
  states: _states,
  ...state
}: JsonObject): JsonObject {
  if (!isObject(state.loop)) return state;
  const { bodyStates: _body, ...loop } = state.loop;
  return { ...state, loop };
}

function canonical(value: Json | undefined): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (!isObject(value)) return JSON.stringify(value) ?? "";
  return `{${Object.keys(value)
    .toSorted()
    .map((key) => `${JSON.stringify(key)}:${canonical(value[key])}`)
    .join()}}`;
}

/** FNV-1a over the text and over the text turned round: two that differ are the same once in 2⁶⁴. */
function toHash(text: string): string {
  let forth = 0x811c9dc5;
  let back = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    forth = Math.imul(forth ^ text.charCodeAt(index), 0x01000193);
    back = Math.imul(back ^ text.charCodeAt(text.length - 1 - index), 0x01000193);
  }
  return `${(forth >>> 0).toString(36)}.${(back >>> 0).toString(36)}`;
}
