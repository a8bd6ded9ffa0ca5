import Alert from "@mui/material/Alert";
import { invisibleIn, type Json } from "@oven/contract";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";

/** Warns of invisible characters in what is proposed, such as those that reverse the direction of a text. */
export function InvisibleNote({ value }: { value: Json }): ReactElement | null {
  const found = invisibleIn(value);
  if (found.length === 0) return null;
  return (
    <Alert severity="warning" sx={{ mb: 1.25 }}>
      {t(
        "This has characters that nobody sees and that may change how it reads: {{characters}}. They are shown as marks.",
        {
          characters: found.join(", "),
        },
      )}
    </Alert>
  );
}
