import { useEffect, useRef } from "react";
import { flushSync } from "react-dom";

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || ["INPUT", "TEXTAREA", "SELECT"].includes(target.tagName))
  );
}

/**
 * Single keys, not while typing, not with a modifier, not behind a dialog. Escape and `Control+Enter` (on a Mac with Command)
 * also while typing.
 */
export function useShortcuts(shortcuts: Record<string, () => void>): void {
  const current = useRef(shortcuts);
  current.current = shortcuts;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.altKey || event.repeat) return;
      const key = event.ctrlKey || event.metaKey ? `Control+${event.key}` : event.key;
      if (isTyping(event.target) && key !== "Escape" && key !== "Control+Enter") return;
      if (document.querySelector('[role="dialog"]') !== null) return;
      const action = current.current[key];
      if (action === undefined) return;
      event.preventDefault();
      // What the key opens has the focus before the next key: no typed letter is lost.
      flushSync(action);
    };
    window.addEventListener("keydown", onKeyDown);
    return () => window.removeEventListener("keydown", onKeyDown);
  }, []);
}
