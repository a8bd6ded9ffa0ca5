import Box from "@mui/material/Box";
import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import type { RuleDraft } from "./rule-draft.ts";

/** When nothing is sent. */
export function QuietFields({
  draft,
  onChange,
}: {
  draft: RuleDraft;
  onChange: (more: Partial<RuleDraft>) => void;
}): ReactElement {
  return (
    <>
      <FormControlLabel
        label={t("Quiet hours: nothing is sent until they end")}
        control={<Switch checked={draft.quiet} onChange={(_, quiet) => onChange({ quiet })} />}
      />
      {draft.quiet ? (
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 2 }}>
          {(["quietFrom", "quietTo"] as const).map((end) => (
            <TextField
              key={end}
              type="time"
              required
              label={end === "quietFrom" ? t("Quiet from") : t("Quiet until")}
              value={draft[end]}
              onChange={(event) => onChange({ [end]: event.target.value })}
              slotProps={{ inputLabel: { shrink: true } }}
              sx={{ width: 140 }}
            />
          ))}
          <TextField
            label={t("Time zone")}
            value={draft.timezone}
            onChange={(event) => onChange({ timezone: event.target.value })}
            sx={{ flex: "1 1 160px" }}
          />
        </Box>
      ) : null}
    </>
  );
}
