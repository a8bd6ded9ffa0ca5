import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ChangeEvent, type ReactElement, useRef } from "react";
import type { FieldProps } from "./auth-fields.tsx";
import type { ConnectionDraft } from "./connection-draft.ts";

const SOURCES: readonly { value: ConnectionDraft["source"]; label: string }[] = [
  { value: "url", label: t("The address of an OpenAPI document") },
  { value: "text", label: t("A document or a curl command") },
  { value: "graphql", label: t("The address of a GraphQL API") },
];

/** Where the description of the API comes from. */
export function SourceFields({ draft, onChange }: FieldProps): ReactElement {
  const { source } = draft;
  const file = useRef<HTMLInputElement>(null);
  const take = async ({ target }: ChangeEvent<HTMLInputElement>): Promise<void> => {
    const chosen = target.files?.[0];
    target.value = "";
    if (chosen !== undefined) onChange({ text: await chosen.text() });
  };
  return (
    <>
      <ChoiceField
        label={t("Read from")}
        value={source}
        choices={SOURCES}
        onChange={(value) => onChange({ source: value })}
      />
      {source === "text" ? (
        <>
          <TextField
            fullWidth
            multiline
            required
            minRows={5}
            maxRows={12}
            label={t("Document or command")}
            placeholder={"curl https://api.example.com/orders -H 'Authorization: Bearer …'"}
            value={draft.text}
            onChange={(event) => onChange({ text: event.target.value })}
            slotProps={{ htmlInput: { spellCheck: false, style: { fontFamily: MONOSPACE, fontSize: 12.5 } } }}
          />
          <Box>
            <input
              ref={file}
              hidden
              type="file"
              accept=".json,.yaml,.yml,.graphql,.gql,.txt"
              aria-label={t("A file with the document")}
              onChange={(event) => void take(event)}
            />
            <Button variant="outlined" onClick={() => file.current?.click()}>
              {t("Choose a file")}
            </Button>
          </Box>
        </>
      ) : (
        <TextField
          fullWidth
          autoFocus
          required
          label={t("Web address")}
          placeholder={source === "url" ? "https://api.example.com/openapi.json" : "https://api.example.com/graphql"}
          value={draft.url}
          onChange={(event) => onChange({ url: event.target.value })}
        />
      )}
    </>
  );
}
