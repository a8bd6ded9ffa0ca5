import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import type { Repair } from "@oven/contract/workflow";
import { t, tx } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FieldDiff } from "@oven/ui/components/field-diff.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { StatusChip, ToneChip } from "@oven/ui/components/status-chip.tsx";
import { TextView } from "@oven/ui/components/text-view.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useNodeTypes } from "@oven/ui/components/use-node-types.ts";
import { useNow } from "@oven/ui/components/use-now.ts";
import { runPath, workflowPath } from "@oven/ui/components/workflow-kind.ts";
import { LazyWorkflowGraph } from "@oven/workflow-editor/lazy-workflow-graph";
import { type ReactElement, useEffect, useState } from "react";
import { Link as RouterLink, useParams } from "react-router-dom";
import { EvidenceView, RunLink } from "./repair-evidence.tsx";
import { STATUS_TONES, statusWord } from "./repair-look.ts";

/** A repair that is under way is read again so often. */
const RENEWED_MS = 5_000;

/** A repair: what failed, what is to change, and what was found of it. */
export function RepairPage(): ReactElement {
  const { executionId = "" } = useParams();
  const [isOpen, setOpen] = useState(true);
  const again = useNow(RENEWED_MS, isOpen);
  const { data: repair, error } = useAnswer<Repair>(`builder/repairs/${encodeURIComponent(executionId)}`, again);
  const status = repair?.status;
  useEffect(() => setOpen(status === undefined || status === "working" || status === "asked"), [status]);
  return (
    <>
      <PageHeader
        title={
          repair === undefined
            ? t("Repair #{{id}}", { id: executionId })
            : t("Repair of {{name}}", { name: repair.workflowName })
        }
        parent={{ to: runPath("agent-workflow", Number(executionId)), label: t("Run #{{id}}", { id: executionId }) }}
        badges={
          repair === undefined ? null : <ToneChip tone={STATUS_TONES[repair.status]} word={statusWord(repair.status)} />
        }
        line={repair === undefined ? null : <Facts repair={repair} />}
        actions={
          repair?.status === "asked" && repair.reviewId !== null ? (
            <Button variant="contained" component={RouterLink} to={`/reviews/${repair.reviewId}`}>
              {t("Open the review")}
            </Button>
          ) : null
        }
      />
      {error ? <ErrorPanel error={error} title={t("The repair could not be loaded")} /> : null}
      {repair === undefined ? error ? null : <Skeleton variant="rounded" height={360} /> : <Parts repair={repair} />}
    </>
  );
}

function Facts({ repair }: { repair: Repair }): ReactElement {
  const { workflowId, baseVersion, automatic } = repair;
  return (
    <>
      <span>{t("of version {{version}}", { version: baseVersion })}</span>
      <span>{automatic ? t("begun by the workflow's rule") : t("begun by a person")}</span>
      <Link component={RouterLink} to={workflowPath("agent-workflow", workflowId)}>
        {t("Open the workflow")}
      </Link>
    </>
  );
}

function Parts({ repair }: { repair: Repair }): ReactElement {
  const { evidence, explanation, reason, status, retried, publishedVersion } = repair;
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      {reason === null || status === "applied" || status === "unproved" ? null : (
        <Alert severity="info">{reason}</Alert>
      )}
      {publishedVersion === null ? null : (
        <Panel title={t("Published as version {{version}}", { version: publishedVersion })}>
          <Retried retried={retried} />
        </Panel>
      )}
      <Panel title={t("What failed")}>
        <Failure repair={repair} />
      </Panel>
      <Change repair={repair} />
      {explanation === null || explanation === "" ? null : (
        <Panel title={t("What the assistant says")}>
          <TextView text={explanation} />
        </Panel>
      )}
      {evidence === null ? null : (
        <Panel title={t("What was found of it")}>
          <EvidenceView evidence={evidence} />
        </Panel>
      )}
    </Box>
  );
}

function Failure({ repair: { failure, runIds } }: { repair: Repair }): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 0.75, overflowWrap: "anywhere" }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 1.25 }}>
        <code>{failure.code}</code>
        {failure.nodeId === null ? null : (
          <span>{tx("in the step {{step}}", { step: <code>{failure.nodeId}</code> })}</span>
        )}
      </Box>
      <div>{failure.message}</div>
      <Box sx={{ display: "flex", flexWrap: "wrap", columnGap: 1.25 }}>
        {runIds.map((id) => (
          <RunLink key={id} id={id} />
        ))}
      </Box>
    </Box>
  );
}

/** The change in one picture, and field by field below. */
function Change({ repair: { before, after, changes, status } }: { repair: Repair }): ReactElement {
  const nodeTypes = useNodeTypes();
  if (after === null || changes === null)
    return (
      <Panel title={t("The change")}>
        {status === "working" ? t("It is shown once it is proved.") : t("No change was proved, so none is shown.")}
      </Panel>
    );
  return (
    <Panel title={t("The change")} flush>
      <Box sx={{ height: 340, borderBottom: 1, borderColor: "divider" }}>
        <LazyWorkflowGraph
          definition={after}
          comparedWith={before}
          nodeTypes={nodeTypes}
          label={t("The workflow with the change")}
        />
      </Box>
      <FieldDiff comparison={changes} />
    </Panel>
  );
}

function Retried({ retried }: { retried: Repair["retried"] }): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 0.5 }}>
      {retried.map(({ id, as, status, reason }) => (
        <Box key={id} sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 1.25 }}>
          <RunLink id={id} />
          <span>{as === null ? t("was not tried again") : t("was tried again as")}</span>
          {as === null ? null : <RunLink id={as} />}
          {status === null ? null : <StatusChip status={status} />}
          {reason === null ? null : <span>{reason}</span>}
        </Box>
      ))}
    </Box>
  );
}
