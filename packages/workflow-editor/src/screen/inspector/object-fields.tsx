import ExpandLessRounded from "@mui/icons-material/ExpandLessRounded";
import ExpandMoreRounded from "@mui/icons-material/ExpandMoreRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { Json, JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import type { Address } from "@oven/scope";
import { type ReactElement, useContext, useState } from "react";
import { foldFields } from "../../inspector/fold-fields.ts";
import { type Field, isMeant } from "../../inspector/shape.ts";
import { FormContext } from "./form-context.ts";

export interface ObjectFieldsProps {
  fields: readonly Field[];
  at: Address;
  value: Json | undefined;
  nested?: boolean;
  /** Those that are shown at once; the other optional ones are folded. */
  first?: readonly string[] | undefined;
}

/** The fields of an object; what is optional and unusual is folded. */
export function ObjectFields({ fields, at, value, nested = false, first }: ObjectFieldsProps): ReactElement {
  const object: JsonObject = typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
  // Decided once: a field that is filled in must not jump from under the hands.
  const [{ shown, folded }] = useState(() => foldFields(fields, object, first));
  const { FieldView } = useContext(FormContext);
  const [open, setOpen] = useState(false);
  const Icon = open ? ExpandLessRounded : ExpandMoreRounded;
  const row = (field: Field): ReactElement => <FieldView key={field.name} field={field} at={[...at, field.name]} />;
  const isShown = (field: Field): boolean => isMeant(field, object, fields);
  const hidden = folded.filter(isShown);
  return (
    <Box
      sx={{
        display: "grid",
        gap: 1.5,
        minWidth: 0,
        ...(nested ? { pl: 1.5, borderLeft: 2, borderColor: "divider" } : {}),
      }}
    >
      {shown.filter(isShown).map(row)}
      {hidden.length === 0 ? null : (
        <Button
          size="small"
          variant="text"
          aria-expanded={open}
          startIcon={<Icon />}
          onClick={() => setOpen(!open)}
          sx={{ justifySelf: "start" }}
        >
          {open ? t("Fewer") : t("More ({{number}})", { number: hidden.length })}
        </Button>
      )}
      {open ? hidden.map(row) : null}
    </Box>
  );
}
