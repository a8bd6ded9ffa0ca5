import { useCallback, useState } from "react";
import { useStoreContext } from "react-admin";

export interface KeptDraft<Draft> {
  draft: Draft;
  at: string;
}

/** Unsaved work in this browser's storage, found again after leaving the page. */
export function useKeptDraft<Draft>(key: string): {
  found: KeptDraft<Draft> | null;
  keep: (draft: Draft) => void;
  forget: () => void;
} {
  const store = useStoreContext();
  const item = `draft.${key}`;
  // cast: only `keep` below writes this item
  const [found] = useState<KeptDraft<Draft> | null>(
    () => (store.getItem(item) as KeptDraft<Draft> | undefined) ?? null,
  );
  const keep = useCallback(
    (draft: Draft) => store.setItem(item, { draft, at: new Date().toISOString() }),
    [store, item],
  );
  const forget = useCallback(() => store.removeItem(item), [store, item]);
  return { found, keep, forget };
}
