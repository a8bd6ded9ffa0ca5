import { getOwn, toLabel } from "@oven/contract";
import { t } from "@oven/i18n";
import type { StatusTone } from "@oven/ui/theme/tokens.ts";

const PAST: Record<string, { word: string; tone: StatusTone }> = {
  approve: { word: t("Approved"), tone: "completed" },
  edit: { word: t("Approved with edits"), tone: "completed" },
  reject: { word: t("Rejected"), tone: "failed" },
};

/** What was decided, in the past; outcomes of the workflow's own keep their name. */
export function toPast(action: string): { word: string; tone: StatusTone } {
  return getOwn(PAST, action) ?? { word: toLabel(action), tone: "stopped" };
}
