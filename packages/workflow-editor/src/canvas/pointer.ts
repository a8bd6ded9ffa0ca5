/** How far the pointer may move between press and release for it to be a click, not a drag, in pixels of the window. */
export const CLICK_PX = 3;

/** Where in the window a gesture is. */
export function pointOf(event: MouseEvent | TouchEvent): { x: number; y: number } {
  const source = "changedTouches" in event ? event.changedTouches[0] : event;
  return { x: source?.clientX ?? 0, y: source?.clientY ?? 0 };
}

/** The id of the node under a point of the window, however deep the containers around it. */
export function nodeUnder({ x, y }: { x: number; y: number }): string | null {
  const element = document
    .elementsFromPoint(x, y)
    .map((found) => found.closest<HTMLElement>(".react-flow__node"))
    .find((found) => found !== null);
  return element?.dataset.id ?? null;
}

/** The id of the line under a point of the window; null where a card lies over it. */
export function edgeUnder({ x, y }: { x: number; y: number }): string | null {
  for (const element of document.elementsFromPoint(x, y)) {
    const node = element.closest<HTMLElement>(".react-flow__node");
    // A box has room for states, and its lines lie over it.
    if (node !== null && !node.classList.contains("react-flow__node-box")) return null;
    const edge = element.closest<SVGElement>(".react-flow__edge");
    if (edge !== null) return edge.dataset.id ?? null;
  }
  return null;
}
