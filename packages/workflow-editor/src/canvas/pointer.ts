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
