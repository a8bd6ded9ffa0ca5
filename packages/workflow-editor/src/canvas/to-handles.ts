import { type NodeHandle, Position } from "@xyflow/react";
import type { GraphNode } from "../graph/graph-model.ts";
import { type Anchor, toAnchorPoint, toCardSize } from "../layout/card-size.ts";

/** As the style sheet draws them. */
const DIAMETER = 8;

const POSITIONS: Record<Anchor["side"], Position> = {
  left: Position.Left,
  right: Position.Right,
  top: Position.Top,
  bottom: Position.Bottom,
};

/** Where a handle stands on its card, for its element. */
export function toHandlePlace(anchor: Anchor): { position: Position; style: { top?: number } } {
  return { position: POSITIONS[anchor.side], style: "y" in anchor ? { top: anchor.y } : {} };
}

/**
 * Where the handles of a card are, told instead of measured: React Flow draws every node it does not know the handles of, in view or
 * not, to measure them, and takes its lines away meanwhile.
 */
export function toHandles(
  node: GraphNode,
  box: { width: number; height: number },
): { measured: { width: number; height: number }; handles: NodeHandle[] } {
  const size = toCardSize(node);
  const place = (id: string, type: NodeHandle["type"], anchor: Anchor): NodeHandle => {
    const { x, y } = toAnchorPoint(anchor, box);
    const corner = { x: x - DIAMETER / 2, y: y - DIAMETER / 2 };
    return { id, type, position: POSITIONS[anchor.side], ...corner, width: DIAMETER, height: DIAMETER };
  };
  const { width, height } = box;
  return {
    measured: { width, height },
    handles: [
      ...(takesLines(node) ? [place("in", "target", size.entry)] : []),
      ...node.handles.map(({ id }) => place(id, "source", size.handles[id] ?? size.entry)),
    ],
  };
}

/** Whether lines can lead to it. */
export function takesLines({ shape }: GraphNode): boolean {
  return shape !== "start" && shape !== "workflow";
}
