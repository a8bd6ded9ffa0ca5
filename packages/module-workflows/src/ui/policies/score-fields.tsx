import Box from "@mui/material/Box";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import type { PolicyDraft } from "./policy-draft.ts";

type Scores = PolicyDraft["scores"];

const LABELS: Readonly<Record<keyof Scores, string>> = {
  name: t("Name of the scores"),
  samples: t("At least so many"),
  days: t("Of so many last days"),
  atLeast: t("Mean at least (0 to 1)"),
};

/** What the scores of a live version must be. */
export function ScoreFields({
  scores,
  onChange,
}: {
  scores: Scores;
  onChange: (scores: Scores) => void;
}): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 1.5, gridTemplateColumns: "repeat(auto-fill, minmax(150px, 1fr))" }}>
      {(Object.keys(LABELS) as (keyof Scores)[]).map(
        (
          key, // cast: its own keys
        ) => (
          <TextField
            key={key}
            size="small"
            label={LABELS[key]}
            value={scores[key]}
            placeholder={key === "atLeast" ? t("any") : undefined}
            onChange={({ target: { value } }) => onChange({ ...scores, [key]: value })}
            slotProps={{ htmlInput: { inputMode: key === "name" ? "text" : "decimal" }, inputLabel: { shrink: true } }}
          />
        ),
      )}
    </Box>
  );
}
