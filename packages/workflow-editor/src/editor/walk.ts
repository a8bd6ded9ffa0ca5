import { readDirection } from "../document/operations/canvas-view.ts";
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
    // Along the lines one way, among neighbours the other.
    const down = readDirection(drawn.document) === "down";
    const [along, across] = down ? (["y", "x"] as const) : (["x", "y"] as const);
    const forth = down ? "Down" : "Right";
    const back = down ? "Up" : "Left";
    const after = down ? "Right" : "Down";
    if (side === forth) next = model.edges.find(({ source }) => source === current)?.target;
    else if (side === back)
      next = model.edges.find(({ target, tone }) => target === current && tone !== "start")?.source;
    else {
      const parent = nodesById(model).get(current)?.parentId ?? null;
      const distances = states.flatMap((node) => {
        const placed = placement.get(node.id);
        if (node.parentId !== parent || node.id === current || placed === undefined) return [];
        const far = (placed.position[across] - at.position[across]) * (side === after ? 1 : -1);
        const aside = Math.abs(placed.position[along] - at.position[along]);
        return far <= 0 ? [] : [{ id: node.id, distance: far + aside * 2 }];
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
