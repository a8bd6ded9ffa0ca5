import { t } from "@oven/i18n";
import { formatRelative } from "@oven/ui/components/format.ts";
import type { StatusTone } from "@oven/ui/theme/tokens.ts";
import type { SaveState } from "./use-draft.ts";

/** Whether the work is safe, in a word. */
export function toSaveText(state: SaveState, now: number): { word: string; tone: StatusTone } {
  switch (state.is) {
    case "published":
      return { word: t("Published"), tone: "completed" };
    case "unsaved":
      return { word: t("Unsaved"), tone: "queued" };
    case "saving":
      return { word: t("Saving"), tone: "queued" };
    case "saved":
      return {
        word: t("Draft · saved {{relative}}", {
          relative: formatRelative(state.at, Math.max(now, Date.parse(state.at))),
        }),
        tone: "queued",
      };
    case "offline":
      return { word: t("Offline · kept in this browser"), tone: "paused" };
    case "conflict":
      return { word: t("Conflict"), tone: "failed" };
  }
}
