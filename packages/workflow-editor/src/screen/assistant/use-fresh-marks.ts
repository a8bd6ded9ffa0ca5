import { useEffect, useState } from "react";
import type { DiffMark } from "../../compare/drawn-diff.ts";
import { NO_OVERLAY } from "../../overlay/canvas-overlay.ts";
import type { FoldedDraft } from "../use-draft.ts";

/** As long as it takes to look at what is new. */
const SHOWN_MS = 8_000;

/** Marks of the states that the last folded draft made different, for a moment. */
export function useFreshMarks(folded: FoldedDraft | null): ReadonlyMap<string, DiffMark> {
  const [past, setPast] = useState<FoldedDraft | null>(folded);
  useEffect(() => {
    if (folded === null) return;
    const timer = setTimeout(() => setPast(folded), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [folded]);
  return folded === null || folded === past ? NO_OVERLAY.marks : folded.states;
}
