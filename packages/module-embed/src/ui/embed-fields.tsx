import Box from "@mui/material/Box";
import FormControlLabel from "@mui/material/FormControlLabel";
import MenuItem from "@mui/material/MenuItem";
import Switch from "@mui/material/Switch";
import TextField from "@mui/material/TextField";
import type { ChatTarget } from "@oven/contract/agent";
import type { EmbedLimits, EmbedTheme } from "@oven/contract/embed";
import { t } from "@oven/i18n";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { TwoColumns } from "@oven/ui/components/two-columns.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import type { ReactElement } from "react";
import type { EmbedDraft } from "./embed-draft.ts";
import { EmbedInput } from "./embed-input.tsx";

interface FieldsProps {
  draft: EmbedDraft;
  change: (part: Partial<EmbedDraft>) => void;
}

export interface EmbedFieldsProps extends FieldsProps {
  /** Hears whether what is typed as the input are values. */
  onInputValid: (valid: boolean) => void;
}

const LIMITS: readonly { name: keyof EmbedLimits; label: string; max: number }[] = [
  { name: "visitorPerHour", label: t("Messages of a visitor per hour"), max: 1_000 },
  { name: "embedPerHour", label: t("Messages of all visitors per hour"), max: 100_000 },
  { name: "messageLength", label: t("Characters of a message"), max: 20_000 },
  { name: "conversationHours", label: t("Hours until a conversation is deleted"), max: 720 },
];

/** All that is set of an embed. */
export function EmbedFields({ onInputValid, ...props }: EmbedFieldsProps): ReactElement {
  const { draft } = props;
  // The input of one target means nothing to another.
  const change: FieldsProps["change"] = (part) => {
    const isOther = part.target !== undefined && part.target !== draft.target;
    if (isOther) onInputValid(true);
    props.change(isOther ? { ...part, input: {} } : part);
  };
  return (
    <>
      <WhatFields draft={draft} change={change} />
      <EmbedInput
        mode={draft.mode}
        target={draft.target}
        input={draft.input}
        onChange={(input, valid) => {
          onInputValid(valid);
          change({ input });
        }}
      />
      <LookFields {...props} />
      {props.draft.mode === "form" ? <FormFields {...props} /> : null}
      <LimitFields {...props} />
    </>
  );
}

/** As it is, or once the other fields of its input are set. */
function canChat({ misfit, mapping, parameters }: ChatTarget): boolean {
  return misfit === null || (mapping !== null && parameters !== null);
}

function WhatFields({ draft, change }: FieldsProps): ReactElement {
  const { data: targets = [] } = useAnswer<ChatTarget[]>("chat-targets");
  const fits = (one: ChatTarget) => (draft.mode === "form" ? one.kind !== "agent" : canChat(one));
  const offered = targets.filter(fits).map(({ kind, id, name }) => ({ key: `${kind}:${id}`, name }));
  const isOffered = draft.target === "" || offered.some(({ key }) => key === draft.target);
  return (
    <Panel title={t("What is shown")}>
      <Box sx={{ display: "grid", gap: 2 }}>
        <TwoColumns>
          <TextField
            required
            label={t("Name")}
            value={draft.name}
            onChange={(event) => change({ name: event.target.value })}
          />
          <ChoiceField
            label={t("Shown as")}
            value={draft.mode}
            choices={[
              { value: "chat", label: "Chat" },
              { value: "form", label: t("A form") },
            ]}
            onChange={(mode) => change({ mode, target: "" })}
          />
        </TwoColumns>
        <TextField
          select
          required
          label={draft.mode === "form" ? "Workflow" : t("What answers")}
          value={draft.target}
          onChange={(event) => change({ target: event.target.value })}
        >
          {offered.map(({ key, name }) => (
            <MenuItem key={key} value={key}>
              {name}
            </MenuItem>
          ))}
          {isOffered ? null : <MenuItem value={draft.target}>{draft.target}</MenuItem>}
        </TextField>
        <TextField
          required
          multiline
          minRows={2}
          label={t("Allowed origins")}
          placeholder="https://shop.example.com"
          helperText={t("One per line: scheme, host and port. https://*.example.com stands for all subdomains.")}
          value={draft.origins}
          onChange={(event) => change({ origins: event.target.value })}
        />
        <FormControlLabel
          control={<Switch checked={draft.enabled} onChange={(event) => change({ enabled: event.target.checked })} />}
          label={t("On. Switching it off ends all sessions at once.")}
        />
        <FormControlLabel
          control={
            <Switch
              checked={draft.visitorDecides}
              onChange={(event) => change({ visitorDecides: event.target.checked })}
            />
          }
          label={t("Visitors answer questions that name no reviewer and release no tool")}
        />
      </Box>
    </Panel>
  );
}

