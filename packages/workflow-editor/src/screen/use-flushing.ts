import { useEffect } from "react";
import type { EditorStore } from "../editor/editor-store.ts";

/** Keys that do something with what was typed. */
function endsTyping({ key, ctrlKey, metaKey }: KeyboardEvent): boolean {
  return ctrlKey || metaKey || key === "Enter" || key === "Escape" || key === "Tab";
}

const DEEDS = ["pointerdown", "focusout"] as const;

/** What is being typed is taken over before anything else hears of what the person does next. Before the page goes, the draft does it. */
export function useFlushing(store: EditorStore): void {
  useEffect(() => {
    const flush = (): void => store.flush();
    const onKeyDown = (event: KeyboardEvent): void => {
      if (endsTyping(event)) store.flush();
    };
    window.addEventListener("keydown", onKeyDown, true);
    for (const name of DEEDS) window.addEventListener(name, flush, true);
    return () => {
      window.removeEventListener("keydown", onKeyDown, true);
      for (const name of DEEDS) window.removeEventListener(name, flush, true);
      store.flush();
    };
  }, [store]);
}
