import ReplayRounded from "@mui/icons-material/ReplayRounded";
import Box from "@mui/material/Box";
import FormControlLabel from "@mui/material/FormControlLabel";
import MenuItem from "@mui/material/MenuItem";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import TextField from "@mui/material/TextField";
import Typography from "@mui/material/Typography";
import type { CompatibilityReport, Execution, NodeRun } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { kindOf, runPath } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { versionName } from "./use-pinned-definition.ts";

type Choice = "own" | "current" | "draft";

export interface RetryDialogProps {
  run: Execution;
  /** The version that is published now. */
  currentVersion: number;
  /** Where there is one it may go on with the draft; `flush` saves it and answers its revision, 0: nothing was changed. */
  draft?: { flush: () => Promise<number> };
  onClose: () => void;
  /** Instead of going to the new run. */
  onStarted?: (id: number) => void;
}

/** Goes on from where the run failed, as a new run: with its own version, with the one that is published now, or with the draft. */
export function RetryDialog({ run, currentVersion, draft, onClose, onStarted }: RetryDialogProps): ReactElement {
  const changed = currentVersion !== run.workflowVersion;
  const [choice, setChoice] = useState<Choice>(draft === undefined ? "own" : "draft");
  const [nodeId, setNodeId] = useState("");
  const navigate = useNavigate();
  const path = `${kindOf(run.kind).executionResource}/${run.id}`;
  const saved = useSaved(draft);
  const current = useCompatibility(path, changed || saved.revision === 0 ? "current" : null, nodeId);
  const drafted = useCompatibility(path, saved.revision > 0 ? "draft" : null, nodeId);
  const ofDraft = saved.failure === null ? (saved.revision === 0 ? current : drafted) : { failure: saved.failure };
  const shown = choice === "draft" ? ofDraft : choice === "current" ? current : OWN;
  const steps = [...new Set(run.nodes.filter(isStep).map((node) => node.nodeId))];
  const retry = async (): Promise<void> => {
    const wanted =
      choice === "own"
        ? {}
        : choice === "current" || saved.revision === 0
          ? { version: "current" }
          : { version: "draft", revision: saved.revision };
    const body = { ...wanted, ...(nodeId === "" ? {} : { nodeId }) };
    const reply = await api(`${path}/retry`, { method: "POST", body });
    // cast: 202 carries the execution row
    const { id } = reply.json as Pick<Execution, "id">;
    onClose();
    if (onStarted !== undefined) onStarted(id);
    else void navigate(runPath(run.kind, id));
  };
  const options: { value: Choice; label: string }[] = [
    ...(draft === undefined ? [] : [{ value: "draft" as const, label: t("This draft, as a test") }]),
    { value: "own", label: t("As it ran: {{versionName}}", { versionName: versionName(run.workflowVersion) }) },
    ...(changed
      ? [{ value: "current" as const, label: t("Version {{currentVersion}}, published now", { currentVersion }) }]
      : []),
  ];
  return (
    <FormDialog
      title={draft === undefined ? t("Retry #{{id}}?", { id: run.id }) : t("Continue #{{id}}?", { id: run.id })}
      submitLabel={draft === undefined ? t("Retry") : t("Continue")}
      failureTitle={t("The run was not retried")}
      submitIcon={<ReplayRounded />}
      maxWidth="xs"
      usable={choice === "own" || shown.report?.compatible === true}
      onSubmit={retry}
      onClose={onClose}
    >
      <Typography color="text.secondary">
        {t("A new run goes on from the step that failed. What had finished is taken over and not done again.")}
      </Typography>
      {options.length > 1 ? (
        <RadioGroup
          aria-label={t("Version of the workflow")}
          value={choice}
          onChange={(_, value) => setChoice(value === "draft" || value === "current" ? value : "own")}
        >
          {options.map(({ value, label }) => (
            <FormControlLabel
              key={value}
              value={value}
              control={<Radio size="small" />}
              disabled={value === "current" && current.report?.compatible !== true}
              label={label}
            />
          ))}
        </RadioGroup>
      ) : null}
      {draft === undefined || steps.length < 2 ? null : (
        <TextField
          select
          size="small"
          label={t("Go on from")}
          value={nodeId}
          onChange={(event) => setNodeId(event.target.value)}
          slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
        >
          <MenuItem value="">{t("The step that failed")}</MenuItem>
          {steps.map((id) => (
            <MenuItem key={id} value={id}>
              {id}
            </MenuItem>
          ))}
        </TextField>
      )}
      <CompatibilityNote report={choice === "own" && changed && draft === undefined ? current.report : shown.report} />
      {shown.failure === undefined ? null : (
        <ErrorPanel error={shown.failure} title={t("It cannot go on with that version")} />
      )}
    </FormDialog>
  );
}

function isStep({ nodeId, item, status }: NodeRun): boolean {
  return item === null && !nodeId.includes(".") && (status === "completed" || status === "failed");
}

interface Checked {
  report?: CompatibilityReport;
  failure?: unknown;
}

const OWN: Checked = {};

/** The revision of the draft once it is saved; -1 until then. */
function useSaved(draft: RetryDialogProps["draft"]): { revision: number; failure: unknown } {
  const [saved, setSaved] = useState<{ revision: number; failure: unknown }>({ revision: -1, failure: null });
  const [flush] = useState(() => draft?.flush);
  useEffect(() => {
    if (flush === undefined) return;
    let wanted = true;
    flush().then(
      (revision) => wanted && setSaved({ revision, failure: null }),
      (failure: unknown) => wanted && setSaved({ revision: -1, failure }),
    );
    return () => {
      wanted = false;
    };
  }, [flush]);
  return saved;
}

/** Whether the run could go on with that version; nothing while that is asked. */
function useCompatibility(path: string, version: "current" | "draft" | null, nodeId: string): Checked {
  const [found, setFound] = useState<Checked & { of: string }>();
  const from = nodeId === "" ? "" : `&nodeId=${encodeURIComponent(nodeId)}`;
  const of = version === null ? null : `${path}/compatibility?version=${version}${from}`;
  useEffect(() => {
    if (of === null) return;
    const gone = new AbortController();
    api(of, { signal: gone.signal }).then(
      // cast: the route answers a compatibility report
      ({ json }) => setFound({ of, report: json as CompatibilityReport }),
      (failure: unknown) => {
        if (!gone.signal.aborted) setFound({ of, failure });
      },
    );
    return () => gone.abort();
  }, [of]);
  return found?.of === of ? (found ?? OWN) : OWN;
}

function CompatibilityNote({ report }: { report: CompatibilityReport | undefined }): ReactElement | null {
  if (report === undefined) return null;
  if (report.problems.length > 0) {
    return (
      <Box role="status" sx={{ fontSize: 13, color: "text.secondary" }}>
        {report.version < 0
          ? t("It cannot go on with this draft:")
          : t("It cannot go on with version {{version}}:", { version: report.version })}
        <Box component="ul" sx={{ m: 0, mt: 0.5, pl: 2.5 }}>
          {report.problems.map(({ stateId, message }) => (
            <li key={`${stateId} ${message}`}>
              {stateId === "" ? "" : `“${stateId}”: `}
              {message}.
            </li>
          ))}
        </Box>
      </Box>
    );
  }
  if (report.changed.length === 0) return null;
  return (
    <Typography variant="body2" color="text.secondary">
      {t("Changed since, and not run again: {{steps}}.", { steps: report.changed.join(", ") })}
    </Typography>
  );
}
