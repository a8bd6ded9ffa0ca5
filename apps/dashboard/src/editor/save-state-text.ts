import { formatRelative } from "../components/format.ts";
import type { StatusTone } from "../theme/tokens.ts";
import type { SaveState } from "./use-draft.ts";

/** Whether the work is safe, in a word. */
export function toSaveText(state: SaveState, now: number): { word: string; tone: StatusTone } {
  switch (state.is) {
    case "published":
      return { word: "Published", tone: "completed" };
    case "unsaved":
      return { word: "Unsaved", tone: "queued" };
    case "saving":
      return { word: "Saving", tone: "queued" };
    case "saved":
      return { word: `Draft · saved ${formatRelative(state.at, Math.max(now, Date.parse(state.at)))}`, tone: "queued" };
    case "offline":
      return { word: "Offline · kept in this browser", tone: "paused" };
    case "conflict":
      return { word: "Conflict", tone: "failed" };
  }
}
