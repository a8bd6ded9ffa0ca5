import { t } from "@oven/i18n";
import { type ReactElement, useSyncExternalStore } from "react";
import type { LayoutProgress } from "../layout/layout-progress.ts";

/** How far a long layout is, and a way to end it. */
export function LayoutNotice({ progress }: { progress: LayoutProgress }): ReactElement | null {
  const now = useSyncExternalStore(progress.subscribe, progress.get);
  if (now === null) return null;
  const { share, stop } = now;
  const percent = Math.round(share * 100);
  return (
    <div className="oven-laying-out">
      <progress aria-label={t("Laying out")} max={100} value={percent} />
      <span>{t("Laying out… {{percent}} %", { percent })}</span>
      <button type="button" className="oven-button" onClick={stop}>
        {t("Stop")}
      </button>
    </div>
  );
}
