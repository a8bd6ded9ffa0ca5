import TextField from "@mui/material/TextField";
import type { JsonObject } from "@oven/contract";
import type { Table, TableColumn } from "@oven/contract/table";
import { t } from "@oven/i18n";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";
import { fromCellText, toCellText } from "./sheet/cell-text.ts";
import { typeWord } from "./words.ts";

interface RowDialogProps {
  table: Table;
  onClose: () => void;
  onAdd: (values: JsonObject) => Promise<void>;
}

/** A new row, column by column. */
export function RowDialog({ table, onClose, onAdd }: RowDialogProps): ReactElement {
  const [texts, setTexts] = useState<Record<string, string>>(() =>
    Object.fromEntries(table.columns.map((column) => [column.name, toCellText(column.default)])),
  );
  const set = (name: string, text: string): void => setTexts((before) => ({ ...before, [name]: text }));
  const isMissing = table.columns.some(({ name, required }) => required && (texts[name] ?? "") === "");
  return (
    <FormDialog
      title={t("New row")}
      submitLabel={t("Add")}
      failureTitle={t("The row was not added")}
      usable={!isMissing}
      onClose={onClose}
      onSubmit={() =>
        onAdd(
          Object.fromEntries(table.columns.map((column) => [column.name, cellOf(column, texts[column.name] ?? "")])),
        )
      }
    >
      {table.columns.map((column, index) => (
        <RowField
          key={column.key}
          column={column}
          isFirst={index === 0}
          text={texts[column.name] ?? ""}
          onChange={(text) => set(column.name, text)}
        />
      ))}
    </FormDialog>
  );
}

/** @throws Error naming the column */
function cellOf(column: TableColumn, text: string) {
  try {
    return fromCellText(column, text);
  } catch (error) {
    throw new Error(`${column.title ?? column.name} ${error instanceof Error ? error.message : String(error)}`);
  }
}

interface RowFieldProps {
  column: TableColumn;
  isFirst: boolean;
  text: string;
  onChange: (text: string) => void;
}

function RowField({ column, isFirst, text, onChange }: RowFieldProps): ReactElement {
  const { type, choices, description, required } = column;
  const label = column.title ?? column.name;
  const options = type === "choice" ? choices : type === "boolean" ? ["true", "false"] : undefined;
  if (options !== undefined)
    return (
      <ChoiceField
        label={label}
        value={text}
        required={required}
        helperText={description}
        choices={[{ value: "", label: t("Empty") }, ...options.map((value) => ({ value, label: value }))]}
        onChange={onChange}
      />
    );
  return (
    <TextField
      autoFocus={isFirst}
      label={label}
      required={required}
      multiline={type === "json"}
      helperText={description ?? typeWord(type)}
      value={text}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
