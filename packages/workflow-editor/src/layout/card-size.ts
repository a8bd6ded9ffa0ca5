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

export interface CardSize {
  width: number;
  height: number;
  /** Where lines arrive on the left edge. */
  entryY: number;
  /** Where each handle sits on the right edge. */
  handleY: Record<string, number>;
}

export function toCardSize(node: GraphNode): CardSize {
  switch (node.shape) {
    case "start":
      return { width: 20, height: 20, entryY: 10, handleY: { start: 10 } };
    case "final":
    case "history":
    case "missing":
      return withRows(node, 172, 44, 22);
    default:
      return withRows(node, CARD_WIDTH, HEADER_HEIGHT + (node.summary === "" ? 0 : SUMMARY_HEIGHT), HEADER_HEIGHT / 2);
  }
}

function withRows(node: GraphNode, width: number, top: number, entryY: number): CardSize {
  const handleY: Record<string, number> = {};
  let height = top;
  for (const handle of node.handles) {
    if (handle.label === "") {
      handleY[handle.id] = entryY;
      continue;
    }
    handleY[handle.id] = height + ROW_HEIGHT / 2;
    height += ROW_HEIGHT;
  }
  return { width, height: height === top ? top : height + FOOT, entryY, handleY };
}
