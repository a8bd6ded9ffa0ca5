import { useCallback, useState } from "react";
import { useStoreContext } from "react-admin";

export interface StoredDraft<Draft> {
  draft: Draft;
  at: string;
}

/** Unsaved work in this browser's storage, found again after leaving the page. */
export function useStoredDraft<Draft>(key: string): {
  found: StoredDraft<Draft> | null;
  keep: (draft: Draft) => void;
  forget: () => void;
} {
  const store = useStoreContext();
  const item = `draft.${key}`;
  // cast: only `keep` below writes this item
  const [found] = useState<StoredDraft<Draft> | null>(
    () => (store.getItem(item) as StoredDraft<Draft> | undefined) ?? null,
  );
  const keep = useCallback(
    (draft: Draft) => store.setItem(item, { draft, at: new Date().toISOString() }),
    [store, item],
  );
  const forget = useCallback(() => store.removeItem(item), [store, item]);
  return { found, keep, forget };
}
