import type { ReactElement } from "react";
import type { NodeProgress } from "../graph/graph-model.ts";

const MARKS: Record<NodeProgress["status"], string> = {
  running: "M12 4a8 8 0 1 0 8 8",
  paused: "M9 6v12M15 6v12",
  completed: "M5 12.5l4.5 4.5L19 7.5",
  failed: "M6 6l12 12M18 6L6 18",
  cancelled: "M5 12h14",
  skipped: "M5 6l7 6-7 6M13 6l7 6-7 6",
};

/** The colour token of a progress, as in the status chips. */
export function toProgressColour(status: NodeProgress["status"]): string {
  return `var(--oven-status-${status === "skipped" ? "cancelled" : status})`;
}

export function ProgressBadge({ progress }: { progress: NodeProgress }): ReactElement {
  const { status, label, visits } = progress;
  const words = [label ?? status, ...(visits !== undefined && visits > 1 ? [`×${visits}`] : [])];
  return (
    <div className="oven-card__progress">
      <svg
        width={11}
        height={11}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={3}
        strokeLinecap="round"
        role="img"
        aria-label={status}
      >
        <path d={MARKS[status]} />
      </svg>
      {words.join(" ")}
    </div>
  );
}
