import { useReactFlow } from "@xyflow/react";
import { useEffect, useRef } from "react";
import { START } from "../graph/to-graph.ts";

const READABLE = 0.35;

/** Once, when there is something to see: everything, or its beginning where that would be too small to read. */
export function useOpeningView(ready: boolean, settled: boolean, many: boolean, filled: boolean): void {
  const flow = useReactFlow();
  const opened = useRef<"no" | "roughly" | "yes">("no");
  useEffect(() => {
    if (!ready || !filled || opened.current === "yes" || (opened.current === "roughly" && !settled)) return;
    opened.current = settled ? "yes" : "roughly";
    const frame = requestAnimationFrame(() => {
      const start = flow.getNode(START);
      const view = document.querySelector(".oven-canvas")?.getBoundingClientRect();
      const bounds = flow.getNodesBounds(flow.getNodes());
      const whole = Math.min((view?.width ?? 0) / bounds.width, (view?.height ?? 0) / bounds.height);
      if (start !== undefined && (many || whole < READABLE)) {
        const { x, y } = start.position;
        const zoom = 0.7;
        void flow.setViewport({ x: 40 - x * zoom, y: (view?.height ?? 0) / 3 - y * zoom, zoom });
      } else void flow.fitView({ padding: 0.12, maxZoom: 1 });
    });
    return () => cancelAnimationFrame(frame);
  }, [ready, settled, filled, many, flow]);
}
