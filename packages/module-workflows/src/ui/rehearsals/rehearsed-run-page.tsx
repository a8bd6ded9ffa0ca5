import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import type { RehearsedRun, RehearsedSides } from "@oven/contract/run";
import type { Workflow } from "@oven/contract/workflow";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { runPath, type WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import {
  nameOfEnd,
  toSpendingText,
  toVerdictText,
  VERDICT_WORDS,
} from "@oven/workflow-editor/screen/past-runs-words.ts";
import { type ReactElement, useState } from "react";
import { Link as RouterLink, useParams } from "react-router-dom";
import { StepPairs } from "./step-pairs.tsx";

const TONES = { same: "completed", outcome: "failed", calls: "paused", path: "paused", unknown: "stopped" } as const;

/** A past run beside what it comes to on the draft, step by step. */
export function RehearsedRunPage({ kind }: { kind: WorkflowKind }): ReactElement {
  const { id = "", executionId = "" } = useParams();
  const path = `${kind.resource}/${encodeURIComponent(id)}/rehearse/${encodeURIComponent(executionId)}`;
  const workflow = useRecord<Workflow>(kind.resource, id);
  const [ask] = useState(
    () =>
      async (asked: string, signal: AbortSignal): Promise<unknown> =>
        (await api(asked, { method: "POST", body: {}, signal })).json,
  );
  const { data, error } = useAnswer<RehearsedSides>(path, undefined, ask);
  const [seen, setSeen] = useState<RehearsedSides | null>(null);
  const sides = seen ?? data;
  const see = useAction(async () => {
    if (sides === undefined || sides.draftRevision === null) return;
    const body = { draftRevision: sides.draftRevision, digest: sides.run.digest };
    const { json } = await api(`${path}/seen`, { method: "POST", body });
    setSeen(json as RehearsedSides); // cast: the shape of the route
  });
  return (
    <>
      <PageHeader
        title={t("Run {{id}} on the draft", { id: executionId })}
        parent={{ to: `/${kind.resource}/${id}/editor`, label: workflow.data?.name ?? t("Workflow") }}
        badges={
          sides === undefined ? null : (
            <ToneChip tone={TONES[sides.run.verdict]} word={VERDICT_WORDS[sides.run.verdict]} />
          )
        }
        line={
          <Link component={RouterLink} to={runPath(kind.kind, Number(executionId))}>
            {t("The recorded run")}
          </Link>
        }
      />
      {error ? <ErrorPanel error={error} title={t("The run could not be gone through")} /> : null}
      {sides !== undefined ? (
        <Box sx={{ display: "grid", gap: 2, gridTemplateColumns: "minmax(0, 1fr)" }}>
          <Outcome sides={sides} />
          <StepPairs pairs={sides.pairs} more={sides.more} />
          <Looked sides={sides} busy={see.busy} onLooked={() => void see.run()} />
          {see.failure === null ? null : <ErrorPanel error={see.failure} title={t("That was not noted")} />}
        </Box>
      ) : error ? null : (
        <Skeleton variant="rounded" height={360} />
      )}
    </>
  );
}

function Outcome({ sides: { run, ends } }: { sides: RehearsedSides }): ReactElement {
  const spending = toSpendingText(run);
  return (
    <Panel title={t("How it ends")}>
      <Box
        sx={{ display: "grid", gap: 2, gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" } }}
      >
        <End title={t("As recorded")} end={ends.was} />
        <End title={t("On the draft")} end={ends.is} />
      </Box>
      <Box sx={{ mt: 1.5, fontSize: 13.5, color: "text.secondary" }}>
        {run.verdict === "same" ? t("Nothing differs that counts.") : toVerdictText(run)}
        {spending === null ? null : ` · ${spending}`}
      </Box>
    </Panel>
  );
}

function End({ title, end }: { title: string; end: NonNullable<RehearsedRun["end"]>["was"] }): ReactElement {
  return (
    <Box sx={{ minWidth: 0 }}>
      <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{title}</Box>
      <Box sx={{ fontWeight: 600, overflowWrap: "anywhere" }}>{end === null ? t("not known") : nameOfEnd(end)}</Box>
      {end === null || end.output === "null" ? null : (
        <Box sx={{ fontSize: 13, overflowWrap: "anywhere", whiteSpace: "pre-wrap" }}>{end.output}</Box>
      )}
    </Box>
  );
}

/** Who has looked at the difference, and the button for the person who just did. */
function Looked({
  sides: { run, seenBy, draftRevision },
  busy,
  onLooked,
}: {
  sides: RehearsedSides;
  busy: boolean;
  onLooked: () => void;
}): ReactElement | null {
  if (run.verdict === "same") return null;
  return (
    <Box sx={{ display: "grid", gap: 1, justifyItems: "start" }}>
      {seenBy.map(({ userId, userName, at, draftRevision: revision }) => (
        <Alert key={userId} severity="success" sx={{ width: "100%" }}>
          {tx("{{user}} has looked at this, {{time}}, at revision {{revision}} of the draft.", {
            user: userName ?? t("User {{id}}", { id: userId }),
            time: <RelativeTime at={at} />,
            revision,
          })}
        </Alert>
      ))}
      {draftRevision === null ? (
        <Box sx={{ fontSize: 13, color: "text.secondary" }}>
          {t("There is no draft: what is compared is the published version.")}
        </Box>
      ) : (
        <Button variant="contained" loading={busy} onClick={onLooked}>
          {t("I have looked at this")}
        </Button>
      )}
    </Box>
  );
}
