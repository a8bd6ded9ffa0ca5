import type { MemoryEntry } from "@oven/contract";
import type { ReactElement } from "react";
import { ToneChip } from "../../components/status-chip.tsx";

/** Whether a memory can be found by what it means. */
export function EmbeddingChip({ entry }: { entry: MemoryEntry }): ReactElement {
  return entry.embedded ? (
    <ToneChip tone="completed" word="embedded" />
  ) : (
    <ToneChip tone="paused" word="not embedded" />
  );
}
