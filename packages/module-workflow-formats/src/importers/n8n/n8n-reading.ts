import type { N8nDocument } from "./n8n-document.ts";
import { N8nItems } from "./n8n-items.ts";
import { findLists, type ListRegion } from "./n8n-lists.ts";
import { N8nData } from "./n8n-references.ts";
import { IncomingLists, whyNotFollowed } from "./n8n-regions.ts";

export interface Reading {
  lists: ReadonlyMap<string, ListRegion | string>;
  data: N8nData;
  items: N8nItems;
  incoming: IncomingLists;
}

/** Where everything stands that steps read. Lists that turn out not to be followed are left out, and all is looked at again. */
export function readingOf(document: N8nDocument, ids: Map<string, string>, take: (name: string) => string): Reading {
  const lists = new Map(findLists(document));
  for (;;) {
    for (const region of lists.values())
      if (typeof region === "object" && !ids.has(region.key)) ids.set(region.key, take(`each of ${region.producer}`));
    const data = new N8nData(document, ids, { loopOf: loopsAround(document, lists), lists }, take);
    const items = new N8nItems(document, ids, data);
    const unclear = [...lists].find(([, region]) => whyNotFollowed(region, document, items) !== undefined);
    if (unclear === undefined) return { lists, data, items, incoming: new IncomingLists(document, ids, lists, items) };
    lists.set(unclear[0], whyNotFollowed(unclear[1], document, items) ?? "");
  }
}

/** Loops with what is in them, the outer ones first. */
export function loopsIn(document: N8nDocument): { name: string; body: Set<string> }[] {
  const loops = [...document.nodes.values()].filter(({ type }) => type === "splitInBatches");
  const bodies = loops.map(({ name, version }) => ({ name, body: document.reachFrom(name, version >= 3 ? 1 : 0) }));
  return bodies.sort((a, b) => b.body.size - a.body.size);
}

/** The innermost loop or list that each node is in. */
function loopsAround(document: N8nDocument, lists: Reading["lists"]): Map<string, string> {
  const loopOf = new Map<string, string>();
  for (const { name, body } of loopsIn(document)) for (const key of body) if (key !== name) loopOf.set(key, name);
  for (const region of lists.values()) {
    if (typeof region === "string") continue;
    const around = loopOf.get(region.producer);
    if (around !== undefined) loopOf.set(region.key, around);
    for (const name of region.body) loopOf.set(name, region.key);
  }
  return loopOf;
}
