import type { Part, Parts } from "../graph/graph-parts.ts";
import { nodeOfPart } from "../graph/part-key.ts";
import { reachedFrom } from "./carry-over.ts";

const PATHS = /(?:\$|\bctx)\.([a-z]\w*)/g;

/** Everything in a part that may name what another step hands on. */
function readIn({ invoke, loop, final, ways, endOutput }: Part): string {
  const { body, ...settings } = loop ?? {};
  const steps = ways.map(({ guard, actions }) => [guard, actions]);
  return JSON.stringify([invoke, settings, body?.output, final, steps, endOutput]);
}

/**
 * Steps that runs come to, and that read what a step hands on which no run comes to: they have no equal here.
 * @returns why, by the key of the node
 */
function readersOfLeftOut(parts: Parts, entry: readonly string[]): Map<string, string> {
  const reached = reachedFrom(entry, parts);
  const ownersIn = ownersReadIn(parts);
  const readers = new Map<string, string>();
  for (const key of reached) {
    for (const owner of ownersIn(key)) {
      if (reached.has(owner)) continue;
      const label = parts.get(owner)?.label ?? owner;
      readers.set(nodeOfPart(key), `it reads what “${label}” hands on, and no run comes to that`);
    }
  }
  return readers;
}

/** @returns for the key of a part, the keys of those whose states it names */
export function ownersReadIn(parts: Parts): (key: string) => string[] {
  // The longest first: `$.work_2_output` is of `work_2`, not of `work`.
  const all = [...parts].sort(([, one], [, other]) => other.id.length - one.id.length);
  const ownerOf = (word: string) => all.find(([, { id }]) => word === id || word.startsWith(`${id}_`));
  return (key) => {
    const part = parts.get(key);
    const words = part === undefined ? [] : [...readIn(part).matchAll(PATHS)];
    return words.flatMap(([, word = ""]) => ownerOf(word)?.[0] ?? []);
  };
}

/** Parts, and what runs begin with. */
export interface Made {
  parts: Map<string, Part>;
  entries: readonly string[];
}

/**
 * Makes parts until none of them reads what no run comes to.
 * @param make makes them, with placeholders for the nodes in `open`
 * @param open gets what has to be a placeholder, and why
 */
export function withoutLostReaders(make: () => Made, open: Map<string, string>): Made {
  for (;;) {
    const made = make();
    const found = [...readersOfLeftOut(made.parts, made.entries)].filter(([key]) => !open.has(key));
    if (found.length === 0) return made;
    for (const [key, why] of found) open.set(key, why);
  }
}
