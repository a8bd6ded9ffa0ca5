import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import Box from "@mui/material/Box";
import Checkbox from "@mui/material/Checkbox";
import FormControlLabel from "@mui/material/FormControlLabel";
import IconButton from "@mui/material/IconButton";
import TextField from "@mui/material/TextField";
import { ColumnTypeSchema } from "@oven/contract/table";
import { t } from "@oven/i18n";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import type { ReactElement } from "react";
import { typeWord } from "../words.ts";
import type { ColumnDraft } from "./column-draft.ts";

interface ColumnFieldsProps {
  column: ColumnDraft;
  onChange: (column: ColumnDraft) => void;
  onRemove: () => void;
}

/** One column of the dialog. */
export function ColumnFields({ column, onChange, onRemove }: ColumnFieldsProps): ReactElement {
  const set = (change: Partial<ColumnDraft>): void => onChange({ ...column, ...change });
  const label = column.name === "" ? t("New column") : t("Column {{name}}", { name: column.name });
  return (
    <Box
      role="group"
      aria-label={label}
      sx={{ display: "grid", gap: 1.5, p: 1.5, border: 1, borderColor: "divider", borderRadius: 1.5 }}
    >
      <Box sx={{ display: "grid", gap: 1.5, gridTemplateColumns: { xs: "1fr auto", sm: "1fr 1fr 1fr auto" } }}>
        <TextField
          label={t("Column name")}
          value={column.name}
          onChange={(event) => set({ name: event.target.value })}
        />
        <ChoiceField
          label={t("Type")}
          value={column.type}
          choices={ColumnTypeSchema.options.map((value) => ({ value, label: typeWord(value) }))}
          onChange={(type) => set({ type })}
        />
        <TextField label={t("Title")} value={column.title} onChange={(event) => set({ title: event.target.value })} />
        <IconButton aria-label={t("Remove {{name}}", { name: label })} onClick={onRemove}>
          <DeleteOutlineRounded sx={{ fontSize: 20 }} />
        </IconButton>
      </Box>
      <TypeFields column={column} set={set} />
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 2 }}>
        <Check label={t("Required")} checked={column.required} onChange={(required) => set({ required })} />
        {column.type === "json" ? null : (
          <>
            <Check label={t("Unique")} checked={column.unique} onChange={(unique) => set({ unique })} />
            <Check label={t("Indexed")} checked={column.indexed} onChange={(indexed) => set({ indexed })} />
          </>
        )}
      </Box>
    </Box>
  );
}

function TypeFields({
  column,
  set,
}: {
  column: ColumnDraft;
  set: (change: Partial<ColumnDraft>) => void;
}): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 1.5, gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "1fr 1fr" } }}>
      {column.type === "choice" ? (
        <TextField
          multiline
          minRows={2}
          label={t("Choices, one a line")}
          value={column.choices}
          onChange={(event) => set({ choices: event.target.value })}
        />
      ) : null}
      {column.type === "reference" ? (
        <TextField
          label={t("Slug of the other table")}
          value={column.references}
          onChange={(event) => set({ references: event.target.value })}
        />
      ) : null}
      <TextField
        label={t("Default value")}
        value={column.fallback}
        onChange={(event) => set({ fallback: event.target.value })}
      />
      <TextField
        label={t("What it holds")}
        value={column.description}
        onChange={(event) => set({ description: event.target.value })}
      />
    </Box>
  );
}

interface CheckProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

function Check({ label, checked, onChange }: CheckProps): ReactElement {
  return (
    <FormControlLabel
      label={label}
      control={<Checkbox size="small" checked={checked} onChange={(_, now) => onChange(now)} />}
    />
  );
}
