import ArrowDownwardRounded from "@mui/icons-material/ArrowDownwardRounded";
import ArrowUpwardRounded from "@mui/icons-material/ArrowUpwardRounded";
import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import type { TableColumn } from "@oven/contract/table";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { typeWord } from "../words.ts";
import { COLUMN_WIDTH, NUMBER_WIDTH, ROW_HEIGHT } from "./sheet-size.ts";
import type { SheetQuery } from "./use-rows.ts";

interface SheetHeadProps {
  columns: readonly TableColumn[];
  sort: SheetQuery["sort"];
  onSort: (sort: SheetQuery["sort"]) => void;
}

/** Names of columns; a press sorts by one, upwards, downwards, and not at all. */
export function SheetHead({ columns, sort, onSort }: SheetHeadProps): ReactElement {
  return (
    <Box
      role="row"
      aria-rowindex={1}
      sx={{
        display: "flex",
        position: "sticky",
        top: 0,
        zIndex: 3,
        bgcolor: "var(--oven-sunken)",
        height: ROW_HEIGHT + 6,
      }}
    >
      <Box
        role="columnheader"
        aria-label={t("Number")}
        sx={{
          ...CELL,
          width: NUMBER_WIDTH,
          flexShrink: 0,
          position: "sticky",
          left: 0,
          zIndex: 1,
          bgcolor: "var(--oven-sunken)",
        }}
      />
      {columns.map((column) => (
        <HeadCell key={column.key} column={column} sort={sort} onSort={onSort} />
      ))}
    </Box>
  );
}

const FILLED = {
  width: "100%",
  height: "100%",
  justifyContent: "flex-start",
  textAlign: "left",
  fontFamily: "inherit",
} as const;
const CELL = { borderRight: 1, borderBottom: 1, borderColor: "divider", boxSizing: "border-box" } as const;

interface HeadCellProps extends Omit<SheetHeadProps, "columns"> {
  column: TableColumn;
}

function HeadCell({ column, sort, onSort }: HeadCellProps): ReactElement {
  const { name, title, type, required, description } = column;
  const order = sort.field === name ? sort.order : null;
  const next = order === null ? "ASC" : order === "ASC" ? "DESC" : null;
  return (
    <Box
      role="columnheader"
      aria-sort={order === null ? "none" : order === "ASC" ? "ascending" : "descending"}
      sx={{ ...CELL, width: COLUMN_WIDTH, flexShrink: 0 }}
    >
      <ButtonBase
        title={description}
        onClick={() => onSort(next === null ? { field: "id", order: "ASC" } : { field: name, order: next })}
        sx={{ ...FILLED, px: 1, gap: 0.5 }}
      >
        <Box sx={{ minWidth: 0, flex: 1 }}>
          <Box
            sx={{ fontWeight: 600, fontSize: 13, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" }}
          >
            {title ?? name}
            {required ? " *" : ""}
          </Box>
          <Box sx={{ fontSize: 11, color: "text.secondary", lineHeight: 1.1 }}>{typeWord(type)}</Box>
        </Box>
        {order === "ASC" ? <ArrowUpwardRounded sx={{ fontSize: 16 }} /> : null}
        {order === "DESC" ? <ArrowDownwardRounded sx={{ fontSize: 16 }} /> : null}
      </ButtonBase>
    </Box>
  );
}
