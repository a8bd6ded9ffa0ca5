import { diffJson } from "@oven/contract";
import type { Execution, NodeRun } from "@oven/contract/run";
import type { VersionChange } from "@oven/contract/workflow";

/** A step as two runs made it; null: one of them did not. */
export interface StepPair {
  key: string;
  /** `draft`, `draft ×2`, `each (3)`. */
  name: string;
  one: NodeRun | null;
  other: NodeRun | null;
  /** What its outputs differ in. */
  changes: VersionChange[];
}

function keyOf({ nodeId, visit, item }: NodeRun): string {
  return JSON.stringify([nodeId, visit, item]);
}

function nameOf({ nodeId, visit, item }: NodeRun): string {
  return `${nodeId}${item === null ? "" : ` (${item})`}${visit > 1 ? ` ×${visit}` : ""}`;
}

/** The steps of two runs beside each other, in the order of the first; what only the second did comes where it did it. */
export function pairSteps(one: Pick<Execution, "nodes">, other: Pick<Execution, "nodes">): StepPair[] {
  const second = new Map(other.nodes.map((node) => [keyOf(node), node]));
  const first = new Set(one.nodes.map(keyOf));
  const pairs = one.nodes.map((node): StepPair => toPair(node, second.get(keyOf(node)) ?? null));
  for (const [index, node] of other.nodes.entries()) {
    if (first.has(keyOf(node))) continue;
    const before = other.nodes[index - 1];
    const at = before === undefined ? -1 : pairs.findIndex(({ key }) => key === keyOf(before));
    pairs.splice(at + 1, 0, toPair(null, node));
  }
  return pairs;
}

function toPair(one: NodeRun | null, other: NodeRun | null): StepPair {
  const node = one ?? other;
  if (node === null) throw new Error("a pair needs a step");
  const changes = one === null || other === null ? [] : diffJson(one.output, other.output);
  return { key: keyOf(node), name: nameOf(node), one, other, changes };
}
