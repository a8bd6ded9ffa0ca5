import { useReactFlow } from "@xyflow/react";
import { useMemo, useRef } from "react";
import { toAbsolute } from "../layout/placement.ts";
import type { View } from "./command-context.ts";
import type { Projection } from "./use-projection.ts";

/** The view, for commands. */
export function useView(projection: Projection): View {
  const flow = useReactFlow();
  const current = useRef(projection);
  current.current = projection;
  return useMemo(
    () => ({
      fit: () => void flow.fitView({ padding: 0.12, maxZoom: 1, duration: 160 }),
      zoom: (to) => {
        // At once: the next press begins where the last one was to end.
        if (to === "in") void flow.zoomIn();
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
      show: (id) => {
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
        if (!inView)
          void flow.setCenter(x + placed.width / 2, y + placed.height / 2, {
            zoom: Math.max(zoom, 0.6),
            duration: 160,
          });
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