function LookFields({ draft, change }: FieldsProps): ReactElement {
  const { theme } = draft;
  const set = (part: Partial<EmbedTheme>) => change({ theme: { ...theme, ...part } });
  return (
    <Panel title={t("Look")}>
      <Box sx={{ display: "grid", gap: 2 }}>
        <TwoColumns>
          <TextField
            required
            label={t("Title")}
            value={theme.title}
            onChange={(event) => set({ title: event.target.value })}
          />
          <TextField
            type="color"
            label={t("Accent colour")}
            value={theme.accent}
            onChange={(event) => set({ accent: event.target.value })}
          />
          <ChoiceField
            label={t("Light or dark")}
            value={theme.scheme}
            choices={[
              { value: "auto", label: t("As the visitor's system") },
              { value: "light", label: t("Light") },
              { value: "dark", label: t("Dark") },
            ]}
            onChange={(scheme) => set({ scheme })}
          />
          <ChoiceField
            label={t("Corner of the button")}
            value={theme.corner}
            choices={[
              { value: "right", label: t("Bottom right") },
              { value: "left", label: t("Bottom left") },
            ]}
            onChange={(corner) => set({ corner })}
          />
        </TwoColumns>
        <TextField
          multiline
          label={t("Greeting")}
          value={theme.greeting}
          onChange={(event) => set({ greeting: event.target.value })}
        />
        {draft.mode === "form" ? null : (
          <TextField
            label={t("Placeholder")}
            helperText={t("Empty: “Message”, in the language of the page")}
            value={theme.placeholder}
            onChange={(event) => set({ placeholder: event.target.value })}
          />
        )}
      </Box>
    </Panel>
  );
}

function FormFields({ draft: { form }, change }: FieldsProps): ReactElement {
  const set = (part: Partial<EmbedDraft["form"]>) => change({ form: { ...form, ...part } });
  return (
    <Panel title={t("A form")}>
      <Box sx={{ display: "grid", gap: 2 }}>
        <TextField
          label={t("Words of the button")}
          helperText={t("Empty: “Send”, in the language of the page")}
          value={form.submitLabel}
          onChange={(event) => set({ submitLabel: event.target.value })}
        />
        <TextField
          multiline
          label={t("What is shown afterwards")}
          helperText={t("Empty: thanks, in the language of the page")}
          value={form.thanks}
          onChange={(event) => set({ thanks: event.target.value })}
        />
        <FormControlLabel
          control={<Switch checked={form.showAnswer} onChange={(event) => set({ showAnswer: event.target.checked })} />}
          label={t("Show the output of the run")}
        />
      </Box>
    </Panel>
  );
}

function LimitFields({ draft: { limits }, change }: FieldsProps): ReactElement {
  return (
    <Panel title={t("Limits")}>
      <TwoColumns>
        {LIMITS.map(({ name, label, max }) => (
          <TextField
            key={name}
            required
            type="number"
            label={label}
            slotProps={{ htmlInput: { min: name === "messageLength" ? 10 : 1, max } }}
            value={limits[name]}
            onChange={(event) => change({ limits: { ...limits, [name]: Number(event.target.value) } })}
          />
        ))}
      </TwoColumns>
    </Panel>
  );
}
