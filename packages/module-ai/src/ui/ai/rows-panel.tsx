import AddRounded from "@mui/icons-material/AddRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { EmptyState, type EmptyStateProps } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RowItem, RowList } from "@oven/ui/components/row-item.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, type ReactNode, useState } from "react";
import { type RaRecord, useGetList } from "react-admin";

const ALL = { pagination: { page: 1, perPage: 500 }, sort: { field: "id", order: "ASC" as const } };
/** Fewer are seen at a glance. */
const WORTH_SEARCHING = 12;

export interface RowsPanelProps<Row extends RaRecord> {
  /** Path and permissions: `ai-prices`. */
  resource: string;
  /** As sentences name them: `prices`. */
  noun: string;
  addLabel: string;
  empty: Omit<EmptyStateProps, "action">;
  /** How one is named when it is deleted. */
  nameOf: (row: Row) => string;
  /** What is lost when it is deleted. */
  deleteText: string;
  /** Whether it is this tenant's to change; what is everybody's is not. */
  isOwn: (row: Row) => boolean;
  /** Parts of its row. */
  show: (row: Row) => ReactNode;
  /** Beside edit and delete. */
  actions?: (row: Row) => ReactNode;
  /** For what is everybody's: a button that makes one of one's own of it. */
  overrideLabel?: string;
  dialog: (row: Row | null, onClose: (saved: boolean) => void) => ReactElement;
  /** Words to search by; given, long lists have a search. */
  textOf?: (row: Row) => string;
  /** Above the rows. */
  above?: ReactNode;
}

/** Rows that somebody sets up in small numbers: all of them, with add, edit and delete as far as one may. */
export function RowsPanel<Row extends RaRecord>(props: RowsPanelProps<Row>): ReactElement {
  const { resource, noun, addLabel, empty, nameOf, deleteText, dialog, textOf, above } = props;
  const { data, error, refetch } = useGetList<Row>(resource, ALL);
  const mayCreate = useCan(`${resource}.create`);
  const [open, setOpen] = useState<{ row: Row | null } | null>(null);
  const [deleting, setDeleting] = useState<Row | null>(null);
  const [text, setText] = useState("");
  if (error)
    return (
      <ErrorPanel
        error={error}
        title={t("The {{noun}} could not be loaded", { noun })}
        onRetry={() => void refetch()}
      />
    );
  if (data === undefined) return <Skeleton variant="rounded" height={180} />;
  const add = mayCreate ? (
    <Button variant="contained" startIcon={<AddRounded />} onClick={() => setOpen({ row: null })}>
      {addLabel}
    </Button>
  ) : null;
  const words = text.toLowerCase().split(/\s+/);
  const isSearched = textOf !== undefined && data.length > WORTH_SEARCHING;
  const shown = isSearched
    ? data.filter((row) => words.every((word) => textOf(row).toLowerCase().includes(word)))
    : data;
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      {above}
      {data.length === 0 ? (
        <Panel>
          <EmptyState {...empty} action={add} />
        </Panel>
      ) : (
        <>
          <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center" }}>
            {isSearched ? (
              <TextField
                type="search"
                placeholder={t("Search {{noun}}", { noun })}
                value={text}
                onChange={(event) => setText(event.target.value)}
                slotProps={{ htmlInput: { "aria-label": t("Search {{noun}}", { noun }) } }}
                sx={{ width: { xs: "100%", sm: 260 } }}
              />
            ) : null}
            <Box sx={{ flex: 1 }} />
            {add}
          </Box>
          <Panel flush>
            <RowList label={noun}>
              {shown.map((row) => (
                <RowItem key={row.id}>
                  {props.show(row)}
                  <RowActions {...props} row={row} onEdit={() => setOpen({ row })} onDelete={() => setDeleting(row)} />
                </RowItem>
              ))}
            </RowList>
            {shown.length === 0 ? (
              <Box sx={{ p: 2, color: "text.secondary" }}>{t("Nothing fits this search.")}</Box>
            ) : null}
          </Panel>
        </>
      )}
      {open === null
        ? null
        : dialog(open.row, (saved) => {
            setOpen(null);
            if (saved) void refetch();
          })}
      <ConfirmDialog
        open={deleting !== null}
        title={t("Delete {{name}}?", { name: deleting === null ? t("it") : nameOf(deleting) })}
        text={deleteText}
        confirmLabel={t("Delete")}
        onClose={() => setDeleting(null)}
        onConfirm={async () => {
          await api(`${resource}/${encodeURIComponent(String(deleting?.id))}`, { method: "DELETE" });
          await refetch();
        }}
      />
    </Box>
  );
}

function RowActions<Row extends RaRecord>({
  resource,
  row,
  isOwn,
  nameOf,
  actions,
  overrideLabel,
  onEdit,
  onDelete,
}: RowsPanelProps<Row> & { row: Row; onEdit: () => void; onDelete: () => void }): ReactElement {
  const may = {
    create: useCan(`${resource}.create`),
    update: useCan(`${resource}.update`),
    delete: useCan(`${resource}.delete`),
  };
  const own = isOwn(row);
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", gap: 0.5 }}>
      {actions?.(row)}
      {own && may.update ? (
        <Button size="small" onClick={onEdit} aria-label={t("Edit {{nameOf}}", { nameOf: nameOf(row) })}>
          {t("Edit")}
        </Button>
      ) : null}
      {own && may.delete ? (
        <Button size="small" onClick={onDelete} aria-label={t("Delete {{nameOf}}", { nameOf: nameOf(row) })}>
          {t("Delete")}
        </Button>
      ) : null}
      {!own && may.create && overrideLabel !== undefined ? (
        <Button size="small" onClick={onEdit} aria-label={`${overrideLabel}: ${nameOf(row)}`}>
          {overrideLabel}
        </Button>
      ) : null}
    </Box>
  );
}
