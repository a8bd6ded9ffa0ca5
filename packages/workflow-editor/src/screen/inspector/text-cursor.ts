/** Where the cursor of a field is, whatever draws the field. */
export interface TextCursor {
  read: () => { start: number; end: number };
  /** Puts the cursor at a place, and the focus into the field. */
  put: (at: number) => void;
}

export function cursorOf(area: HTMLTextAreaElement): TextCursor {
  return {
    read: () => ({ start: area.selectionStart, end: area.selectionEnd }),
    put: (at) => {
      area.focus();
      area.setSelectionRange(at, at);
    },
  };
}

/** Where the cursor of a text area is on the screen: its text stands behind it once more, at the same places. */
export function cursorRect(area: HTMLTextAreaElement, at: number): DOMRect {
  const painted = area.previousElementSibling;
  const walker = painted === null ? null : document.createTreeWalker(painted, NodeFilter.SHOW_TEXT);
  let left = at;
  for (let node = walker?.nextNode(); node; node = walker?.nextNode()) {
    const length = node.textContent?.length ?? 0;
    if (left > length) {
      left -= length;
      continue;
    }
    const range = document.createRange();
    range.setStart(node, left);
    return range.getBoundingClientRect();
  }
  return area.getBoundingClientRect();
}
