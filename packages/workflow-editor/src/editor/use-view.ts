import { useReactFlow } from "@xyflow/react";
import { useMemo, useRef } from "react";
import { showReadable, wholeZoom } from "../canvas/readable-view.ts";
import { toAbsolute } from "../layout/placement.ts";
import type { View } from "./command-context.ts";
import type { Projection } from "./use-projection.ts";

/** How long the view is on its way: whoever wants no motion is there at once. */
const panTime = (): number => (matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 160);
/** As React Flow's own. */
const STEP = 1.2;

/** The view, for commands. */
export function useView(projection: Projection): View {
  const flow = useReactFlow();
  const current = useRef(projection);
  current.current = projection;
  // Where the view is on its way to: zooming meanwhile must arrive there, too.
  const aim = useRef<{ x: number; y: number; zoom: number } | null>(null);
  return useMemo(
    () => ({
      fit: () => showReadable(flow, { duration: panTime() }),
      wholeZoom: () => wholeZoom(flow),
      zoom: (to) => {
        // At once: the next press begins where the last one was to end.
        const goal = aim.current;
        if (goal !== null) {
          const zoom = to === "in" ? goal.zoom * STEP : to === "out" ? goal.zoom / STEP : 1;
          aim.current = { ...goal, zoom };
          void flow.setCenter(goal.x, goal.y, { zoom });
        } else if (to === "in") void flow.zoomIn();
        else if (to === "out") void flow.zoomOut();
        else void flow.zoomTo(1);
      },
      middle: () => {
        const box = document.querySelector(".oven-canvas")?.getBoundingClientRect();
        return flow.screenToFlowPosition({
          x: (box?.left ?? 0) + (box?.width ?? 0) / 2,
          y: (box?.top ?? 0) + (box?.height ?? 0) / 2,
        });
      },
      show: (id, { focus = true } = {}) => {
        const { model, placement } = current.current;
        const placed = placement.get(id);
        if (placed === undefined) return;
        const { x, y } = toAbsolute(id, model, placement);
        const box = document.querySelector(".oven-canvas")?.getBoundingClientRect();
        const { x: left, y: top, zoom } = flow.getViewport();
        const inView =
          box !== undefined &&
          x * zoom + left >= 0 &&
          y * zoom + top >= 0 &&
          (x + placed.width) * zoom + left <= box.width &&
          (y + placed.height) * zoom + top <= box.height;
        if (!inView) {
          const goal = { x: x + placed.width / 2, y: y + placed.height / 2, zoom: Math.max(zoom, 0.6) };
          const duration = panTime();
          aim.current = goal;
          void flow.setCenter(goal.x, goal.y, { zoom: goal.zoom, duration });
          setTimeout(() => {
            if (aim.current?.x === goal.x && aim.current.y === goal.y) aim.current = null;
          }, duration);
        }
        if (!focus) return;
        requestAnimationFrame(() =>
          document
            .querySelector<HTMLElement>(`.react-flow__node[data-id=${JSON.stringify(id)}]`)
            ?.focus({ preventScroll: true }),
        );
      },
    }),
    [flow],
  );
}
