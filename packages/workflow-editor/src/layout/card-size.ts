import type { GraphNode } from "../graph/graph-model.ts";

/*
 * The size of a card is computed, not measured: the layout needs it before anything is drawn, and the card takes
 * it from here, so both agree.
 */
const CARD_WIDTH = 236;
const HEADER_HEIGHT = 54;
const SUMMARY_HEIGHT = 24;
const ROW_HEIGHT = 24;
const FOOT = 6;
export const GROUP_TITLE_HEIGHT = 34;
/** Room to drop the first state into. */
export const EMPTY_GROUP = { width: 280, height: 140 };

/** Where a line meets a card: so far down one of its sides, or in the middle of its top or bottom. */
export type Anchor = { side: "left" | "right"; y: number } | { side: "top" | "bottom" };

export interface CardSize {
  width: number;
  height: number;
  /** Where lines arrive. */
  entry: Anchor;
  /** Where each handle sits. */
  handles: Record<string, Anchor>;
}

export function toCardSize(node: GraphNode): CardSize {
  switch (node.shape) {
    case "start":
      return { width: 20, height: 20, ...mainAnchors(node, 10) };
    case "final":
    case "history":
    case "missing":
      return withRows(node, 172, 44, 22);
    default:
      return withRows(node, CARD_WIDTH, HEADER_HEIGHT + (node.summary === "" ? 0 : SUMMARY_HEIGHT), HEADER_HEIGHT / 2);
  }
}

/** Lines go from left to right, or from top to bottom. Handles with a name have rows of their own either way. */
function mainAnchors(node: GraphNode, y: number): Pick<CardSize, "entry" | "handles"> {
  const down = node.direction === "down";
  const way: Anchor = down ? { side: "bottom" } : { side: "right", y };
  const unnamed = node.handles.filter(({ label }) => label === "").map(({ id }): [string, Anchor] => [id, way]);
  return { entry: down ? { side: "top" } : { side: "left", y }, handles: Object.fromEntries(unnamed) };
}

function withRows(node: GraphNode, width: number, top: number, y: number): CardSize {
  const { entry, handles } = mainAnchors(node, y);
  let height = top;
  for (const { id, label } of node.handles) {
    if (label === "") continue;
    handles[id] = { side: "right", y: height + ROW_HEIGHT / 2 };
    height += ROW_HEIGHT;
  }
  return { width, height: height === top ? top : height + FOOT, entry, handles };
}

/** The point of an anchor, from the top left of a box. */
export function toAnchorPoint(
  anchor: Anchor,
  { width, height }: { width: number; height: number },
): { x: number; y: number } {
  switch (anchor.side) {
    case "left":
      return { x: 0, y: anchor.y };
    case "right":
      return { x: width, y: anchor.y };
    case "top":
      return { x: width / 2, y: 0 };
    case "bottom":
      return { x: width / 2, y: height };
  }
}
