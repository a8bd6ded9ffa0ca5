import ExpandMoreRounded from "@mui/icons-material/ExpandMoreRounded";
import ReplayRounded from "@mui/icons-material/ReplayRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import type { Execution, FailureGroup } from "@oven/contract/run";
import { t, tx } from "@oven/i18n";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { kindOf, runPath, workflowPath } from "@oven/ui/components/workflow-kind.ts";
import { useUiModules } from "@oven/ui/ui-module.ts";
import { type ReactElement, Suspense, useState } from "react";
import { Link as RouterLink } from "react-router-dom";
import { RetryReport } from "./retry-report.tsx";
import { useRetryAll } from "./use-retry-all.ts";

/** Runs that failed in the same way, and what can be done about them. */
export function FailureCard({ group, onChange }: { group: FailureGroup; onChange: () => void }): ReactElement {
  const { workflow, code, nodeId, message, runs, open, newest, firstAt, lastAt, versions } = group;
  const [isOpen, setOpen] = useState(false);
  const [asking, setAsking] = useState(false);
  const mayRun = useCan(`${kindOf(workflow.kind).resource}.execute`);
  const { state, start, stop } = useRetryAll(group, onChange);
  const actions = useUiModules().flatMap(({ failureAction }) => (failureAction === undefined ? [] : [failureAction]));
  return (
    <Panel>
      <Box
        component="article"
        aria-label={t("{{count}} failures of {{name}}: {{code}}", { count: runs, name: workflow.name, code })}
        sx={{ display: "grid", gap: 1, minWidth: 0 }}
      >
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "baseline", columnGap: 1.5, rowGap: 0.25 }}>
          <Box sx={{ fontSize: 20, fontWeight: 650, fontVariantNumeric: "tabular-nums" }}>{runs}</Box>
          <Link component={RouterLink} to={workflowPath(workflow.kind, workflow.id)} sx={{ fontWeight: 600 }}>
            {workflow.name}
          </Link>
          {nodeId === null ? null : <span>{tx("at {{step}}", { step: <code>{nodeId}</code> })}</span>}
          <code>{code}</code>
        </Box>
        <Box sx={{ overflowWrap: "anywhere" }}>{message}</Box>
        <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 1.5, fontSize: 13, color: "text.secondary" }}>
          <span>{tx("first {{time}}", { time: <RelativeTime at={firstAt} /> })}</span>
          <span>{tx("last {{time}}", { time: <RelativeTime at={lastAt} /> })}</span>
          <span>{t("versions {{versions}}", { versions: versions.map((version) => `v${version}`).join(", ") })}</span>
          <span>{t("{{count}} not tried again", { count: open.length })}</span>
        </Box>
        <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1 }}>
          <Button size="small" component={RouterLink} to={runPath(workflow.kind, newest.id)}>
            {t("The newest run")}
          </Button>
          {open.length === 0 || !mayRun ? null : (
            <Button
              size="small"
              variant="outlined"
              startIcon={<ReplayRounded />}
              loading={state?.going === true}
              onClick={() => setAsking(true)}
            >
              {t("Retry all on the current version")}
            </Button>
          )}
          {actions.map((Action, index) => (
            <Suspense key={index}>
              <Action group={group} />
            </Suspense>
          ))}
          <Button
            size="small"
            endIcon={<ExpandMoreRounded sx={{ transform: isOpen ? "rotate(180deg)" : "none" }} />}
            aria-expanded={isOpen}
            onClick={() => setOpen(!isOpen)}
          >
            {t("More")}
          </Button>
        </Box>
        {state === null ? null : <RetryReport kind={workflow.kind} state={state} onStop={stop} />}
        {isOpen ? <Newest group={group} /> : null}
      </Box>
      <ConfirmDialog
        open={asking}
        title={t("Try {{count}} runs of {{name}} again?", { count: open.length, name: workflow.name })}
        text={t(
          "Each goes on in a new run on version {{version}}, from the step that failed; what had finished is not done again.",
          { version: workflow.version },
        )}
        confirmLabel={t("Retry all")}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          // It goes on while the dialog is gone.
          void start();
        }}
      />
    </Panel>
  );
}

/** The newest run as it failed, with what modules offer about runs, such as making a case of it. */
function Newest({ group: { workflow, newest } }: { group: FailureGroup }): ReactElement {
  const actions = useUiModules().flatMap(({ runAction }) => (runAction === undefined ? [] : [runAction]));
  const { data: run, error } = useAnswer<Execution>(`${kindOf(workflow.kind).executionResource}/${newest.id}`);
  return (
    <Box sx={{ display: "grid", gap: 1, minWidth: 0 }}>
      <Box sx={{ fontSize: 13, color: "text.secondary", overflowWrap: "anywhere" }}>
        {t("Run #{{id}} said: {{message}}", { id: newest.id, message: newest.message })}
      </Box>
      {error ? (
        <ErrorPanel error={error} title={t("This execution could not be loaded")} />
      ) : run === undefined ? (
        <Skeleton width={160} height={32} />
      ) : (
        <Box sx={{ display: "flex", flexWrap: "wrap", gap: 1 }}>
          {actions.map((Action, index) => (
            <Suspense key={index}>
              <Action run={run} />
            </Suspense>
          ))}
        </Box>
      )}
    </Box>
  );
}
