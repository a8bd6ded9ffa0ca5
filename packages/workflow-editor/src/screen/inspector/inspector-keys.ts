import type { KeyboardEvent } from "react";

/**
 * Keys inside the inspector. Escape leads back to the state on the canvas; keys that would do something to the canvas (a letter,
 * Delete, an arrow) stay here, for whoever presses them on a button of a form does not mean the state.
 */
export function onInspectorKey(event: KeyboardEvent<HTMLElement>, stateId: string): void {
  const { key, ctrlKey, metaKey, altKey, currentTarget, target } = event;
  // Menus and pickers are children here, but elsewhere on the page, and have keys of their own.
  if (event.defaultPrevented || !(target instanceof Node) || !currentTarget.contains(target)) return;
  if (ctrlKey || metaKey || altKey) return;
  if (key === "Escape") {
    const card = document.querySelector<HTMLElement>(`.react-flow__node[data-id="${CSS.escape(stateId)}"]`);
    if (card === null) return;
    event.preventDefault();
    card.focus();
  } else if ((key.length === 1 && key !== "?") || key.startsWith("Arrow") || key === "Delete" || key === "Backspace")
    // The editor listens on the document, where React does, too.
    event.nativeEvent.stopImmediatePropagation();
}
