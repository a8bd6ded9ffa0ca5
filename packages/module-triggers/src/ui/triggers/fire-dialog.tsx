import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import { isObject, type Json } from "@oven/contract";
import type { Trigger, TriggerDelivery, TriggerTest, TriggerType } from "@oven/contract/trigger";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { toFields } from "@oven/ui/components/schema-form/schema-fields.ts";
import { SchemaForm } from "@oven/ui/components/schema-form/schema-form.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useTargets } from "@oven/ui/components/use-target-names.ts";
import { runPath } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { Link } from "react-router-dom";
import { byField } from "../forms/field-problems.ts";
import { DECISION_LOOKS } from "./trigger-looks.ts";

interface FireDialogProps {
  trigger: Trigger;
  /** undefined: its module is not installed any more. */
  type: TriggerType | undefined;
  onClose: () => void;
}

type Outcome = { tried: TriggerTest } | { fired: TriggerDelivery };

/** What something that arrives would do, and doing it. */
export function FireDialog(props: FireDialogProps): ReactElement {
  const { trigger, type, onClose } = props;
  const [payload, setPayload] = useState<{ value: Json; valid: boolean }>({ value: type?.sample ?? {}, valid: true });
  const [asJson, setAsJson] = useState(false);
  const target = useTargets().find(
    ({ kind, workflowId }) => kind === trigger.target.kind && workflowId === trigger.target.workflowId,
  );
  // What arrives is the workflow's input where nothing else is known of it.
  const isInput = trigger.input === null && (type?.arriving ?? null) === null;
  const schema = isInput && isObject(target?.payloadSchema) ? target.payloadSchema : null;
  const hasFields = (toFields(schema) ?? []).length > 0 && isObject(payload.value);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const [problems, setProblems] = useState<Record<string, string>>({});
  const body = { payload: payload.value };
  const tryIt = async (): Promise<TriggerTest> => {
    const { json } = await api(`triggers/${trigger.id}/test`, { method: "POST", body });
    const tried = json as TriggerTest; // cast: the answer of that route
    setProblems(byField(tried.problems, toFields(schema) ?? []));
    return tried;
  };
  const test = useAction(async () => setOutcome({ tried: await tryIt() }));
  const fire = useAction(async () => {
    setProblems({});
    const { json } = await api(`triggers/${trigger.id}/fire`, { method: "POST", body });
    const fired = json as TriggerDelivery; // cast: the answer of that route
    setOutcome({ fired });
    // A delivery says in one sentence why it was refused; a test of the same says it for each field.
    if (fired.decision === "refused" && hasFields) await tryIt();
  });
  const failure = test.failure ?? fire.failure;
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby="fire-title">
      <DialogTitle id="fire-title" sx={{ fontSize: 16 }}>
        {t("Try “{{name}}”", { name: trigger.name })}
      </DialogTitle>
      <DialogContent sx={{ display: "grid", gap: 2 }}>
        <Box sx={{ pt: 0.75 }}>
          <SchemaForm
            key={hasFields && !asJson ? "fields" : "json"}
            label={t("What arrives")}
            schema={hasFields && !asJson ? schema : null}
            value={payload.value}
            problems={problems}
            onChange={(value, valid) => {
              setPayload({ value, valid });
              setProblems({});
            }}
          />
          {hasFields ? (
            <Button size="small" disabled={!payload.valid} onClick={() => setAsJson(!asJson)} sx={{ mt: 1 }}>
              {asJson ? t("Show fields") : t("Write JSON instead")}
            </Button>
          ) : null}
        </Box>
        {failure ? <ErrorPanel error={failure} title={t("It could not be tried")} /> : null}
        {outcome === null ? null : <OutcomeView outcome={outcome} />}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2.5 }}>
        <Button onClick={onClose}>{t("Close")}</Button>
        <Button onClick={() => void test.run()} loading={test.busy} disabled={!payload.valid}>
          {t("Test, start nothing")}
        </Button>
        <Button variant="contained" onClick={() => void fire.run()} loading={fire.busy} disabled={!payload.valid}>
          {t("Fire")}
        </Button>
      </DialogActions>
    </Dialog>
  );
}

function OutcomeView({ outcome }: { outcome: Outcome }): ReactElement {
  if ("fired" in outcome) {
    const { decision, reason, executionKind, executionId } = outcome.fired;
    const path = executionKind === null || executionId === null ? null : runPath(executionKind, executionId);
    return (
      <Alert severity={decision === "started" ? "success" : "warning"} icon={false}>
        <ToneChip {...DECISION_LOOKS[decision]} /> {reason}{" "}
        {path === null ? null : <Link to={path}>{t("run {{id}}", { id: executionId })}</Link>}
      </Alert>
    );
  }
  const { decision, reason, input } = outcome.tried;
  return (
    <Alert severity={decision === "started" ? "info" : "warning"} icon={false}>
      {decision === "started"
        ? t("A run would be started with this input:")
        : t("Nothing would be started: {{reason}}", { reason })}
      {input === null ? null : <JsonView value={input} what={t("the input")} />}
    </Alert>
  );
}
