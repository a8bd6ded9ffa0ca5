import Box from "@mui/material/Box";
import type { TableColumn } from "@oven/contract/table";
import { t } from "@oven/i18n";
import { type KeyboardEvent, type ReactElement, useEffect, useRef, useState } from "react";

export interface CellEditorProps {
  column: TableColumn;
  /** What it begins with. */
  text: string;
  /** Why what was typed does not fit; null: it was not tried, or it fits. */
  problem: string | null;
  /** Stores the text, and moves on by `move`. */
  onCommit: (text: string, move: "down" | "right" | "left" | null) => void;
  onCancel: () => void;
}

const FIELD = {
  width: "100%",
  height: "100%",
  border: 0,
  px: 1,
  font: "inherit",
  color: "text.primary",
  bgcolor: "background.paper",
  outline: "2px solid",
  outlineColor: "primary.main",
  outlineOffset: -2,
} as const;

/** The cell that is being edited. */
export function CellEditor({ column, text: begun, problem, onCommit, onCancel }: CellEditorProps): ReactElement {
  const [text, setText] = useState(begun);
  const field = useRef<HTMLInputElement & HTMLSelectElement>(null);
  /** Leaving by a key must not store a second time when the field goes away. */
  const isOver = useRef(false);
  useEffect(() => {
    field.current?.focus();
  }, []);
  const end = (work: () => void): void => {
    isOver.current = true;
    work();
    // It stays where the text does not fit.
    isOver.current = false;
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    event.stopPropagation();
    const move = event.key === "Enter" ? "down" : event.key === "Tab" ? (event.shiftKey ? "left" : "right") : null;
    if (event.key === "Escape") end(onCancel);
    if (move === null || event.nativeEvent.isComposing) return;
    event.preventDefault();
    end(() => onCommit(text, move));
  };
  const label = t("Value of {{column}}", { column: column.title ?? column.name });
  const choices = column.type === "choice" ? column.choices : column.type === "boolean" ? ["true", "false"] : undefined;
  const shared = {
    ref: field,
    "aria-label": label,
    "aria-invalid": problem !== null,
    value: text,
    onKeyDown,
    onBlur: () => {
      if (!isOver.current) onCommit(text, null);
    },
  };
  if (choices !== undefined)
    return (
      <Box component="select" sx={FIELD} {...shared} onChange={(event) => setText(event.currentTarget.value)}>
        <option value="">{t("Empty")}</option>
        {choices.map((choice) => (
          <option key={choice} value={choice}>
            {choice}
          </option>
        ))}
      </Box>
    );
  return (
    <Box
      component="input"
      type={column.type === "date" ? "date" : "text"}
      inputMode={column.type === "number" || column.type === "reference" ? "decimal" : undefined}
      sx={FIELD}
      {...shared}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}
