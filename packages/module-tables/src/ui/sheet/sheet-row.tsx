import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import type { TableColumn, TableRow } from "@oven/contract/table";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { CellEditor } from "./cell-editor.tsx";
import { toCellText } from "./cell-text.ts";
import { COLUMN_WIDTH, cellId, NUMBER_WIDTH, ROW_HEIGHT } from "./sheet-size.ts";
import type { SheetState } from "./use-sheet.ts";

interface SheetRowProps {
  index: number;
  /** Pixels from the first row. */
  top: number;
  gridId: string;
  /** undefined: it is being read. */
  row: TableRow | undefined;
  columns: readonly TableColumn[];
  state: SheetState;
  mayWrite: boolean;
  marked: ReadonlySet<number>;
  onMark: (id: number, isMarked: boolean) => void;
}

/** One row of a sheet. */
export function SheetRow(props: SheetRowProps): ReactElement {
  const { index, top, gridId, row, columns, state, mayWrite, marked, onMark } = props;
  const isMarked = row !== undefined && marked.has(row.id);
  return (
    <Box
      role="row"
      aria-rowindex={index + 2}
      sx={{
        display: "flex",
        position: "absolute",
        top: 0,
        left: 0,
        right: 0,
        height: ROW_HEIGHT,
        transform: `translateY(${top}px)`,
        bgcolor: isMarked ? "action.selected" : "background.paper",
      }}
    >
      <Box
        role="rowheader"
        sx={{
          ...BORDER,
          width: NUMBER_WIDTH,
          flexShrink: 0,
          display: "flex",
          alignItems: "center",
          position: "sticky",
          left: 0,
          zIndex: 2,
          bgcolor: "var(--oven-sunken)",
          color: "text.secondary",
          fontSize: 11.5,
        }}
      >
        {mayWrite && row !== undefined ? (
          <Checkbox
            size="small"
            checked={isMarked}
            onChange={(_, checked) => onMark(row.id, checked)}
            slotProps={{ input: { "aria-label": t("Mark row {{number}}", { number: index + 1 }), tabIndex: -1 } }}
            sx={{ p: 0.25 }}
          />
        ) : null}
        <span>{index + 1}</span>
      </Box>
      {columns.map((column, at) => (
        <SheetCell
          key={column.key}
          id={cellId(gridId, { row: index, column: at })}
          {...{ column, at, row, index, state }}
        />
      ))}
    </Box>
  );
}

const BORDER = { borderRight: 1, borderBottom: 1, borderColor: "divider", boxSizing: "border-box" } as const;

interface SheetCellProps {
  id: string;
  column: TableColumn;
  at: number;
  row: TableRow | undefined;
  index: number;
  state: SheetState;
}

function SheetCell({ id, column, at, row, index, state }: SheetCellProps): ReactElement {
  const { active, block, editing } = state;
  const isActive = active.row === index && active.column === at;
  const isSelected = index >= block.top && index <= block.bottom && at >= block.left && at <= block.right;
  const text = row === undefined ? "" : toCellText(row.values[column.name]);
  const isRight = column.type === "number" || column.type === "reference";
  return (
    <Box
      role="gridcell"
      id={id}
      aria-colindex={at + 2}
      aria-selected={isSelected}
      onMouseDown={(event) => state.press({ row: index, column: at }, event.shiftKey)}
      onDoubleClick={() => state.edit()}
      sx={{
        ...BORDER,
        width: COLUMN_WIDTH,
        flexShrink: 0,
        cursor: "cell",
        bgcolor: isSelected ? "action.selected" : "transparent",
        ...(isActive ? { boxShadow: (theme) => `inset 0 0 0 2px ${theme.palette.primary.main}` } : {}),
      }}
    >
      {isActive && editing !== null ? (
        <CellEditor
          column={column}
          text={editing.text}
          problem={editing.problem}
          onCommit={state.commit}
          onCancel={state.cancel}
        />
      ) : (
        <Box
          sx={{
            px: 1,
            lineHeight: `${ROW_HEIGHT - 1}px`,
            overflow: "hidden",
            textOverflow: "ellipsis",
            whiteSpace: "pre",
            textAlign: isRight ? "right" : "left",
          }}
        >
          {text.length > 200 ? `${text.slice(0, 200)}…` : text.replaceAll("\n", " ")}
        </Box>
      )}
    </Box>
  );
}
