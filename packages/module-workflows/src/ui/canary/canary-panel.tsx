import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import type { CanaryReport, Workflow, WorkflowVersion } from "@oven/contract/workflow";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { useRefresh } from "react-admin";
import { CanaryDialog } from "./canary-dialog.tsx";
import { CanarySides } from "./canary-sides.tsx";

type Canary = NonNullable<CanaryReport["canary"]>;

/** A candidate that takes a part of the new runs, beside the live version; and the button that begins one. */
export function CanaryPanel({
  kind,
  workflow,
  versions,
}: {
  kind: WorkflowKind;
  workflow: Workflow;
  versions: readonly WorkflowVersion[];
}): ReactElement | null {
  const mayPublish = useCan(`${kind.resource}.update`);
  const refresh = useRefresh();
  const [looks, setLooks] = useState(0);
  const [dialog, setDialog] = useState<"begin" | "promote" | null>(null);
  const path = `${kind.resource}/${workflow.id}/canary`;
  const { data } = useAnswer<CanaryReport>(path, looks);
  const canary = data?.canary ?? null;
  const changed = (): void => {
    setLooks((count) => count + 1);
    refresh();
  };
  const dismissal = useAction(async () => {
    await api(path, { method: "DELETE" });
    changed();
  });
  const others = versions.filter(({ version }) => version > 0 && version !== workflow.version);
  const begin =
    mayPublish && data !== undefined ? (
      <Box>
        <Button variant="outlined" color="inherit" size="small" onClick={() => setDialog("begin")}>
          {t("Try a version on a part of the runs")}
        </Button>
        {dialog === "begin" ? (
          <CanaryDialog
            path={path}
            draftPath={`${kind.resource}/${workflow.id}/draft`}
            versions={others}
            onBegun={changed}
            onClose={() => setDialog(null)}
          />
        ) : null}
      </Box>
    ) : null;
  if (canary === null) return begin === null ? null : <Box sx={{ mb: 2 }}>{begin}</Box>;
  if (canary.stopped !== undefined)
    return (
      <Box component="section" aria-label={t("Candidate")} sx={{ mb: 2, display: "grid", gap: 1 }}>
        <Alert
          severity="warning"
          action={
            mayPublish ? (
              <Button color="inherit" size="small" loading={dismissal.busy} onClick={() => void dismissal.run()}>
                {t("Dismiss")}
              </Button>
            ) : null
          }
        >
          {tx("Version {{version}} was stopped by its rule {{time}}: {{why}}", {
            version: canary.version,
            time: <RelativeTime at={canary.stopped.at} />,
            why: canary.stopped.why,
          })}
          <Box sx={{ fontSize: 12.5 }}>{t("All new runs take the live version again.")}</Box>
        </Alert>
        {dismissal.failure === null ? null : (
          <ErrorPanel error={dismissal.failure} title={t("The candidate could not be put away")} />
        )}
        {data?.live && data.candidate ? <CanarySides live={data.live} candidate={data.candidate} /> : null}
        {begin}
      </Box>
    );
  return (
    <Box component="section" aria-label={t("Candidate")} sx={{ mb: 2, display: "grid", gap: 1 }}>
      <Alert
        severity="info"
        action={
          mayPublish ? (
            <Box sx={{ display: "flex", flexWrap: "wrap", gap: 0.5 }}>
              <Button color="inherit" size="small" onClick={() => setDialog("promote")}>
                {t("Promote")}
              </Button>
              <StopButton path={path} onStopped={changed} />
            </Box>
          ) : null
        }
      >
        {toText(canary)}
        {canary.rollback === null || canary.rollback.failurePercent === 100 ? null : (
          <Box sx={{ fontSize: 12.5 }}>
            {t("Stops when more than {{percent}} % of at least {{runs}} runs fail", {
              percent: canary.rollback.failurePercent,
              runs: canary.rollback.minRuns,
            })}
          </Box>
        )}
        {canary.rollback?.score === undefined ? null : (
          <Box sx={{ fontSize: 12.5 }}>
            {t("Stops when the score {{name}} of at least {{samples}} runs is below {{below}}", canary.rollback.score)}
          </Box>
        )}
      </Alert>
      {data?.live && data.candidate ? <CanarySides live={data.live} candidate={data.candidate} /> : null}
      <Typography variant="body2" color="text.secondary">
        {t("Runs that have begun keep their version.")}
      </Typography>
      <ConfirmDialog
        open={dialog === "promote"}
        title={t("Promote version {{version}}?", { version: canary.version })}
        text={t("It is published as the newest version, and all new runs take it.")}
        confirmLabel={t("Promote")}
        onClose={() => setDialog(null)}
        onConfirm={async () => {
          await api(`${path}/promote`, { method: "POST", body: {} });
          changed();
        }}
      />
    </Box>
  );
}

function StopButton({ path, onStopped }: { path: string; onStopped: () => void }): ReactElement {
  const [open, setOpen] = useState(false);
  return (
    <>
      <Button color="inherit" size="small" onClick={() => setOpen(true)}>
        {t("Stop")}
      </Button>
      <ConfirmDialog
        open={open}
        title={t("Stop the candidate?")}
        text={t("All new runs take the live version again.")}
        confirmLabel={t("Stop")}
        onClose={() => setOpen(false)}
        onConfirm={async () => {
          await api(path, { method: "DELETE" });
          onStopped();
        }}
      />
    </>
  );
}

function toText({ version, share, callers }: Canary): string {
  return callers.length > 0
    ? t("Version {{version}} takes the runs of {{callers}}", { version, callers: callers.join(", ") })
    : t("Version {{version}} takes {{share}} % of new runs", { version, share });
}
