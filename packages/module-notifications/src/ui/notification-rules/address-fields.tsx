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
    </>
  );
}
