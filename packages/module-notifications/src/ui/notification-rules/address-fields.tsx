import Box from "@mui/material/Box";
import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import type { RuleDraft } from "./rule-draft.ts";

/** Where a webhook goes. */
export function AddressFields({
  draft,
  onChange,
}: {
  draft: RuleDraft;
  onChange: (more: Partial<RuleDraft>) => void;
}): ReactElement {
  const isSlack = draft.channel === "slack";
  return (
    <>
      {isSlack ? (
        <TextField
          required
          label={t("Host")}
          helperText={t("Of the incoming webhook's address; the secret must be bound to it")}
          value={draft.host}
          onChange={(event) => onChange({ host: event.target.value })}
        />
      ) : (
        <TextField
          required
          type="url"
          label={t("Address")}
          placeholder="https://example.com/hooks/oven"
          value={draft.url}
          onChange={(event) => onChange({ url: event.target.value })}
        />
      )}
      <TextField
        required={isSlack}
        label={isSlack ? t("Secret that holds the address") : t("Secret that signs it")}
        helperText={isSlack ? t("Its name") : t("Its name; empty: not signed")}
        value={draft.secret}
        onChange={(event) => onChange({ secret: event.target.value })}
      />
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
