import Alert from "@mui/material/Alert";
import { deceptiveIn, type Json } from "@oven/contract";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";

/** Warns of characters in what is proposed that are not seen, reverse the direction of a text, or pass for others. */
export function DeceptiveNote({ value }: { value: Json }): ReactElement | null {
  const found = deceptiveIn(value);
  if (found.length === 0) return null;
  return (
    <Alert severity="warning" sx={{ mb: 1.25 }}>
      {t("This has characters that are not seen, or that pass for others: {{characters}}. They are shown as marks.", {
        characters: found.join(", "),
      })}
    </Alert>
  );
}
