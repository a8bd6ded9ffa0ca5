import type { Json } from "@oven/contract";
import type { Action } from "@oven/contract/workflow";
import type { Part, Way } from "../../importing/graph/graph-parts.ts";
import { partKey } from "../../importing/graph/part-key.ts";
import type { N8nDocument, N8nNode } from "./n8n-document.ts";
import type { N8nItems } from "./n8n-items.ts";
import { START } from "./n8n-starts.ts";
import { startOf } from "./n8n-triggers.ts";

/** A junction that a run begins with. */
const BEGIN = partKey("begin");

interface Starting {
  document: N8nDocument;
  items: N8nItems;
  /** The triggers, where they begin in different places. */
  choice: readonly N8nNode[];
  /** Takes an id for a state. */
  take(name: string): string;
}

/**
 * Lets each way to a node that items come to by several ways keep what it hands on.
 * @param entries what a run begins with
 * @returns what it begins with now
 */
export function keepReceived(
  parts: Map<string, Part>,
  entries: readonly string[],
  starting: Starting,
): readonly string[] {
  const { document, items, choice } = starting;
  const begun: Action[] = [];
  for (const [name, given] of items.received) {
    for (const [from, item] of given) {
      const action = (value: Json): Action => ({ type: "assign", params: { path: items.receivedPath(name), value } });
      const part = parts.get(from);
      if (part !== undefined) {
        const [value] = items.handedOnBy(from) ?? [];
        if (value !== undefined)
          parts.set(from, { ...part, ways: part.ways.map((way) => keeping(way, name, action(value))) });
        continue;
      }
      const start = parts.get(START);
      const trigger = document.nodes.get(from);
      if (start !== undefined && choice.length > 0 && trigger !== undefined) {
        const index = choice.findIndex((one) => one.name === from);
        const isHere = (way: Way, at: number) =>
          at === index && startOf(trigger, document).includes(name) && way.targets.includes(name);
        parts.set(START, {
          ...start,
          ways: start.ways.map((way, at) => (isHere(way, at) ? keeping(way, name, action(item)) : way)),
        });
      } else if (
        entries.includes(name) &&
        begun.every(({ params }) => JSON.stringify(params) !== JSON.stringify(action(item).params))
      )
        begun.push(action(item));
    }
  }
  if (begun.length === 0) return entries;
  parts.set(BEGIN, { id: starting.take("begin"), label: "Begin", ways: [{ targets: entries, actions: begun }] });
  return [BEGIN];
}

function keeping(way: Way, name: string, action: Action): Way {
  return way.targets.includes(name) ? { ...way, actions: [...(way.actions ?? []), action] } : way;
}
