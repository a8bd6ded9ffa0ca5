import type { ReactElement } from "react";
import type { LayoutProgress } from "../editor/use-projection.ts";

/** How far a long layout is, and a way to end it. */
export function LayoutNotice({ share, stop }: LayoutProgress): ReactElement {
  const percent = Math.round(share * 100);
  return (
    <div className="oven-laying-out">
      <progress aria-label="Laying out" max={100} value={percent} />
      <span>Laying out… {percent} %</span>
      <button type="button" className="oven-button" onClick={stop}>
        Stop
      </button>
    </div>
  );
}
