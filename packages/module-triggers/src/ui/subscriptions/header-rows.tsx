import AddRounded from "@mui/icons-material/AddRounded";
import CloseRounded from "@mui/icons-material/CloseRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import TextField from "@mui/material/TextField";
import { t } from "@oven/i18n";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { PickInput } from "@oven/ui/components/pick/pick-input.tsx";
import { useChoices } from "@oven/ui/components/pick/use-choices.ts";
import { type ReactElement, useId } from "react";
import type { HeaderDraft } from "./subscription-draft.ts";

/** Headers that are sent along: texts, or secrets that only the request sees. */
export function HeaderRows({
  headers,
  onChange,
}: {
  headers: readonly HeaderDraft[];
  onChange: (headers: HeaderDraft[]) => void;
}): ReactElement {
  const put = (next: HeaderDraft): void => onChange(headers.map((header) => (header.key === next.key ? next : header)));
  const key = Math.max(0, ...headers.map((header) => header.key)) + 1;
  return (
    <Box component="fieldset" sx={{ border: 0, m: 0, p: 0, minWidth: 0, display: "grid", gap: 1.25 }}>
      <Box component="legend" sx={{ fontSize: 13, fontWeight: 600, p: 0, mb: 0.75 }}>
        {t("Further headers")}
      </Box>
      {headers.map((header, index) => (
        <Box key={header.key} sx={{ display: "flex", flexWrap: "wrap", gap: 1, alignItems: "center" }}>
          <TextField
            size="small"
            label={t("Header {{number}}", { number: index + 1 })}
            value={header.name}
            onChange={(event) => put({ ...header, name: event.target.value })}
            sx={{ flex: "1 1 140px" }}
          />
          <ChoiceField
            size="small"
            value={header.kind}
            choices={[
              { value: "text", label: t("Text") },
              { value: "secret", label: t("Secret") },
            ]}
            onChange={(kind) => put({ ...header, kind, value: "" })}
            sx={{ width: 120 }}
            slotProps={{ htmlInput: { "aria-label": t("What header {{number}} has", { number: index + 1 }) } }}
          />
          {header.kind === "text" ? (
            <TextField
              size="small"
              label={t("Value {{number}}", { number: index + 1 })}
              value={header.value}
              onChange={(event) => put({ ...header, value: event.target.value })}
              sx={{ flex: "1 1 160px" }}
            />
          ) : (
            <SecretValue header={header} number={index + 1} onChange={put} />
          )}
          <IconButton
            size="small"
            aria-label={t("Remove header {{number}}", { number: index + 1 })}
            onClick={() => onChange(headers.filter((other) => other.key !== header.key))}
          >
            <CloseRounded sx={{ fontSize: 18 }} />
          </IconButton>
        </Box>
      ))}
      <Box>
        <Button
          size="small"
          startIcon={<AddRounded />}
          onClick={() => onChange([...headers, { key, name: "", kind: "text", value: "", prefix: "" }])}
        >
          {t("Add a header")}
        </Button>
      </Box>
    </Box>
  );
}

function SecretValue({
  header,
  number,
  onChange,
}: {
  header: HeaderDraft;
  number: number;
  onChange: (header: HeaderDraft) => void;
}): ReactElement {
  const choices = useChoices("secret");
  return (
    <>
      <TextField
        size="small"
        label={t("Before it")}
        placeholder="Bearer "
        value={header.prefix}
        onChange={(event) => onChange({ ...header, prefix: event.target.value })}
        sx={{ width: 110 }}
      />
      <Box sx={{ flex: "1 1 160px" }}>
        <PickInput
          id={useId()}
          label={t("Secret {{number}}", { number })}
          choices={choices}
          value={header.value}
          onChange={(value) => onChange({ ...header, value })}
        />
      </Box>
    </>
  );
}
