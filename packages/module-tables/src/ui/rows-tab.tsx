import AddRounded from "@mui/icons-material/AddRounded";
import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import UndoRounded from "@mui/icons-material/UndoRounded";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import type { Table, TableFilter, TableRow } from "@oven/contract/table";
import { t } from "@oven/i18n";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useEffect, useState } from "react";
import { FilterBar } from "./filter-bar.tsx";
import { RowDialog } from "./row-dialog.tsx";
import { Sheet } from "./sheet/sheet.tsx";
import { useEdits } from "./sheet/use-edits.ts";
import { type SheetQuery, type SheetRows, useRows } from "./sheet/use-rows.ts";

interface RowsTabProps {
  table: Table;
  /** The number of rows has changed. */
  onCounted: () => void;
}

/** Rows of a table with what finds, adds and deletes them. */
export function RowsTab({ table, onCounted }: RowsTabProps): ReactElement {
  const mayWrite = useCan("tables.write");
  const [where, setWhere] = useState<TableFilter>({});
  const [q, setQuery] = useState("");
  const [sort, setSort] = useState<SheetQuery["sort"]>({ field: "id", order: "ASC" });
  const rows = useRows(table.id, { where, q, sort });
  const edits = useEdits(table, rows, onCounted);
  const [problem, setProblem] = useState<string | null>(null);
  const [marked, setMarked] = useState<ReadonlySet<number>>(new Set());
  const [opened, setOpened] = useState<"add" | "delete" | null>(null);
  const isFiltered = q !== "" || Object.keys(where).length > 0;
  const chosen = markedRows(rows, marked);
  return (
    <Box sx={{ display: "grid", gap: 1.5, gridTemplateColumns: "minmax(0, 1fr)" }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center" }}>
        <QueryField onQuery={setQuery} />
        <FilterBar table={table} where={where} onChange={setWhere} />
        <Box sx={{ flex: 1 }} />
        {mayWrite ? (
          <>
            <Button
              startIcon={<UndoRounded />}
              disabled={!edits.canUndo || edits.busy}
              onClick={() => void edits.undo()}
            >
              {t("Undo")}
            </Button>
            <Button
              color="error"
              startIcon={<DeleteOutlineRounded />}
              disabled={chosen.length === 0}
              onClick={() => setOpened("delete")}
            >
              {t("Delete marked rows")}
            </Button>
            <Button variant="contained" startIcon={<AddRounded />} onClick={() => setOpened("add")}>
              {t("Add a row")}
            </Button>
          </>
        ) : null}
      </Box>
      {rows.failure ? (
        <ErrorPanel error={rows.failure} title={t("The rows could not be read")} onRetry={rows.reload} />
      ) : null}
      {edits.failure ? <ErrorPanel error={edits.failure} title={t("The edit was not stored")} /> : null}
      {problem === null ? null : <Alert severity="error">{problem}</Alert>}
      <Sheet
        {...{ table, rows, edits, mayWrite, sort, marked }}
        onSort={setSort}
        onProblem={setProblem}
        onMark={(id, isMarked) => setMarked((before) => withMark(before, id, isMarked))}
      />
      <Counted rows={rows} isFiltered={isFiltered} busy={edits.busy} />
      {opened === "add" ? (
        <RowDialog
          table={table}
          onClose={() => setOpened(null)}
          onAdd={async (values) => {
            if (await edits.write([], [values])) setOpened(null);
            else throw new Error(t("The row was not added. Why stands above the sheet."));
          }}
        />
      ) : null}
      <ConfirmDialog
        open={opened === "delete"}
        title={t("Delete {{count}} rows?", { count: chosen.length })}
        text={t("Undo adds them again as new rows, with new ids.")}
        confirmLabel={t("Delete")}
        onClose={() => setOpened(null)}
        onConfirm={async () => {
          await edits.remove(chosen);
          setMarked(new Set());
        }}
      />
    </Box>
  );
}

/** Rows that are marked and were read. */
function markedRows({ at, total = 0 }: SheetRows, marked: ReadonlySet<number>): TableRow[] {
  const found: TableRow[] = [];
  if (marked.size === 0) return found;
  for (let index = 0; index < total && found.length < marked.size; index++) {
    const row = at(index);
    if (row !== undefined && marked.has(row.id)) found.push(row);
  }
  return found;
}

function withMark(before: ReadonlySet<number>, id: number, isMarked: boolean): ReadonlySet<number> {
  const next = new Set(before);
  if (isMarked) next.add(id);
  else next.delete(id);
  return next;
}

function QueryField({ onQuery }: { onQuery: (q: string) => void }): ReactElement {
  const [text, setText] = useState("");
  useEffect(() => {
    const timer = setTimeout(() => onQuery(text.trim()), 250);
    return () => clearTimeout(timer);
  }, [text, onQuery]);
  return (
    <TextField
      type="search"
      placeholder={t("Search rows")}
      value={text}
      onChange={(event) => setText(event.target.value)}
      sx={{ width: { xs: "100%", sm: 220 } }}
      slotProps={{ htmlInput: { "aria-label": t("Search rows") } }}
    />
  );
}

function Counted({ rows, isFiltered, busy }: { rows: SheetRows; isFiltered: boolean; busy: boolean }): ReactElement {
  const { total } = rows;
  const words =
    total === undefined
      ? t("The rows are being read …")
      : isFiltered
        ? t("{{count}} rows match", { count: total })
        : total === 0
          ? t("There are no rows yet: add one, or import a CSV file.")
          : t("{{count}} rows in all", { count: total });
  return (
    <Box role="status" sx={{ fontSize: 12.5, color: "text.secondary" }}>
      {busy ? t("Storing …") : words}
    </Box>
  );
}
