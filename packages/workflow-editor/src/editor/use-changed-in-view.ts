import { useEffect, useState } from "react";
import { readPositions } from "../document/operations/positions.ts";
import { nodesById } from "../layout/placement.ts";
import type { View } from "./command-context.ts";
import type { Projection } from "./use-projection.ts";

/** From here on labels of cards are read without effort. */
const LEGIBLE = 0.65;

/**
 * Brings states that were changed elsewhere into view once they stand where they will stand: all of the graph where the layout
 * places it and it can be read as a whole, else the last of them. Nothing takes the focus, and nothing moves under a card that is being dragged.
 * @param changed a new list does it again
 */
export function useChangedInView(changed: readonly string[] | null, projection: Projection, view: View): void {
  const [sought, setSought] = useState<readonly string[] | null>(null);
  useEffect(() => setSought(changed), [changed]);
  const { model, document: drawn, settled } = projection;
  useEffect(() => {
    if (sought === null || !settled) return;
    const there = nodesById(model);
    const last = sought.findLast((id) => there.has(id));
    // Not drawn yet, or hidden in what is folded.
    if (last === undefined) return;
    setSought(null);
    if (document.querySelector(".react-flow__node.dragging") !== null) return;
    if (readPositions(drawn).size === 0 && view.wholeZoom() >= LEGIBLE) view.fit();
    else view.show(last, { focus: false });
  }, [sought, settled, model, drawn, view]);
}
