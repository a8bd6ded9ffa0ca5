import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import { SecretField } from "@oven/ui/components/secret-field.tsx";
import type { ReactElement } from "react";
import type { BotDraft } from "./bot-draft.ts";

/** What OVEN must know of the app or bot at the messenger. */
export function ConnectionFields({
  draft,
  onChange,
}: {
  draft: BotDraft;
  onChange: (more: Partial<BotDraft>) => void;
}): ReactElement {
  return draft.messenger === "slack-app" ? (
    <>
      <SecretField
        required
        label={t("Secret with the bot's token")}
        helperText={t("The secret must be bound to {{host}}", { host: draft.host })}
        value={draft.token}
        onChange={(token) => onChange({ token })}
      />
      <SecretField
        required
        label={t("Secret with the signing secret")}
        helperText={t("The secret must be bound to no host")}
        value={draft.signingSecret}
        onChange={(signingSecret) => onChange({ signingSecret })}
      />
      <TextField
        required
        label={t("Slack API host")}
        value={draft.host}
        onChange={(event) => onChange({ host: event.target.value })}
      />
    </>
  ) : (
    <>
      <TextField
        required
        label={t("Microsoft App ID")}
        value={draft.appId}
        onChange={(event) => onChange({ appId: event.target.value })}
      />
      <TextField
        required
        label={t("Directory (tenant) ID")}
        value={draft.directory}
        onChange={(event) => onChange({ directory: event.target.value })}
      />
      <SecretField
        required
        label={t("Secret with the client secret")}
        helperText={t("The secret must be bound to {{host}}", { host: draft.loginHost })}
        value={draft.password}
        onChange={(password) => onChange({ password })}
      />
      <TextField
        required
        label={t("Bot Connector address")}
        value={draft.serviceUrl}
        onChange={(event) => onChange({ serviceUrl: event.target.value })}
      />
      <TextField
        required
        label={t("Host that gives tokens")}
        value={draft.loginHost}
        onChange={(event) => onChange({ loginHost: event.target.value })}
      />
      <TextField
        required
        label={t("Host that publishes keys")}
        value={draft.keysHost}
        onChange={(event) => onChange({ keysHost: event.target.value })}
      />
    </>
  );
}
