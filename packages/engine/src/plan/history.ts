import type { CompiledMachine } from "../compile/machine.ts";
import { fromMachineId, type StateInfo, toMachineId } from "../compile/state-info.ts";
import type { History } from "./kernel.ts";

/**
 * Composites and loops are drawn as one step, so history returns to them, never into their middle: their inner states
 * would find no row and no iteration.
 */
export function toStoredHistory({ states, root }: CompiledMachine, history: History): History {
  const stored: Record<string, string[]> = {};
  for (const [id, nodes] of Object.entries(history)) {
    const parent = states.get(fromMachineId(id))?.parent ?? root;
    stored[id] = [...new Set(nodes.map((node) => toMachineId(outermostStep(states.get(fromMachineId(node)), parent))))];
  }
  return stored;
}

function outermostStep(state: StateInfo | undefined, parent: StateInfo): string {
  let step = state;
  for (let at = state; at && at !== parent; at = at.parent) {
    if (at.kind === "composite" || at.kind === "loop") step = at;
  }
  return step?.id ?? "";
}
