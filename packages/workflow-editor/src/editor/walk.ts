import { nodesById } from "../layout/placement.ts";
import type { CommandContext } from "./command-context.ts";
import { selectedStates } from "./selected.ts";

/** Selects the next state in a direction: along a line, or the nearest one above or below. */
export function walk(context: CommandContext, side: "Right" | "Left" | "Up" | "Down"): void {
  const { store, drawn, view } = context;
  const { model, placement } = drawn;
  const states = model.nodes.filter(({ shape }) => shape !== "start");
  const [current] = selectedStates(context);
  const at = current === undefined ? undefined : placement.get(current);
  const first = states.find(({ initial, parentId }) => initial && parentId === null) ?? states[0];
  let next = first?.id;
  if (current !== undefined && at !== undefined) {
    if (side === "Right") next = model.edges.find(({ source }) => source === current)?.target;
    else if (side === "Left")
      next = model.edges.find(({ target, tone }) => target === current && tone !== "start")?.source;
    else {
      const parent = nodesById(model).get(current)?.parentId ?? null;
      const distances = states.flatMap((node) => {
        const placed = placement.get(node.id);
        if (node.parentId !== parent || node.id === current || placed === undefined) return [];
        const dy = (placed.position.y - at.position.y) * (side === "Down" ? 1 : -1);
        return dy <= 0 ? [] : [{ id: node.id, distance: dy + Math.abs(placed.position.x - at.position.x) * 2 }];
      });
      next = distances.sort((one, other) => one.distance - other.distance)[0]?.id;
    }
  }
  if (next === undefined) return;
  store.select([next]);
  view.show(next);
}

/** Adds everything to the selection that follows it, or leads to it. */
export function reach(context: CommandContext, side: "Right" | "Left"): void {
  const { store, drawn } = context;
  const found = new Set(selectedStates(context));
  for (const id of found)
    for (const edge of drawn.model.edges) {
      if (side === "Right" && edge.source === id) found.add(edge.target);
      if (side === "Left" && edge.target === id && edge.tone !== "start") found.add(edge.source);
    }
  store.select(found);
}
