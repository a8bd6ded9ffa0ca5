import type { ReactFlowInstance } from "@xyflow/react";
import { START } from "../graph/to-graph.ts";

/** Names of cards are about nine pixels high then: smaller ones cannot be read. */
const READABLE = 0.4;
/** Of a graph that is too large to be shown as a whole. */
const BEGINNING = 0.7;
const PADDING = 0.12;

type View = Pick<ReactFlowInstance, "getNode" | "getNodes" | "getNodesBounds" | "fitView" | "setViewport">;

/** How large everything would be drawn if all of it were shown. */
export function wholeZoom(flow: Pick<View, "getNodes" | "getNodesBounds">): number {
  const view = document.querySelector(".oven-canvas")?.getBoundingClientRect();
  const bounds = flow.getNodesBounds(flow.getNodes());
  const room = 1 - PADDING;
  return Math.min(((view?.width ?? 0) * room) / bounds.width, ((view?.height ?? 0) * room) / bounds.height);
}

/** Everything, or its beginning where everything would be too small to read: the rest is panned to. */
export function showReadable(
  flow: View,
  { many = false, duration = 0 }: { many?: boolean; duration?: number } = {},
): void {
  const view = document.querySelector(".oven-canvas")?.getBoundingClientRect();
  const whole = wholeZoom(flow);
  const start = flow.getNode(START);
  if (start === undefined || (!many && whole >= READABLE)) {
    void flow.fitView({ padding: PADDING, maxZoom: 1, minZoom: READABLE, duration });
    return;
  }
  const { x, y } = start.position;
  const zoom = BEGINNING;
  void flow.setViewport({ x: 40 - x * zoom, y: (view?.height ?? 0) / 3 - y * zoom, zoom }, { duration });
}
