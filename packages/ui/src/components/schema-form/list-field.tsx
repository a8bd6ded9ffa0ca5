import AddRounded from "@mui/icons-material/AddRounded";
import CloseRounded from "@mui/icons-material/CloseRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import FormHelperText from "@mui/material/FormHelperText";
import IconButton from "@mui/material/IconButton";
import type { Json, JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { type ReactElement, useState } from "react";
import { FieldGroup } from "./field-group.tsx";
import { toNewItem } from "./nested-shape.ts";
import type { SchemaField } from "./schema-fields.ts";

export interface ListFieldProps {
  field: SchemaField;
  items: JsonObject;
  value: readonly Json[];
  onChange: (value: Json[], valid: boolean) => void;
  /** The form of one entry. */
  renderItem: (item: Json, label: string, onChange: (value: Json, valid: boolean) => void) => ReactElement;
}

interface Entry {
  key: number;
  valid: boolean;
}

/** The entries of a list, each with a form of its own; entries are added at the end and removed anywhere. */
export function ListField({ field, items, value, onChange, renderItem }: ListFieldProps): ReactElement {
  // Each entry keeps its own drafts when one before it is removed.
  const [entries, setEntries] = useState<readonly Entry[]>(() => value.map((_, key) => ({ key, valid: true })));
  const [nextKey, setNextKey] = useState(value.length);
  const all = value.map((_, index) => entries[index] ?? { key: -1 - index, valid: true });
  const change = (next: readonly Json[], left: readonly Entry[]): void => {
    setEntries(left);
    onChange(
      [...next],
      left.every(({ valid }) => valid),
    );
  };
  return (
    <FieldGroup label={field.label} required={field.required}>
      {value.map((item, index) => {
        const entry = all[index] ?? { key: index, valid: true };
        const label = t("{{field}} {{number}}", { field: field.label, number: index + 1 });
        return (
          <Box key={entry.key} sx={{ display: "flex", alignItems: "flex-start", gap: 0.5 }}>
            <Box sx={{ flex: 1, minWidth: 0 }}>
              {renderItem(item, label, (changed, valid) =>
                change(
                  value.map((other, at) => (at === index ? changed : other)),
                  all.map((other, at) => (at === index ? { ...other, valid } : other)),
                ),
              )}
            </Box>
            <IconButton
              size="small"
              aria-label={t("Remove {{name}}", { name: label })}
              onClick={() =>
                change(
                  value.filter((_, at) => at !== index),
                  all.filter((_, at) => at !== index),
                )
              }
            >
              <CloseRounded fontSize="small" />
            </IconButton>
          </Box>
        );
      })}
      {field.description === null ? null : <FormHelperText sx={{ m: 0 }}>{field.description}</FormHelperText>}
      <Box>
        <Button
          size="small"
          startIcon={<AddRounded />}
          onClick={() => {
            setNextKey(nextKey + 1);
            change([...value, toNewItem(items)], [...all, { key: nextKey, valid: true }]);
          }}
        >
          {t("Add to {{field}}", { field: field.label })}
        </Button>
      </Box>
    </FieldGroup>
  );
}
