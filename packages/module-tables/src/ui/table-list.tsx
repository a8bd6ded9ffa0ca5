import TableChartOutlined from "@mui/icons-material/TableChartOutlined";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import TextField from "@mui/material/TextField";
import { type Table, TableSchema } from "@oven/contract/table";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { useCreateButton } from "@oven/ui/components/dialog-buttons.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { formatBytes } from "@oven/ui/components/format.ts";
import { ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useState } from "react";
import { ListBase, useListContext } from "react-admin";
import { Link as RouterLink, useNavigate } from "react-router-dom";

/** All tables of the tenant. */
export function TableList(): ReactElement {
  const navigate = useNavigate();
  const create = useCreateButton(t("New table"), useCan("tables.create"), (close) => (
    <CreateDialog onClose={() => close(false)} onMade={({ id }) => navigate(`/tables/${id}/show`)} />
  ));
  return (
    <ListBase resource="tables" sort={{ field: "name", order: "ASC" }} perPage={25}>
      <PageHeader
        title={t("Tables")}
        line={t("Rows with typed columns, which workflows, agents and people share.")}
        actions={create.button}
      />
      <ListBody
        noun={t("tables")}
        filters={<SearchField label={t("Search tables")} />}
        empty={
          <EmptyState
            icon={<TableChartOutlined />}
            title={t("There are no tables yet")}
            text={t(
              "Make a table and give it columns. Workflows find and write its rows by steps, and agents by tools that you allow.",
            )}
            action={create.button}
          />
        }
      >
        <Rows />
      </ListBody>
      {create.dialog}
    </ListBase>
  );
}

function Rows(): ReactElement {
  const { data = [] } = useListContext<Table>();
  return (
    <RowList label={t("Tables")}>
      {data.map(({ id, name, slug, rows, bytes, columns, updatedAt }) => (
        <RowItem key={id}>
          <RowPart basis={220} grow={2}>
            <Link component={RouterLink} to={`/tables/${id}/show`} color="text.primary" sx={{ fontWeight: 600 }}>
              {name}
            </Link>
            <Box sx={{ fontFamily: MONOSPACE, fontSize: 12, color: "text.secondary" }}>{slug}</Box>
          </RowPart>
          <RowPart basis={170} grow={1}>
            {t("{{count}} rows, {{size}}", { count: rows, size: formatBytes(bytes) })}
          </RowPart>
          <RowPart basis={120} quiet>
            {t("{{count}} columns", { count: columns.length })}
          </RowPart>
          <RowPart basis={130} quiet>
            {tx("changed {{time}}", { time: <RelativeTime at={updatedAt} /> })}
          </RowPart>
        </RowItem>
      ))}
    </RowList>
  );
}

function CreateDialog({ onClose, onMade }: { onClose: () => void; onMade: (table: Table) => void }): ReactElement {
  const [name, setName] = useState("");
  const [description, setDescription] = useState("");
  return (
    <FormDialog
      title={t("New table")}
      submitLabel={t("Make the table")}
      failureTitle={t("The table was not made")}
      usable={name.trim() !== ""}
      onClose={onClose}
      onSubmit={async () => {
        const body = { name, description: description.trim() === "" ? null : description };
        const { json } = await api("tables", { method: "POST", body });
        onClose();
        onMade(TableSchema.parse(json));
      }}
    >
      <TextField autoFocus fullWidth label={t("Name")} value={name} onChange={(event) => setName(event.target.value)} />
      <TextField
        fullWidth
        multiline
        minRows={2}
        label={t("Description")}
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
    </FormDialog>
  );
}
