import AddRounded from "@mui/icons-material/AddRounded";
import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import TextField from "@mui/material/TextField";
import type { Json, JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { type ReactElement, useContext, useMemo, useState } from "react";
import { emptyValue } from "../../inspector/check-value.ts";
import type { Field, Shape } from "../../inspector/shape.ts";
import type { ValueControlProps } from "./control-props.ts";
import { FormContext } from "./form-context.ts";
import { VariableControl } from "./variable-control.tsx";

function freeKey(object: JsonObject): string {
  for (let count = 1; ; count += 1) {
    const key = count === 1 ? "key" : `key${count}`;
    if (!Object.hasOwn(object, key)) return key;
  }
}

/** Keys that the author names, each with a value. */
export function RecordControl({ id, field, at, value, item }: ValueControlProps & { item: Shape }): ReactElement {
  const { write, seal, fixed, FieldView } = useContext(FormContext);
  // Fixed and of any kind: a variable, whose value says its type.
  const isTyped = fixed && item.kind === "free";
  const object: JsonObject = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  const one = useMemo(
    (): Field => ({ name: "", label: t("Value"), description: null, required: true, default: undefined, shape: item }),
    [item],
  );
  const change = (entries: [string, Json][]): void => {
    write(at, entries.length === 0 ? undefined : Object.fromEntries(entries));
    seal();
  };
  return (
    <Box sx={{ display: "grid", gap: 1 }}>
      {Object.keys(object).map((key) => (
        <Box key={key} sx={{ display: "grid", gap: 0.5, p: 1, border: 1, borderColor: "divider", borderRadius: 2 }}>
          <Box sx={{ display: "flex", gap: 0.5, alignItems: "center" }}>
            <KeyInput
              name={key}
              label={t("Key of {{label}}", { label: field.label })}
              taken={(name) => name !== key && Object.hasOwn(object, name)}
              onRename={(name) => change(Object.entries(object).map(([old, own]) => [old === key ? name : old, own]))}
            />
            <IconButton
              size="small"
              aria-label={t("Remove {{key}} from {{label}}", { key, label: field.label })}
              onClick={() => change(Object.entries(object).filter(([other]) => other !== key))}
            >
              <DeleteOutlineRounded sx={{ fontSize: 16 }} />
            </IconButton>
          </Box>
          {isTyped ? <VariableControl name={key} at={[...at, key]} /> : <FieldView field={one} at={[...at, key]} />}
        </Box>
      ))}
      <Button
        id={id}
        size="small"
        variant="outlined"
        startIcon={<AddRounded />}
        onClick={() => change([...Object.entries(object), [freeKey(object), emptyValue(item)]])}
        sx={{ justifySelf: "start" }}
      >
        {t("Add to {{list}}", { list: field.label.toLowerCase() })}
      </Button>
    </Box>
  );
}

interface KeyInputProps {
  name: string;
  label: string;
  taken: (name: string) => boolean;
  onRename: (name: string) => void;
}

/** Renames when it is left, or on Enter: until then another key of the same beginning is not lost. */
function KeyInput({ name, label, taken, onRename }: KeyInputProps): ReactElement {
  const [text, setText] = useState(name);
  const isTaken = taken(text);
  const rename = (): void => {
    if (text !== name && text !== "" && !isTaken) onRename(text);
  };
  return (
    <TextField
      fullWidth
      value={text}
      error={isTaken}
      helperText={isTaken ? t("There is one already") : undefined}
      onChange={(event) => setText(event.target.value)}
      onBlur={rename}
      onKeyDown={(event) => {
        if (event.key === "Enter") rename();
      }}
      slotProps={{ htmlInput: { "aria-label": label, spellCheck: false } }}
    />
  );
}
