import { useReactFlow } from "@xyflow/react";
import { type RefObject, useEffect } from "react";

/** What stands in the middle stays in the middle when room is taken from the canvas, or given back: by the drawer below it. */
export function useCentredView(canvas: RefObject<HTMLElement | null>): void {
  const flow = useReactFlow();
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    let height = element.clientHeight;
    const observer = new ResizeObserver(() => {
      const change = element.clientHeight - height;
      height = element.clientHeight;
      // Where it has no height it is not shown.
      if (change === 0 || height === 0 || height === change) return;
      const { x, y, zoom } = flow.getViewport();
      void flow.setViewport({ x, y: y + change / 2, zoom });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [canvas, flow]);
}
