import { type Table, ValueProblem } from "@oven/contract/table";
import { type KeyboardEvent, useState } from "react";
import { fromBlock, fromCellText, toBlock, toCellText } from "./cell-text.ts";
import { clearBlock, pasteBlock, readRow } from "./paste-block.ts";
import type { Edits } from "./use-edits.ts";
import type { SheetRows } from "./use-rows.ts";
import { type Block, type Place, placeAfter, useSelection } from "./use-selection.ts";

interface SheetDeps {
  table: Table;
  rows: SheetRows;
  edits: Edits;
  mayWrite: boolean;
  /** Rows that PageDown moves by. */
  page: number;
  onProblem: (problem: string | null) => void;
}

export interface SheetState {
  active: Place;
  block: Block;
  /** Whether the active cell was chosen by a key or a press. */
  hasMoved: boolean;
  /** The active cell is being edited; null: it is not. */
  editing: { text: string; problem: string | null } | null;
  press: (at: Place, extend: boolean) => void;
  edit: () => void;
  commit: (text: string, move: "down" | "right" | "left" | null) => void;
  cancel: () => void;
  onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
  onCopy: (event: ClipboardEvent) => void;
  onPaste: (event: ClipboardEvent) => void;
}

/** What keys, presses and the clipboard do in a sheet. */
export function useSheet({ table, rows, edits, mayWrite, page, onProblem }: SheetDeps): SheetState {
  const { columns } = table;
  const total = rows.total ?? 0;
  const { active, block, go, select } = useSelection(total, columns.length);
  const [editing, setEditing] = useState<SheetState["editing"]>(null);
  const [hasMoved, setMoved] = useState(false);
  const move = (to: Place, extend = false): void => {
    setMoved(true);
    onProblem(null);
    go(to, extend);
  };
  const attempt = (work: () => void): void => {
    onProblem(null);
    try {
      work();
    } catch (error) {
      onProblem(error instanceof Error ? error.message : String(error));
    }
  };
  /** The grid takes the keys again. */
  const refocus = (): void => {
    const grid = document.activeElement?.closest<HTMLElement>('[role="grid"]');
    setEditing(null);
    grid?.focus({ preventScroll: true });
  };
  const edit = (text?: string): void => {
    const row = rows.at(active.row);
    const column = columns[active.column];
    if (!mayWrite || row === undefined || column === undefined) return;
    setEditing({ text: text ?? toCellText(row.values[column.name]), problem: null });
  };

  const commit: SheetState["commit"] = (text, direction) => {
    const row = rows.at(active.row);
    const column = columns[active.column];
    if (row === undefined || column === undefined) return refocus();
    if (text !== toCellText(row.values[column.name])) {
      try {
        const value = fromCellText(column, text);
        void edits.write([{ row, values: { [column.name]: value } }]);
      } catch (error) {
        if (!(error instanceof ValueProblem)) throw error;
        onProblem(`${column.title ?? column.name} ${error.message}`);
        setEditing({ text, problem: error.message });
        return;
      }
    }
    refocus();
    if (direction === "down") move({ row: active.row + 1, column: active.column });
    if (direction === "right") move({ row: active.row, column: active.column + 1 });
    if (direction === "left") move({ row: active.row, column: active.column - 1 });
  };

  const onKeyDown: SheetState["onKeyDown"] = (event) => {
    if (event.target !== event.currentTarget || total === 0) return;
    const { key, shiftKey } = event;
    const isCommand = event.ctrlKey || event.metaKey;
    const to = placeAfter(key, active, page, isCommand);
    if (to !== undefined) move(to, shiftKey);
    else if (key === "Tab") {
      const column = active.column + (shiftKey ? -1 : 1);
      // From the first and the last column on it leaves the sheet.
      if (column < 0 || column >= columns.length) return;
      move({ row: active.row, column });
    } else if (isCommand && key.toLowerCase() === "z" && mayWrite) void edits.undo();
    else if (isCommand && key.toLowerCase() === "a") {
      select({ row: 0, column: 0 }, { row: total - 1, column: columns.length - 1 });
    } else if (isCommand || event.altKey) return;
    else if (key === "Enter" || key === "F2") edit();
    else if ((key === "Delete" || key === "Backspace") && mayWrite)
      attempt(() => void edits.write(clearBlock(block, columns, rows)));
    else if (key.length === 1 && key !== " ") edit(key);
    else return;
    event.preventDefault();
  };

  const onCopy: SheetState["onCopy"] = (event) => {
    event.preventDefault();
    attempt(() => {
      const lines: string[][] = [];
      for (let index = block.top; index <= block.bottom; index++) {
        const { values } = readRow(rows, index);
        lines.push(columns.slice(block.left, block.right + 1).map(({ name }) => toCellText(values[name])));
      }
      event.clipboardData?.setData("text/plain", toBlock(lines));
    });
  };

  const onPaste: SheetState["onPaste"] = (event) => {
    event.preventDefault();
    if (!mayWrite) return;
    const texts = fromBlock(event.clipboardData?.getData("text/plain") ?? "");
    if (texts.length === 0) return;
    const at = { row: block.top, column: block.left };
    attempt(() => {
      const { edits: changed, added } = pasteBlock(texts, columns, at, rows);
      void edits.write(changed, added);
      select(at, { row: at.row + texts.length - 1, column: at.column + widthOf(texts) - 1 });
    });
  };

  return {
    ...{ active, block, hasMoved, editing, commit, onKeyDown, onCopy, onPaste },
    press: (at, extend) => {
      if (editing === null || at.row !== active.row || at.column !== active.column) move(at, extend);
    },
    edit: () => edit(),
    cancel: refocus,
  };
}

function widthOf(texts: readonly (readonly string[])[]): number {
  return texts.reduce((widest, line) => Math.max(widest, line.length), 0);
}
