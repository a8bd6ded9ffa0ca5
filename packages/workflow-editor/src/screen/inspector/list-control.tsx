import AddRounded from "@mui/icons-material/AddRounded";
import ArrowUpwardRounded from "@mui/icons-material/ArrowUpwardRounded";
import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import { t } from "@oven/i18n";
import { PickManyInput } from "@oven/ui/components/pick/pick-input.tsx";
import { type ReactElement, useContext, useMemo } from "react";
import { emptyValue } from "../../inspector/check-value.ts";
import { isShortList, pickerOf } from "../../inspector/pickers.ts";
import { readNumber, toScalarText } from "../../inspector/scalar-text.ts";
import type { Field, Shape } from "../../inspector/shape.ts";
import type { ValueControlProps } from "./control-props.ts";
import { FormContext } from "./form-context.ts";
import { PickedText } from "./picked-text.tsx";

/** A list: short texts and numbers as chips, everything else as a form for each entry. */
export function ListControl(props: ValueControlProps & { item: Shape }): ReactElement {
  const { id, describedBy, field, at, value, invalid, item } = props;
  const { write, seal, placeholderOf, FieldView } = useContext(FormContext);
  const entries = Array.isArray(value) ? value : [];
  const one = useMemo(
    (): Field => ({ name: "", label: t("Entry"), description: null, required: true, default: undefined, shape: item }),
    [item],
  );
  if (pickerOf(field) !== null) return <PickedText {...props} />;
  if (isShortList(field)) {
    return (
      <PickManyInput
        id={id}
        describedBy={describedBy}
        choices={[]}
        invalid={invalid}
        placeholder={placeholderOf(field) ?? t("Type, then Enter")}
        value={entries.map(toScalarText)}
        onChange={(next) =>
          write(
            at,
            next.length === 0
              ? undefined
              : next.map((text) => (item.kind === "number" ? (readNumber(text) ?? text) : text)),
          )
        }
      />
    );
  }
  const change = (next: typeof entries): void => {
    write(at, next.length === 0 ? undefined : next);
    seal();
  };
  return (
    <Box sx={{ display: "grid", gap: 1 }}>
      {entries.map((entry, index) => (
        <Box key={index} sx={{ display: "grid", gap: 0.5, p: 1, border: 1, borderColor: "divider", borderRadius: 2 }}>
          <Box sx={{ display: "flex", alignItems: "center", fontSize: 12, color: "text.secondary" }}>
            <Box sx={{ flex: 1 }}>{index + 1}</Box>
            <IconButton
              size="small"
              aria-label={t("Move entry {{position}} of {{label}} up", { position: index + 1, label: field.label })}
              disabled={index === 0}
              onClick={() =>
                change([
                  ...entries.slice(0, index - 1),
                  entry,
                  ...entries.slice(index - 1, index),
                  ...entries.slice(index + 1),
                ])
              }
            >
              <ArrowUpwardRounded sx={{ fontSize: 16 }} />
            </IconButton>
            <IconButton
              size="small"
              aria-label={t("Remove entry {{position}} of {{label}}", { position: index + 1, label: field.label })}
              onClick={() => change(entries.filter((_, other) => other !== index))}
            >
              <DeleteOutlineRounded sx={{ fontSize: 16 }} />
            </IconButton>
          </Box>
          <FieldView field={one} at={[...at, index]} />
        </Box>
      ))}
      <Button
        id={id}
        size="small"
        variant="outlined"
        startIcon={<AddRounded />}
        onClick={() => change([...entries, emptyValue(item)])}
        sx={{ justifySelf: "start" }}
      >
        {t("Add to {{list}}", { list: field.label.toLowerCase() })}
      </Button>
    </Box>
  );
}
