import { useReactFlow } from "@xyflow/react";
import { type RefObject, useEffect } from "react";

/** What stands in the middle stays in the middle when room is taken from the canvas, or given back: by what is below or beside it. */
export function useCentredView(canvas: RefObject<HTMLElement | null>): void {
  const flow = useReactFlow();
  useEffect(() => {
    const element = canvas.current;
    if (element === null) return;
    let { clientWidth: width, clientHeight: height } = element;
    const observer = new ResizeObserver(() => {
      const wider = element.clientWidth - width;
      const higher = element.clientHeight - height;
      const wasShown = height > 0;
      ({ clientWidth: width, clientHeight: height } = element);
      // Where it has no height it is not shown.
      if ((wider === 0 && higher === 0) || height === 0 || !wasShown) return;
      const { x, y, zoom } = flow.getViewport();
      void flow.setViewport({ x: x + wider / 2, y: y + higher / 2, zoom });
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, [canvas, flow]);
}
