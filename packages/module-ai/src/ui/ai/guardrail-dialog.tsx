import Box from "@mui/material/Box";
import FormControlLabel from "@mui/material/FormControlLabel";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import type { Guardrail } from "@oven/contract/ai";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { ModelField } from "@oven/ui/components/model-field.tsx";
import { TwoColumns } from "@oven/ui/components/two-columns.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useState } from "react";
import { GuardrailTester } from "./guardrail-tester.tsx";
import {
  ACTIONS,
  DIRECTIONS,
  type GuardrailDraft,
  NEW_GUARDRAIL,
  RULE_KINDS,
  toBody,
  toDraft,
} from "./guardrail-words.ts";

/** A rule about what goes to models and what comes from them, which can be tried before it is saved. */
export function GuardrailDialog({
  guardrail,
  onClose,
}: {
  guardrail: Guardrail | null;
  onClose: (saved: boolean) => void;
}): ReactElement {
  const [draft, setDraft] = useState<GuardrailDraft>(guardrail === null ? NEW_GUARDRAIL : toDraft(guardrail));
  const change = (more: Partial<GuardrailDraft>): void => setDraft((current) => ({ ...current, ...more }));
  const body = toBody(draft);
  const canMask = draft.kind === "keyword" || draft.kind === "pattern";
  return (
    <FormDialog
      title={guardrail === null ? t("New guardrail") : t("Guardrail “{{name}}”", { name: guardrail.name })}
      submitLabel={guardrail === null ? t("Make it") : t("Save")}
      failureTitle={t("The guardrail was not saved")}
      usable={body !== null}
      onClose={() => onClose(false)}
      onSubmit={async () => {
        if (guardrail === null) await api("ai-guardrails", { method: "POST", body });
        else await api(`ai-guardrails/${guardrail.id}`, { method: "PUT", body });
        onClose(true);
      }}
    >
      <TextField
        required
        autoFocus={guardrail === null}
        label={t("Name")}
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <TwoColumns>
        <ChoiceField
          label={t("Looks at")}
          value={draft.direction}
          choices={DIRECTIONS}
          onChange={(value) => change({ direction: value })}
        />
        <ChoiceField
          label={t("Looks for")}
          value={draft.kind}
          choices={RULE_KINDS}
          onChange={(kind) => {
            const keepsAction = kind === "keyword" || kind === "pattern" || draft.action !== "redact";
            change({ kind, ...(keepsAction ? {} : { action: "block" }) });
          }}
        />
      </TwoColumns>
      <RuleFields draft={draft} onChange={change} />
      <ChoiceField
        label={t("What is done about it")}
        value={draft.action}
        choices={ACTIONS.filter(({ value }) => canMask || value !== "redact")}
        onChange={(value) => change({ action: value })}
      />
      <FormControlLabel
        control={<Switch checked={draft.enabled} onChange={(event) => change({ enabled: event.target.checked })} />}
        label={t("On")}
      />
      <GuardrailTester guardrail={body} />
    </FormDialog>
  );
}

function RuleFields({
  draft,
  onChange,
}: {
  draft: GuardrailDraft;
  onChange: (more: Partial<GuardrailDraft>) => void;
}): ReactElement {
  switch (draft.kind) {
    case "keyword":
      return (
        <TextField
          required
          multiline
          minRows={3}
          maxRows={10}
          label={t("Words or phrases, one a line")}
          helperText={t("As whole words, in capitals or not")}
          value={draft.words}
          onChange={(event) => onChange({ words: event.target.value })}
        />
      );
    case "pattern":
      return (
        <TextField
          required
          label={t("Pattern")}
          placeholder="\b\d{16}\b"
          helperText={t("RE2: no look-around, so that no text takes long")}
          value={draft.pattern}
          onChange={(event) => onChange({ pattern: event.target.value })}
          slotProps={{ htmlInput: { style: { fontFamily: MONOSPACE } } }}
        />
      );
    case "schema":
      return (
        <TextField
          required
          multiline
          minRows={4}
          maxRows={14}
          label={t("JSON Schema")}
          helperText={t("A final answer, or what the person said last, must fit it")}
          value={draft.schema}
          onChange={(event) => onChange({ schema: event.target.value })}
          slotProps={{ htmlInput: { style: { fontFamily: MONOSPACE, fontSize: 12.5 }, spellCheck: false } }}
        />
      );
    case "classifier":
      return (
        <>
          <ModelField
            required
            label={t("Model that judges")}
            value={draft.model}
            onChange={(model) => onChange({ model })}
          />
          <TextField
            required
            multiline
            minRows={2}
            label={t("What it is to judge")}
            placeholder={t("Is the text polite?")}
            value={draft.instructions}
            onChange={(event) => onChange({ instructions: event.target.value })}
          />
          <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "repeat(2, minmax(0, 1fr))" }}>
            <TextField
              required
              label={t("Labels, two or more")}
              placeholder={t("polite, rude")}
              value={draft.labels}
              onChange={(event) => onChange({ labels: event.target.value })}
            />
            <TextField
              required
              label={t("Unwanted ones")}
              placeholder={t("rude")}
              value={draft.unwanted}
              onChange={(event) => onChange({ unwanted: event.target.value })}
            />
          </Box>
        </>
      );
  }
}
