import Box from "@mui/material/Box";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import { type ComponentType, type ReactElement, useContext, useMemo } from "react";
import { emptyValue, variantOf } from "../../inspector/check-value.ts";
import type { Field, Shape } from "../../inspector/shape.ts";
import type { ValueControlProps } from "./control-props.ts";
import { FormContext } from "./form-context.ts";
import { TemplateInput } from "./template-input.tsx";

interface VariantControlProps extends ValueControlProps {
  shape: Shape & { kind: "variants" };
  /** The control of the chosen kind's value. */
  ValueControl: ComponentType<ValueControlProps>;
}

/** One of several kinds of value: which one, and its form. */
export function VariantControl(props: VariantControlProps): ReactElement {
  const { id, describedBy, field, at, value, invalid, shape, ValueControl } = props;
  const { write, type, seal, placeholderOf } = useContext(FormContext);
  const index = variantOf(shape, value);
  const variant = index === null ? undefined : shape.variants[index];
  const inner = useMemo(
    (): Field => ({ ...field, required: true, default: undefined, shape: variant?.shape ?? field.shape }),
    [field, variant],
  );
  const isFixed = variant?.shape.kind === "choice" && variant.shape.choices.length === 1;
  const initial = placeholderOf(field);
  return (
    <Box sx={{ display: "grid", gap: 1 }}>
      <TextField
        select
        id={id}
        error={invalid}
        value={index ?? ""}
        onChange={(event) => {
          const next = event.target.value === "" ? undefined : shape.variants[Number(event.target.value)];
          write(at, next === undefined ? undefined : emptyValue(next.shape));
          seal();
        }}
        slotProps={{
          select: { native: true },
          htmlInput: { "aria-label": t("Kind of {{label}}", { label: field.label }), "aria-describedby": describedBy },
        }}
      >
        <option value="">{initial === undefined ? "–" : t("{{initial}} (unless set)", { initial })}</option>
        {shape.variants.map(({ title }, place) => (
          <option key={place} value={place}>
            {title}
          </option>
        ))}
      </TextField>
      {variant === undefined || isFixed ? null : (
        <Box sx={variant.shape.kind === "object" ? {} : { pl: 1.5, borderLeft: 2, borderColor: "divider" }}>
          {variant.shape.kind === "text" ? (
            <TemplateInput
              id={`${id}-value`}
              value={typeof value === "string" ? value : ""}
              onChange={(next) => type(at, next)}
              invalid={invalid}
              rows={variant.shape.long ? 3 : 1}
              language="template"
              label={field.label}
            />
          ) : (
            <ValueControl
              id={`${id}-value`}
              describedBy={describedBy}
              field={inner}
              at={at}
              value={value}
              invalid={invalid}
            />
          )}
        </Box>
      )}
    </Box>
  );
}
