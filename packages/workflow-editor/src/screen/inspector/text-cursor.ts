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
