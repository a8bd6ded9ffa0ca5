import { type KeyboardEvent, useId, useRef, useState } from "react";
import { type Completion, completionAt } from "../../inspector/completion-at.ts";
import { matchVariables } from "../../inspector/match-variables.ts";
import type { Variable } from "../../inspector/variables.ts";

/** A longer list is not read; another letter narrows it down. */
const MOST = 30;

/** A completion that is offered during typing. */
export interface Offered extends Completion {
  /** Where it ends: at the cursor. */
  end: number;
  found: readonly Variable[];
  lit: number;
}

export interface CompletionState {
  offered: Offered | null;
  /** Id of the list; what the text area controls. */
  listId: string;
  /** Looks at the text again: after a key, and when the cursor has moved. */
  look: (area: HTMLTextAreaElement) => void;
  /** Takes the keys that choose. */
  onKeyDown: (event: KeyboardEvent<HTMLTextAreaElement>) => void;
  close: () => void;
}

/**
 * Offers variables beside the cursor. It never takes the keyboard: what is typed goes into the text, Escape only puts the list away, and
 * Enter is a new line where nothing fits.
 */
export function useCompletion(
  variables: () => readonly Variable[],
  onPick: (variable: Variable, place: { start: number; end: number }) => void,
): CompletionState {
  const [offered, setOffered] = useState<Offered | null>(null);
  // Put away: not offered again for the same opener.
  const dismissed = useRef<number | null>(null);
  const listId = useId();
  const close = (): void => setOffered(null);
  const look = (area: HTMLTextAreaElement): void => {
    const { selectionStart, selectionEnd, value } = area;
    const completion = selectionStart === selectionEnd ? completionAt(value, selectionStart) : null;
    if (completion === null) {
      dismissed.current = null;
      close();
      return;
    }
    if (dismissed.current === completion.start) return;
    const found = matchVariables(variables(), completion.sought).slice(0, MOST);
    setOffered((before) => {
      if (found.length === 0) return null;
      const isSame = before !== null && before.start === completion.start && before.sought === completion.sought;
      return { ...completion, end: selectionStart, found, lit: isSame ? Math.min(before.lit, found.length - 1) : 0 };
    });
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTextAreaElement>): void => {
    if (offered === null || event.nativeEvent.isComposing) return;
    const { found, lit, start, end } = offered;
    const chosen = found[lit];
    if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      setOffered({ ...offered, lit: (lit + step + found.length) % found.length });
    } else if ((event.key === "Enter" || event.key === "Tab") && chosen !== undefined) {
      close();
      onPick(chosen, { start, end });
    } else if (event.key === "Escape") {
      dismissed.current = start;
      close();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return { offered, listId, look, onKeyDown, close };
}
