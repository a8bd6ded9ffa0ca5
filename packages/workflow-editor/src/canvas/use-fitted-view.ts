import type { ReactFlowInstance } from "@xyflow/react";
import { type RefObject, useEffect } from "react";

const PADDING = 28;
const READABLE = 0.62;
const NARROW = 460;
const LARGEST = 1;

/**
 * Shows the whole graph, and again when the container changes its size (React Admin settles late). On a narrow
 * screen, where the whole would be too small to read, it starts at the left edge and can be panned.
 */
export function useFittedView(
  container: RefObject<HTMLElement | null>,
  flow: ReactFlowInstance,
  placed: unknown,
): void {
  useEffect(() => {
    const element = container.current;
    if (element === null || placed === null) return;
    const fit = (): void => {
      const { width, height } = element.getBoundingClientRect();
      const bounds = flow.getNodesBounds(flow.getNodes());
      if (width === 0 || height === 0 || bounds.width === 0) return;
      const whole = Math.min((width - PADDING * 2) / bounds.width, (height - PADDING * 2) / bounds.height, LARGEST);
      const cropped = whole < READABLE && width < NARROW;
      const zoom = cropped ? READABLE : whole;
      const x = cropped ? PADDING / 2 - bounds.x * zoom : (width - bounds.width * zoom) / 2 - bounds.x * zoom;
      const y = (height - bounds.height * zoom) / 2 - bounds.y * zoom;
      void flow.setViewport({ x, y, zoom });
    };
    const frame = requestAnimationFrame(fit);
    const observer = new ResizeObserver(fit);
    observer.observe(element);
    return () => {
      cancelAnimationFrame(frame);
      observer.disconnect();
    };
  }, [container, flow, placed]);
}
