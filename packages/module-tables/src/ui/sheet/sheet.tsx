import Box from "@mui/material/Box";
import type { Table } from "@oven/contract/table";
import { t } from "@oven/i18n";
import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactElement, useEffect, useId, useRef } from "react";
import { SheetHead } from "./sheet-head.tsx";
import { SheetRow } from "./sheet-row.tsx";
import { COLUMN_WIDTH, cellId, NUMBER_WIDTH, ROW_HEIGHT } from "./sheet-size.ts";
import type { Edits } from "./use-edits.ts";
import type { SheetQuery, SheetRows } from "./use-rows.ts";
import { type SheetState, useSheet } from "./use-sheet.ts";

interface SheetProps {
  table: Table;
  rows: SheetRows;
  edits: Edits;
  mayWrite: boolean;
  sort: SheetQuery["sort"];
  onSort: (sort: SheetQuery["sort"]) => void;
  marked: ReadonlySet<number>;
  onMark: (id: number, isMarked: boolean) => void;
  /** Why what was typed or pasted does not fit; null: it does. */
  onProblem: (problem: string | null) => void;
}

/** Rows of a table as a spreadsheet: only what is in sight is in the document. */
export function Sheet(props: SheetProps): ReactElement {
  const { table, rows, mayWrite, sort, onSort, marked, onMark } = props;
  const total = rows.total ?? 0;
  const scroller = useRef<HTMLDivElement>(null);
  const id = useId();
  const virtual = useVirtualizer({
    count: total,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_HEIGHT,
    overscan: 12,
  });
  const state = useSheet({ ...props, page: Math.floor((scroller.current?.clientHeight ?? 400) / ROW_HEIGHT) - 1 });
  const shown = virtual.getVirtualItems();
  const [first, last] = [shown.at(0)?.index ?? 0, shown.at(-1)?.index ?? 0];
  useEffect(() => {
    if (total > 0) rows.need(first, last);
  }, [rows.need, first, last, total]);
  useFollow(state, scroller, virtual.scrollToIndex);
  useClipboard(state, scroller);
  const width = NUMBER_WIDTH + table.columns.length * COLUMN_WIDTH;
  return (
    <Box
      ref={scroller}
      role="grid"
      tabIndex={0}
      aria-label={t("Rows of {{name}}", { name: table.name })}
      aria-rowcount={total + 1}
      aria-colcount={table.columns.length + 1}
      aria-multiselectable
      aria-readonly={!mayWrite}
      aria-activedescendant={total === 0 ? undefined : cellId(id, state.active)}
      onKeyDown={state.onKeyDown}
      sx={{
        height: "min(620px, 66vh)",
        overflow: "auto",
        border: 1,
        borderColor: "divider",
        borderRadius: 1.5,
        fontSize: 13,
        fontVariantNumeric: "tabular-nums",
        position: "relative",
        outlineOffset: 2,
      }}
    >
      <Box sx={{ width, minWidth: "100%" }}>
        <SheetHead columns={table.columns} sort={sort} onSort={onSort} />
        <Box role="rowgroup" sx={{ position: "relative", height: virtual.getTotalSize() }}>
          {shown.map(({ index, start }) => (
            <SheetRow
              key={index}
              index={index}
              top={start}
              gridId={id}
              row={rows.at(index)}
              columns={table.columns}
              state={state}
              mayWrite={mayWrite}
              marked={marked}
              onMark={onMark}
            />
          ))}
        </Box>
      </Box>
    </Box>
  );
}

/** Browsers send what the clipboard does to where text is selected, which need not be within the grid that has the focus. */
function useClipboard({ onCopy, onPaste }: SheetState, scroller: { current: HTMLDivElement | null }): void {
  useEffect(() => {
    const ifFocused = (work: (event: ClipboardEvent) => void) => (event: ClipboardEvent) => {
      if (document.activeElement === scroller.current) work(event);
    };
    const [copy, paste] = [ifFocused(onCopy), ifFocused(onPaste)];
    document.addEventListener("copy", copy);
    document.addEventListener("paste", paste);
    return () => {
      document.removeEventListener("copy", copy);
      document.removeEventListener("paste", paste);
    };
  }, [onCopy, onPaste, scroller]);
}

/** Keeps the active cell in sight. */
function useFollow(
  { active, hasMoved }: SheetState,
  scroller: { current: HTMLDivElement | null },
  scrollToIndex: (index: number) => void,
): void {
  const { row, column } = active;
  useEffect(() => {
    const element = scroller.current;
    if (!hasMoved || element === null) return;
    scrollToIndex(row);
    const left = column * COLUMN_WIDTH;
    const seen = element.clientWidth - NUMBER_WIDTH;
    if (left < element.scrollLeft) element.scrollLeft = left;
    else if (left + COLUMN_WIDTH > element.scrollLeft + seen) element.scrollLeft = left + COLUMN_WIDTH - seen;
  }, [row, column, hasMoved, scroller, scrollToIndex]);
}
