import { useState } from "react";

/** A cell by the places of its row and column. */
export interface Place {
  row: number;
  column: number;
}

/** The rectangle of cells that is selected. */
export interface Block {
  top: number;
  left: number;
  bottom: number;
  right: number;
}

export interface Selection {
  /** What keys act on. */
  active: Place;
  block: Block;
  /** Moves to a cell; with `extend` the block grows from where it began. */
  go: (to: Place, extend?: boolean) => void;
  /** The block between two cells. */
  select: (from: Place, to: Place) => void;
}

/** @param rows and @param columns how many there are */
export function useSelection(rows: number, columns: number): Selection {
  const [{ active, anchor }, set] = useState<{ active: Place; anchor: Place }>({
    active: { row: 0, column: 0 },
    anchor: { row: 0, column: 0 },
  });
  const within = ({ row, column }: Place): Place => ({
    row: Math.min(Math.max(0, row), Math.max(0, rows - 1)),
    column: Math.min(Math.max(0, column), Math.max(0, columns - 1)),
  });
  const now = within(active);
  const from = within(anchor);
  return {
    active: now,
    block: {
      top: Math.min(now.row, from.row),
      left: Math.min(now.column, from.column),
      bottom: Math.max(now.row, from.row),
      right: Math.max(now.column, from.column),
    },
    go: (to, extend = false) => set({ active: within(to), anchor: extend ? from : within(to) }),
    // What was pasted may reach beyond the rows that are known.
    select: (start, to) => set({ active: to, anchor: start }),
  };
}

/** Where a key leads from a cell; undefined: it is no key that moves. */
export function placeAfter(key: string, { row, column }: Place, page: number, all: boolean): Place | undefined {
  const far = Number.MAX_SAFE_INTEGER;
  switch (key) {
    case "ArrowUp":
      return { row: all ? 0 : row - 1, column };
    case "ArrowDown":
      return { row: all ? far : row + 1, column };
    case "ArrowLeft":
      return { row, column: all ? 0 : column - 1 };
    case "ArrowRight":
      return { row, column: all ? far : column + 1 };
    case "Home":
      return { row: all ? 0 : row, column: 0 };
    case "End":
      return { row: all ? far : row, column: far };
    case "PageUp":
      return { row: row - page, column };
    case "PageDown":
      return { row: row + page, column };
    default:
      return undefined;
  }
}
