import { ViewportPortal } from "@xyflow/react";
import type { ReactElement } from "react";
import type { HelperLines } from "./helper-lines.ts";

/** The lines a dragged card is held by. */
export function HelperLineView({ lines }: { lines: HelperLines }): ReactElement | null {
  if (lines.x === null && lines.y === null) return null;
  const FAR = 100_000;
  return (
    <ViewportPortal>
      <svg className="oven-helper-lines" aria-hidden="true">
        {lines.x === null ? null : <line x1={lines.x} x2={lines.x} y1={-FAR} y2={FAR} />}
        {lines.y === null ? null : <line y1={lines.y} y2={lines.y} x1={-FAR} x2={FAR} />}
      </svg>
    </ViewportPortal>
  );
}
