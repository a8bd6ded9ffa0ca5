import AddRounded from "@mui/icons-material/AddRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { type PlanTable, type Table, type TablePlan, TablePlanSchema } from "@oven/contract/table";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";
import { type ColumnDraft, fromDraft, newColumn, type TableDraft, toDraft } from "./column-draft.ts";
import { ColumnFields } from "./column-fields.tsx";
import { PlanView } from "./plan-view.tsx";

interface ColumnsDialogProps {
  table: Table;
  onClose: () => void;
  onSaved: () => void;
}

/** Names and columns of a table. What would be lost is said before anything is stored. */
export function ColumnsDialog({ table, onClose, onSaved }: ColumnsDialogProps): ReactElement {
  const [draft, setDraft] = useState<TableDraft>(() => {
    const begun = toDraft(table);
    return begun.columns.length === 0 ? { ...begun, columns: [newColumn([])] } : begun;
  });
  const [shown, setShown] = useState<{ plan: TablePlan; wanted: PlanTable } | null>(null);
  const isNamed = draft.name.trim() !== "" && draft.columns.every(({ name }) => name.trim() !== "");
  const change = (columns: ColumnDraft[]): void => {
    setDraft({ ...draft, columns });
    setShown(null);
  };
  const save = async (): Promise<void> => {
    const wanted = fromDraft(table, draft);
    const isShown = shown !== null && JSON.stringify(shown.wanted) === JSON.stringify(wanted);
    if (!isShown) {
      const { json } = await api(`tables/${table.id}/plan`, { method: "POST", body: wanted });
      const plan = TablePlanSchema.parse(json);
      if (plan.lost > 0 || plan.refused > 0) return setShown({ plan, wanted });
    }
    const acceptLoss = isShown && shown.plan.lost > 0;
    await api(`tables/${table.id}`, { method: "PUT", body: { ...wanted, acceptLoss } });
    onClose();
    onSaved();
  };
  const lost = shown?.plan.lost ?? 0;
  return (
    <FormDialog
      title={t("Columns of {{name}}", { name: table.name })}
      submitLabel={lost > 0 ? t("Save and delete {{count}} values", { count: lost }) : t("Save")}
      failureTitle={t("The columns were not changed")}
      usable={isNamed && (shown?.plan.refused ?? 0) === 0}
      maxWidth="md"
      onClose={onClose}
      onSubmit={save}
      extra={
        <Button startIcon={<AddRounded />} onClick={() => change([...draft.columns, newColumn(draft.columns)])}>
          {t("Add a column")}
        </Button>
      }
    >
      <TableFields draft={draft} onChange={setDraft} />
      {draft.columns.map((column) => (
        <ColumnFields
          key={column.id}
          column={column}
          onChange={(changed) => change(draft.columns.map((one) => (one.id === column.id ? changed : one)))}
          onRemove={() => change(draft.columns.filter(({ id }) => id !== column.id))}
        />
      ))}
      {shown === null ? null : <PlanView plan={shown.plan} />}
    </FormDialog>
  );
}

function TableFields({ draft, onChange }: { draft: TableDraft; onChange: (draft: TableDraft) => void }): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "1fr 1fr" } }}>
      <TextField
        label={t("Table's name")}
        value={draft.name}
        onChange={(event) => onChange({ ...draft, name: event.target.value })}
      />
      <TextField
        label={t("Slug")}
        value={draft.slug}
        helperText={t("Steps, triggers and files name the table by it.")}
        onChange={(event) => onChange({ ...draft, slug: event.target.value })}
      />
      <TextField
        label={t("Description")}
        value={draft.description}
        sx={{ gridColumn: "1 / -1" }}
        onChange={(event) => onChange({ ...draft, description: event.target.value })}
      />
    </Box>
  );
}
