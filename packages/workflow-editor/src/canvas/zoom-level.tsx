import { useStore } from "@xyflow/react";
import { type ReactElement, useLayoutEffect, useRef } from "react";

const FAR = 0.45;
const NEAR = 1.3;

type Level = "far" | "middle" | "near";

/** Tells the style sheet how close the graph is looked at: names only from afar, details from nearby. */
export function ZoomLevel(): ReactElement {
  const level = useStore(
    ({ transform }): Level => (transform[2] < FAR ? "far" : transform[2] > NEAR ? "near" : "middle"),
  );
  const mark = useRef<HTMLSpanElement>(null);
  useLayoutEffect(() => {
    const canvas = mark.current?.closest<HTMLElement>(".oven-canvas");
    if (canvas) canvas.dataset.zoom = level;
  }, [level]);
  return <span ref={mark} hidden />;
}
