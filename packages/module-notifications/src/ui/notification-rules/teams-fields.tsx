import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import { DecisionsAddress } from "./decisions-address.tsx";
import type { RuleDraft } from "./rule-draft.ts";

type Field = "appId" | "directory" | "secret" | "conversation" | "serviceUrl" | "loginHost" | "keysHost";

/** What OVEN must know of a bot of Microsoft Teams, and what the bot must know of OVEN. */
export function TeamsFields({
  draft,
  decisionsPath,
  onChange,
}: {
  draft: RuleDraft;
  /** null: it is made when the rule is saved. */
  decisionsPath: string | null;
  onChange: (more: Partial<RuleDraft>) => void;
}): ReactElement {
  const fields: { name: Field; label: string; help?: string }[] = [
    { name: "appId", label: t("Microsoft App ID of the bot") },
    {
      name: "directory",
      label: t("Id of the Microsoft Entra directory"),
      help: t("People of other directories decide nothing"),
    },
    {
      name: "secret",
      label: t("Secret that holds the bot's client secret"),
      help: t("Its name; the secret must be bound to {{host}}", { host: draft.loginHost }),
    },
    {
      name: "conversation",
      label: t("Id of the channel or chat in Teams"),
      help: t("Such as 19:…@thread.tacv2: in the link to the channel"),
    },
    { name: "serviceUrl", label: t("Address of the Bot Connector") },
    { name: "loginHost", label: t("Host that gives the bot its tokens") },
    { name: "keysHost", label: t("Host of the keys of the Bot Connector") },
  ];
  return (
    <>
      <Alert severity="info">
        {t(
          "People decide reviews by buttons in Microsoft Teams, each with the rights they have in OVEN. The bot must be added to the team or chat.",
        )}
        <Box sx={{ mt: 1 }}>
          <DecisionsAddress
            path={decisionsPath}
            label={t("Messaging endpoint, in the configuration of the Azure bot")}
          />
        </Box>
      </Alert>
      {fields.map(({ name, label, help }) => (
        <TextField
          key={name}
          required
          label={label}
          helperText={help}
          value={draft[name]}
          onChange={(event) => onChange({ [name]: event.target.value.trim() })}
        />
      ))}
    </>
  );
}
