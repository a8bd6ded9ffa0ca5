import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import DownloadOutlined from "@mui/icons-material/DownloadOutlined";
import UploadFileOutlined from "@mui/icons-material/UploadFileOutlined";
import ViewColumnOutlined from "@mui/icons-material/ViewColumnOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { Table } from "@oven/contract/table";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { CopyButton } from "@oven/ui/components/copy-button.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { formatBytes } from "@oven/ui/components/format.ts";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { TabBar } from "@oven/ui/components/tab-bar.tsx";
import { Code } from "@oven/ui/components/tool-box.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { type ReactElement, useState } from "react";
import { useNavigate, useParams } from "react-router-dom";
import { ColumnsDialog } from "./columns/columns-dialog.tsx";
import { ImportDialog } from "./import-dialog.tsx";
import { RowsTab } from "./rows-tab.tsx";
import { ToolsTab } from "./tools/tools-tab.tsx";

const PARENT = { to: "/tables", label: t("Tables") };

/** One table: its rows as a sheet, and what agents may do with it. */
export function TableShow(): ReactElement {
  const { id = "" } = useParams();
  const { data: table, error, refetch } = useRecord<Table>("tables", id);
  if (table === undefined && error) {
    return (
      <>
        <PageHeader title={t("Table {{id}}", { id })} parent={PARENT} />
        <ErrorPanel error={error} title={t("This table could not be loaded")} onRetry={refetch} />
      </>
    );
  }
  if (table === undefined) return <Skeleton variant="rounded" height={360} />;
  return <LoadedTable table={table} refetch={refetch} />;
}

type Opened = "columns" | "import" | "delete" | null;

function LoadedTable({ table, refetch }: { table: Table; refetch: () => void }): ReactElement {
  const [opened, setOpened] = useState<Opened>(null);
  /** Counts what makes the sheet read its rows again. */
  const [revision, setRevision] = useState(0);
  const mayReadTools = useCan("table-tools.read");
  const changed = (): void => {
    refetch();
    setRevision((before) => before + 1);
  };
  const tabs = [
    {
      id: "rows",
      label: t("Rows"),
      content: () =>
        table.columns.length === 0 ? (
          <NoColumns onAdd={() => setOpened("columns")} />
        ) : (
          <RowsTab key={`${table.version}:${revision}`} table={table} onCounted={refetch} />
        ),
    },
    ...(mayReadTools
      ? [{ id: "agents", label: t("Tools for agents"), content: () => <ToolsTab table={table} /> }]
      : []),
  ];
  return (
    <>
      <PageHeader
        title={table.name}
        parent={PARENT}
        line={
          <>
            <Code>{table.slug}</Code>
            <CopyButton text={table.slug} what={t("the table's slug")} small />
            <span>{t("{{count}} rows, {{size}}", { count: table.rows, size: formatBytes(table.bytes) })}</span>
          </>
        }
        actions={<Actions onOpen={setOpened} table={table} />}
      />
      {table.description === null ? null : (
        <Box sx={{ mb: 2, color: "text.secondary", overflowWrap: "anywhere" }}>{table.description}</Box>
      )}
      <Panel flush>
        <TabBar label={t("Of this table")} tabs={tabs} />
      </Panel>
      <OpenDialog opened={opened} table={table} onClose={() => setOpened(null)} onChanged={changed} />
    </>
  );
}

function NoColumns({ onAdd }: { onAdd: () => void }): ReactElement {
  const mayUpdate = useCan("tables.update");
  return (
    <EmptyState
      icon={<ViewColumnOutlined />}
      title={t("This table has no columns yet")}
      text={t("Say what each row holds: a name and a type for each column.")}
      action={
        mayUpdate ? (
          <Button variant="contained" onClick={onAdd}>
            {t("Add columns")}
          </Button>
        ) : null
      }
    />
  );
}

function Actions({ table, onOpen }: { table: Table; onOpen: (opened: Opened) => void }): ReactElement {
  const may = { update: useCan("tables.update"), write: useCan("tables.write"), delete: useCan("tables.delete") };
  return (
    <>
      {may.write && table.columns.length > 0 ? (
        <Button variant="outlined" startIcon={<UploadFileOutlined />} onClick={() => onOpen("import")}>
          {t("Import CSV")}
        </Button>
      ) : null}
      <Button variant="outlined" startIcon={<DownloadOutlined />} href={`/api/tables/${table.id}/export`} download>
        {t("Export CSV")}
      </Button>
      {may.update ? (
        <Button variant="outlined" startIcon={<ViewColumnOutlined />} onClick={() => onOpen("columns")}>
          {t("Columns")}
        </Button>
      ) : null}
      {may.delete ? (
        <Button variant="outlined" color="error" startIcon={<DeleteOutlineRounded />} onClick={() => onOpen("delete")}>
          {t("Delete")}
        </Button>
      ) : null}
    </>
  );
}

interface OpenDialogProps {
  opened: Opened;
  table: Table;
  onClose: () => void;
  onChanged: () => void;
}

function OpenDialog({ opened, table, onClose, onChanged }: OpenDialogProps): ReactElement {
  const navigate = useNavigate();
  return (
    <>
      {opened === "columns" ? <ColumnsDialog table={table} onClose={onClose} onSaved={onChanged} /> : null}
      {opened === "import" ? <ImportDialog table={table} onClose={onClose} onImported={onChanged} /> : null}
      <ConfirmDialog
        open={opened === "delete"}
        title={t("Delete the table “{{name}}”?", { name: table.name })}
        text={t("Its {{rows}} rows and its tools are gone. Steps that name it fail from then on.", {
          rows: table.rows,
        })}
        confirmLabel={t("Delete")}
        onClose={onClose}
        onConfirm={async () => {
          await api(`tables/${table.id}`, { method: "DELETE" });
          navigate("/tables");
        }}
      />
    </>
  );
}
