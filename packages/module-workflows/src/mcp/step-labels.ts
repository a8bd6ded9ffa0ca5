import { toLabel } from "@oven/contract";
import type { Definition, State } from "@oven/contract/workflow";

/**
 * What the steps of a definition are called to a person: the label of their state, or its id in words. A step inside a state that
 * is made of several (`draft.llm`) is called by both.
 */
export function stepLabels({ states }: Pick<Definition, "states">): (nodeId: string) => string {
  const labels = new Map(labelsIn(states));
  const labelOf = (id: string): string => {
    const label = labels.get(id);
    if (label !== undefined) return label;
    const at = id.lastIndexOf(".");
    return at < 0 ? toLabel(id) : `${labelOf(id.slice(0, at))}: ${toLabel(id.slice(at + 1))}`;
  };
  return labelOf;
}

function* labelsIn(states: Record<string, State>): Iterable<[id: string, label: string]> {
  for (const [id, { label, states: inner, loop }] of Object.entries(states)) {
    if (label !== undefined && label.trim() !== "") yield [id, label];
    if (inner !== undefined) yield* labelsIn(inner);
    if (loop !== undefined) yield* labelsIn(loop.bodyStates);
  }
}
