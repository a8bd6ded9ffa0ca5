import ReplayRounded from "@mui/icons-material/ReplayRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import FormControlLabel from "@mui/material/FormControlLabel";
import Radio from "@mui/material/Radio";
import RadioGroup from "@mui/material/RadioGroup";
import Typography from "@mui/material/Typography";
import type { CompatibilityReport, Execution } from "@oven/contract";
import { type FormEvent, type ReactElement, useEffect, useState } from "react";
import { useNavigate } from "react-router-dom";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { useAction } from "../../components/use-action.ts";
import { api } from "../../providers/api-client.ts";
import { kindOf, runPath } from "../workflows/workflow-kind.ts";
import { versionName } from "./use-pinned-definition.ts";

export interface RetryDialogProps {
  run: Execution;
  /** The version that is published now. */
  currentVersion: number;
  onClose: () => void;
  /** Instead of going to the new run. */
  onStarted?: (id: number) => void;
}

/** Goes on from where the run failed, as a new run: with its own version, or with the one that is published now. */
export function RetryDialog({ run, currentVersion, onClose, onStarted }: RetryDialogProps): ReactElement {
  const changed = currentVersion !== run.workflowVersion;
  const [version, setVersion] = useState<"own" | "current">("own");
  const navigate = useNavigate();
  const path = `${kindOf(run.kind).executionResource}/${run.id}`;
  const report = useCompatibility(path, changed);
  const {
    busy,
    failure,
    run: retry,
  } = useAction(async () => {
    const body = version === "current" ? { version: "current" } : {};
    const reply = await api(`${path}/retry`, { method: "POST", body });
    // cast: 202 carries the execution row
    const { id } = reply.json as Pick<Execution, "id">;
    onClose();
    if (onStarted !== undefined) onStarted(id);
    else void navigate(runPath(run.kind, id));
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    void retry();
  };
  return (
    <Dialog open onClose={onClose} maxWidth="xs" fullWidth aria-labelledby="retry-title">
      <Box component="form" onSubmit={onSubmit}>
        <DialogTitle id="retry-title" sx={{ fontSize: 16, pb: 0.5 }}>
          Retry #{run.id}?
        </DialogTitle>
        <DialogContent sx={{ display: "grid", gap: 1.5 }}>
          <Typography color="text.secondary">
            A new run goes on from the step that failed. What had finished is taken over and not done again.
          </Typography>
          {changed ? (
            <RadioGroup
              aria-label="Version of the workflow"
              value={version}
              onChange={(_, value) => setVersion(value === "current" ? "current" : "own")}
            >
              <FormControlLabel
                value="own"
                control={<Radio size="small" />}
                label={`As it ran: ${versionName(run.workflowVersion)}`}
              />
              <FormControlLabel
                value="current"
                control={<Radio size="small" />}
                disabled={report?.compatible !== true}
                label={`Version ${currentVersion}, published now`}
              />
              <CompatibilityNote report={report} />
            </RadioGroup>
          ) : null}
          {failure === null ? null : <ErrorPanel error={failure} title="The run was not retried" />}
        </DialogContent>
        <DialogActions sx={{ px: 3, pb: 2.5 }}>
          <Button onClick={onClose}>Close</Button>
          <Button type="submit" variant="contained" startIcon={<ReplayRounded />} loading={busy}>
            Retry
          </Button>
        </DialogActions>
      </Box>
    </Dialog>
  );
}

/** Whether the run could go on with the version that is published now; undefined while that is asked. */
function useCompatibility(path: string, wanted: boolean): CompatibilityReport | undefined {
  const [report, setReport] = useState<CompatibilityReport>();
  useEffect(() => {
    if (!wanted) return;
    const gone = new AbortController();
    api(`${path}/compatibility`, { signal: gone.signal }).then(
      // cast: the route answers a compatibility report
      ({ json }) => setReport(json as CompatibilityReport),
      (error: unknown) => {
        if (gone.signal.aborted) return;
        const message = error instanceof Error ? error.message : "it could not be checked";
        setReport({
          version: 1,
          checkpoint: null,
          compatible: false,
          problems: [{ stateId: "", message }],
          changed: [],
        });
      },
    );
    return () => gone.abort();
  }, [path, wanted]);
  return report;
}

function CompatibilityNote({ report }: { report: CompatibilityReport | undefined }): ReactElement | null {
  if (report === undefined) return null;
  const [problem] = report.problems;
  if (problem) {
    return (
      <Typography variant="body2" color="text.secondary">
        It cannot go on with that version: {problem.stateId === "" ? "" : `“${problem.stateId}”: `}
        {problem.message}.
      </Typography>
    );
  }
  if (report.changed.length === 0) return null;
  return (
    <Typography variant="body2" color="text.secondary">
      Changed since, and not run again: {report.changed.join(", ")}.
    </Typography>
  );
}
