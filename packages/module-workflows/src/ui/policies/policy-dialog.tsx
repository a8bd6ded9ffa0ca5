import FactCheckOutlined from "@mui/icons-material/FactCheckOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import FormControlLabel from "@mui/material/FormControlLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import TextField from "@mui/material/TextField";
import type { Role } from "@oven/contract/access";
import type { GraphPolicy, PolicyTrial } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useState } from "react";
import { useGetList } from "react-admin";
import { NEW_POLICY, type PolicyDraft, type RuleKind, toBody, toDraft, toRule } from "./policy-draft.ts";
import { KIND_WORDS } from "./policy-words.ts";
import { RuleSentence } from "./sentence-fields.tsx";
import { TrialResult } from "./trial-result.tsx";

const ALL = { pagination: { page: 1, perPage: 200 }, sort: { field: "id", order: "ASC" as const } };
const KINDS = (Object.keys(KIND_WORDS) as RuleKind[]).map((value) => ({ value, label: KIND_WORDS[value] })); // cast: its own keys

/** Makes a policy, or changes one; tries it on all workflows before that. */
export function PolicyDialog({
  policy,
  onClose,
}: {
  policy: GraphPolicy | null;
  onClose: (saved: boolean) => void;
}): ReactElement {
  const [draft, setDraft] = useState<PolicyDraft>(policy === null ? NEW_POLICY : toDraft(policy));
  const roles = useGetList<Role>("roles", ALL, { enabled: useCan("roles.read") }).data ?? [];
  const [tried, setTried] = useState<{ rule: string; trial: PolicyTrial } | null>(null);
  const rule = toRule(draft);
  const body = toBody(draft);
  const change = (more: Partial<PolicyDraft>): void => setDraft((current) => ({ ...current, ...more }));
  const trying = useAction(async () => {
    const { json } = await api("graph-policies/try", { method: "POST", body: { rule } });
    setTried({ rule: JSON.stringify(rule), trial: json as PolicyTrial }); // cast: the answer of this route
  });
  const save = async (): Promise<void> => {
    if (body === null) return;
    if (policy === null) await api("graph-policies", { method: "POST", body });
    else await api(`graph-policies/${policy.id}`, { method: "PUT", body });
    onClose(true);
  };
  const isCurrent = tried !== null && tried.rule === JSON.stringify(rule);
  return (
    <FormDialog
      maxWidth="md"
      title={policy === null ? t("New policy") : t("Policy “{{name}}”", { name: policy.name })}
      submitLabel={t("Save the policy")}
      failureTitle={t("The policy was not saved")}
      usable={body !== null}
      onSubmit={save}
      onClose={() => onClose(false)}
      extra={
        <Button
          variant="outlined"
          startIcon={<FactCheckOutlined />}
          loading={trying.busy}
          // Past runs are tried on one workflow at a time, where it is published.
          disabled={rule === null || rule.kind === "past-runs"}
          onClick={() => void trying.run()}
        >
          {t("Try on all workflows")}
        </Button>
      }
    >
      <TextField
        fullWidth
        autoFocus
        required
        label={t("Name")}
        placeholder={t("Money needs a person")}
        value={draft.name}
        onChange={(event) => change({ name: event.target.value })}
      />
      <ChoiceField
        label={t("What the rule is about")}
        value={draft.kind}
        choices={KINDS}
        onChange={(kind) => change({ kind, target: kind === "untrusted-flow" ? [] : NEW_POLICY.target })}
      />
      <RuleSentence draft={draft} roles={roles} onChange={change} />
      <RadioGroup
        aria-label={t("What it does")}
        value={draft.severity}
        // cast: one of the two below
        onChange={(_, severity) => change({ severity: severity as PolicyDraft["severity"] })}
      >
        <FormControlLabel
          value="error"
          control={<Radio size="small" />}
          label={
            draft.kind === "past-runs"
              ? t("It refuses: such a version is not published")
              : t("It refuses: such workflows are neither published nor run")
          }
        />
        <FormControlLabel
          value="warning"
          control={<Radio size="small" />}
          label={
            draft.kind === "past-runs"
              ? t("It warns: those who publish such a version see it")
              : t("It warns: those who edit such workflows see it")
          }
        />
      </RadioGroup>
      <TextField
        multiline
        label={t("Why it is there")}
        value={draft.description}
        onChange={(event) => change({ description: event.target.value })}
      />
      <Box aria-live="polite">
        {trying.failure !== null ? (
          <ErrorPanel error={trying.failure} title={t("The rule was not tried")} />
        ) : isCurrent ? (
          <TrialResult trial={tried.trial} warns={draft.severity === "warning"} />
        ) : null}
      </Box>
    </FormDialog>
  );
}
