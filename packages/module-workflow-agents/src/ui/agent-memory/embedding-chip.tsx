import type { MemoryEntry } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import type { ReactElement } from "react";

/** Whether a memory can be found by what it means. */
export function EmbeddingChip({ entry }: { entry: MemoryEntry }): ReactElement {
  return entry.embedded ? (
    <ToneChip tone="completed" word={t("embedded")} />
  ) : (
    <ToneChip tone="paused" word={t("not embedded")} />
  );
}
