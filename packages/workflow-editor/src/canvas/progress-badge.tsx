import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import type { DiffMark } from "../compare/drawn-diff.ts";
import type { NodeProgress } from "../graph/graph-model.ts";
import type { PinMark } from "../overlay/canvas-overlay.ts";

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

/** `completed`, `1.2 s ×2`, `3 of 5 · 840 tok`. */
function toShownWords({ status, label, visits, items, spent }: NodeProgress): string {
  const first = [label ?? status, ...(visits !== undefined && visits > 1 ? [`×${visits}`] : [])].join(" ");
  return [
    first,
    ...(items === undefined ? [] : [t("{{ended}} of {{total}}", { ended: items.ended, total: items.total })]),
    ...(spent ?? []),
  ].join(" · ");
}

/** For who cannot see the badge. */
export function toProgressWords(progress: NodeProgress | null): string {
  if (progress === null) return "";
  const words = toShownWords(progress);
  return words.startsWith(progress.status) ? words : `${progress.status}, ${words}`;
}

export function ProgressBadge({
  progress,
  stale = false,
}: {
  progress: NodeProgress;
  stale?: boolean | undefined;
}): ReactElement {
  return (
    <div className="oven-card__progress" data-stale={stale} title={stale ? t("Changed since this run") : undefined}>
      <svg
        width={11}
        height={11}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={3}
        strokeLinecap="round"
        role="img"
        aria-label={progress.status}
      >
        <path d={MARKS[progress.status]} />
      </svg>
      {toShownWords(progress)}
      {stale ? ` · ${t("stale")}` : ""}
    </div>
  );
}

/** The output of the node is not its own but one that was kept. */
export function PinBadge({ pin = null }: { pin?: PinMark | null | undefined }): ReactElement | null {
  if (pin === null) return null;
  return (
    <div
      className="oven-card__pin"
      data-stale={pin === "stale"}
      title={
        pin === "stale"
          ? t("Pinned before something it is made from was changed")
          : t("The node is not called: its output is pinned")
      }
    >
      <svg
        width={11}
        height={11}
        viewBox="0 0 24 24"
        fill="none"
        stroke="currentColor"
        strokeWidth={2.6}
        aria-hidden="true"
      >
        <path d="M9 3h6l-1 7 4 4H6l4-4zM12 14v7" />
      </svg>
      {pin === "stale" ? t("pinned · stale") : t("pinned")}
    </div>
  );
}

const SIGNS: Record<DiffMark, string> = { added: "+", removed: "−", changed: "~", moved: "↷" };

/** What became of a card, in a word; nothing: "". */
export function toMarkWord(mark: DiffMark | null | undefined): string {
  switch (mark) {
    case "added":
      return t("added");
    case "removed":
      return t("removed");
    case "changed":
      return t("changed");
    case "moved":
      return t("moved");
    default:
      return "";
  }
}

/** A sign and a word, so that it is told by more than its colour. */
export function MarkBadge({ mark = null }: { mark?: DiffMark | null | undefined }): ReactElement | null {
  if (mark === null) return null;
  return (
    <div className="oven-card__mark" data-mark={mark}>
      {SIGNS[mark]} {toMarkWord(mark)}
    </div>
  );
}
