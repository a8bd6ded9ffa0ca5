import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { DecisionsAddress } from "./decisions-address.tsx";
import type { RuleDraft } from "./rule-draft.ts";

/** What OVEN must know of a Slack app, and what the app must know of OVEN. */
export function SlackAppFields({
  draft,
  decisionsPath,
  onChange,
}: {
  draft: RuleDraft;
  /** null: it is made when the rule is saved. */
  decisionsPath: string | null;
  onChange: (more: Partial<RuleDraft>) => void;
}): ReactElement {
  return (
    <>
      <Alert severity="info">
        {t(
          "People decide reviews by buttons in Slack, each with the rights they have in OVEN. The app needs the bot scope chat:write, and must be in the channel.",
        )}
        <Box sx={{ mt: 1 }}>
          <DecisionsAddress
            path={decisionsPath}
            label={t("Request URL, under Interactivity in the settings of the Slack app")}
          />
        </Box>
      </Alert>
      <TextField
        required
        label={t("Secret that holds the bot's token")}
        helperText={t("Its name; the secret must be bound to {{host}}", { host: draft.slackHost })}
        placeholder="slack-token"
        value={draft.secret}
        onChange={(event) => onChange({ secret: event.target.value })}
      />
      <TextField
        required
        label={t("Secret that holds the signing secret")}
        helperText={t("Its name; the secret must be bound to no host")}
        placeholder="slack-signing-secret"
        value={draft.signingSecret}
        onChange={(event) => onChange({ signingSecret: event.target.value })}
      />
      <TextField
        required
        label={t("Id of the channel or person in Slack")}
        helperText={t("Such as C0123ABCD: at the end of “View channel details”")}
        value={draft.conversation}
        onChange={(event) => onChange({ conversation: event.target.value.trim() })}
      />
      <TextField
        required
        label={t("Host of Slack's API")}
        value={draft.slackHost}
        onChange={(event) => onChange({ slackHost: event.target.value })}
      />
    </>
  );
}
