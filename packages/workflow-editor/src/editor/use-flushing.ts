import { useEffect } from "react";
import type { EditorStore } from "./editor-store.ts";

/** Keys that do something with what was typed. */
function endsTyping({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || key === "Enter" || key === "Escape" || key === "Tab";
}

/** What is being typed is taken over before anything else hears of what the person does next, and before the page goes. */
export function useFlushing(store: EditorStore): void {
  useEffect(() => {
    const flush = (): void => store.flush();
    const onKeyDown = (event: KeyboardEvent): void => {
      if (endsTyping(event)) store.flush();
    };
    const onVisibility = (): void => {
      if (document.visibilityState === "hidden") store.flush();
    };
    window.addEventListener("keydown", onKeyDown, true);
    for (const name of LEAVING) window.addEventListener(name, flush, true);
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      window.removeEventListener("keydown", onKeyDown, true);
      for (const name of LEAVING) window.removeEventListener(name, flush, true);
      document.removeEventListener("visibilitychange", onVisibility);
      store.flush();
    };
  }, [store]);
}

const LEAVING = ["pointerdown", "focusout", "pagehide"] as const;
