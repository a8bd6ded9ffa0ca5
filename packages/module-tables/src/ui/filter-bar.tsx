import FilterAltOutlined from "@mui/icons-material/FilterAltOutlined";
import Button from "@mui/material/Button";
import Chip from "@mui/material/Chip";
import TextField from "@mui/material/TextField";
import type { Json } from "@oven/contract";
import type { ColumnFilter, Table, TableColumn, TableFilter } from "@oven/contract/table";
import { t } from "@oven/i18n";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";
import { fromCellText, toCellText } from "./sheet/cell-text.ts";

type Operator = "eq" | "ne" | "gt" | "gte" | "lt" | "lte" | "contains" | "filled" | "empty";

interface FilterBarProps {
  table: Table;
  where: TableFilter;
  onChange: (where: TableFilter) => void;
}

/** Conditions as chips that can be taken off, and a dialog for one more. */
export function FilterBar({ table, where, onChange }: FilterBarProps): ReactElement {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      {Object.entries(where).map(([name, wanted]) => (
        <Chip
          key={name}
          label={chipText(table, name, wanted)}
          onDelete={() => onChange(Object.fromEntries(Object.entries(where).filter(([other]) => other !== name)))}
        />
      ))}
      <Button startIcon={<FilterAltOutlined />} onClick={() => setOpen(true)}>
        {t("Filter rows")}
      </Button>
      {isOpen ? (
        <FilterDialog
          table={table}
          onClose={() => setOpen(false)}
          onAdd={(name, wanted) => {
            onChange({ ...where, [name]: wanted });
            setOpen(false);
          }}
        />
      ) : null}
    </>
  );
}

function operatorWords(): Record<Operator, string> {
  return {
    eq: t("is"),
    ne: t("is not"),
    gt: t("greater than"),
    gte: t("at least"),
    lt: t("less than"),
    lte: t("at most"),
    contains: t("contains"),
    filled: t("has a value"),
    empty: t("is empty"),
  };
}

function chipText({ columns }: Table, name: string, wanted: ColumnFilter): string {
  const title = columns.find((column) => column.name === name)?.title ?? name;
  const words = operatorWords();
  if (typeof wanted !== "object" || wanted === null) return `${title} ${words.eq} ${toCellText(wanted)}`;
  const [operator = "eq", value] = Object.entries(wanted)[0] ?? [];
  if (operator === "exists") return `${title} ${value === true ? words.filled : words.empty}`;
  // cast: the dialog below makes no others
  return `${title} ${words[operator as Operator]} ${toCellText(value as Json)}`;
}

function operatorsOf({ type }: TableColumn): Operator[] {
  const ordered: Operator[] = ["eq", "ne", "gt", "gte", "lt", "lte", "filled", "empty"];
  if (type === "text") return ["contains", ...ordered];
  if (type === "choice" || type === "boolean" || type === "reference") return ["eq", "ne", "filled", "empty"];
  return type === "json" ? ["filled", "empty"] : ordered;
}

interface FilterDialogProps {
  table: Table;
  onClose: () => void;
  onAdd: (name: string, wanted: ColumnFilter) => void;
}

function FilterDialog({ table, onClose, onAdd }: FilterDialogProps): ReactElement {
  const [name, setName] = useState(table.columns[0]?.name ?? "");
  const column = table.columns.find((one) => one.name === name);
  const operators = column === undefined ? [] : operatorsOf(column);
  const [chosen, setOperator] = useState<Operator>("eq");
  const operator = operators.includes(chosen) ? chosen : (operators[0] ?? "eq");
  const [text, setText] = useState("");
  const words = operatorWords();
  const needsValue = operator !== "filled" && operator !== "empty";
  return (
    <FormDialog
      title={t("Filter rows")}
      submitLabel={t("Show these rows")}
      failureTitle={t("The filter cannot be used")}
      usable={!needsValue || text !== ""}
      onClose={onClose}
      maxWidth="xs"
      onSubmit={async () => {
        if (column !== undefined) onAdd(name, toWanted(column, operator, text));
      }}
    >
      <ChoiceField
        label={t("Column")}
        value={name}
        choices={table.columns.map((one) => ({ value: one.name, label: one.title ?? one.name }))}
        onChange={setName}
      />
      <ChoiceField
        label={t("Condition")}
        value={operator}
        choices={operators.map((value) => ({ value, label: words[value] }))}
        onChange={setOperator}
      />
      {needsValue ? (
        <TextField autoFocus label={t("Value")} value={text} onChange={(event) => setText(event.target.value)} />
      ) : null}
    </FormDialog>
  );
}

/** @throws ValueProblem */
function toWanted(column: TableColumn, operator: Operator, text: string): ColumnFilter {
  if (operator === "filled" || operator === "empty") return { exists: operator === "filled" };
  if (operator === "contains") return { contains: text };
  // cast: only columns of JSON have other values, and these are not compared
  return { [operator]: fromCellText(column, text) as string | number | boolean | null };
}
