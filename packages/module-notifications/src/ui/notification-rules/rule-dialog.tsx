import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { NotificationRule } from "@oven/contract/system";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { type ReactElement, useState } from "react";
import { useGetList } from "react-admin";
import { KIND_WORDS, KINDS } from "../notifications/kind-words.ts";
import { AddressFields } from "./address-fields.tsx";
import { CheckList } from "./check-list.tsx";
import { PeopleFields } from "./people-fields.tsx";
import { QuietFields } from "./quiet-fields.tsx";
import { goesToPeople, NEW_RULE, type RuleDraft, toBody, toDraft } from "./rule-draft.ts";
import { SlackAppFields } from "./slack-app-fields.tsx";
import { TeamsFields } from "./teams-fields.tsx";

const CHANNELS = [
  { value: "email", label: t("By e-mail") },
  { value: "in-app", label: t("In the dashboard") },
  { value: "webhook", label: t("By a signed webhook") },
  { value: "slack", label: t("In Slack") },
  { value: "slack-app", label: t("In Slack, with buttons that decide") },
  { value: "teams", label: t("In Microsoft Teams, with buttons that decide") },
];
const ALL = { pagination: { page: 1, perPage: 200 }, sort: { field: "name", order: "ASC" as const } };

/** Makes a rule, or changes one. */
export function RuleDialog({
  rule,
  onClose,
}: {
  rule: NotificationRule | null;
  onClose: (saved: boolean) => void;
}): ReactElement {
  const [draft, setDraft] = useState<RuleDraft>(rule === null ? NEW_RULE : toDraft(rule));
  const change = (more: Partial<RuleDraft>): void => setDraft((current) => ({ ...current, ...more }));
  const save = async (): Promise<void> => {
    const body = toBody(draft);
    if (rule === null) await api("notification-rules", { method: "POST", body });
    else await api(`notification-rules/${rule.id}`, { method: "PUT", body });
    onClose(true);
  };
  return (
    <FormDialog
      title={rule === null ? t("New rule") : t("Rule “{{name}}”", { name: rule.name })}
      submitLabel={t("Save the rule")}
      failureTitle={t("The rule was not saved")}
      usable={draft.events.length > 0}
      onSubmit={save}
      onClose={() => onClose(false)}
    >
      <TextField
        fullWidth
        autoFocus
        required
        label={t("Name")}
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <CheckList
        label={t("When")}
        choices={KINDS.map((value) => ({ value, label: KIND_WORDS[value] }))}
        chosen={draft.events}
        onChange={(events) => change({ events })}
      />
      <ScopeField value={draft.scope} onChange={(scope) => change({ scope })} />
      <TextField
        select
        label={t("Which way")}
        value={draft.channel}
        // cast: one of the choices
        onChange={(event) => change({ channel: event.target.value as RuleDraft["channel"] })}
      >
        {CHANNELS.map(({ value, label }) => (
          <MenuItem key={value} value={value}>
            {label}
          </MenuItem>
        ))}
      </TextField>
      <WayFields draft={draft} decisionsPath={rule?.decisionsPath ?? null} onChange={change} />
      <TextField
        label={t("Subject")}
        placeholder="{{ $.workflow.name }} has failed"
        helperText="Empty: ours. {{ $.workflow.name }}, {{ $.execution.id }}, {{ $.execution.error }}, {{ $.review.title }} and more can be read."
        value={draft.subject}
        onChange={(event) => change({ subject: event.target.value })}
      />
      <TextField
        label={t("Text")}
        multiline
        minRows={2}
        value={draft.text}
        onChange={(event) => change({ text: event.target.value })}
      />
    </FormDialog>
  );
}

function WayFields({
  draft,
  decisionsPath,
  onChange,
}: {
  draft: RuleDraft;
  decisionsPath: string | null;
  onChange: (more: Partial<RuleDraft>) => void;
}): ReactElement {
  if (goesToPeople(draft)) return <PeopleFields draft={draft} onChange={onChange} />;
  return (
    <>
      {draft.channel === "slack-app" ? (
        <SlackAppFields draft={draft} decisionsPath={decisionsPath} onChange={onChange} />
      ) : draft.channel === "teams" ? (
        <TeamsFields draft={draft} decisionsPath={decisionsPath} onChange={onChange} />
      ) : (
        <AddressFields draft={draft} onChange={onChange} />
      )}
      <QuietFields draft={draft} onChange={onChange} />
    </>
  );
}

function ScopeField({ value, onChange }: { value: string; onChange: (scope: string) => void }): ReactElement {
  const agents = useGetList("agent-workflows", ALL).data ?? [];
  const regular = useGetList("workflows", ALL).data ?? [];
  const choices = [
    { value: "all", label: t("All workflows") },
    ...agents.map(({ id, name }) => ({ value: `agent-workflow:${id}`, label: String(name) })),
    ...regular.map(({ id, name }) => ({
      value: `workflow:${id}`,
      label: t("{{string}} (workflow)", { string: String(name) }),
    })),
  ];
  const known = choices.some((choice) => choice.value === value) ? choices : [...choices, { value, label: value }];
  return (
    <TextField select label={t("Of")} value={value} onChange={(event) => onChange(event.target.value)}>
      {known.map((choice) => (
        <MenuItem key={choice.value} value={choice.value}>
          {choice.label}
        </MenuItem>
      ))}
    </TextField>
  );
}
