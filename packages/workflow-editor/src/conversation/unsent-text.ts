import { useCallback, useState } from "react";
import { useStoreContext } from "react-admin";

const itemOf = (place: string): string => `unsent.${place}`;

export interface UnsentText {
  /** What stood there when the field was drawn first. */
  found: string;
  keep: (text: string) => void;
  /** Puts a text back that could not be sent, unless another was written meanwhile. */
  giveBack: (text: string) => void;
}

/** What was written and not sent yet, by where it is written: it is there again after another page, until the person signs out. */
export function useUnsentText(place: string): UnsentText {
  const store = useStoreContext();
  const item = itemOf(place);
  const [found] = useState(() => String(store.getItem(item) ?? ""));
  const keep = useCallback(
    (text: string) => (text === "" ? store.removeItem(item) : store.setItem(item, text)),
    [store, item],
  );
  const giveBack = useCallback(
    (text: string) => {
      if (store.getItem(item) === undefined) store.setItem(item, text);
    },
    [store, item],
  );
  return { found, keep, giveBack };
}

/** Hands over what was written in one field to the one that takes its place, such as that of the conversation it has begun. */
export function useMoveUnsentText(): (from: string, to: string) => void {
  const store = useStoreContext();
  return useCallback(
    (from, to) => {
      const text: unknown = store.getItem(itemOf(from));
      store.removeItem(itemOf(from));
      if (typeof text === "string") store.setItem(itemOf(to), text);
    },
    [store],
  );
}
