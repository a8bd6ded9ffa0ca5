import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import Link from "@mui/material/Link";
import Typography from "@mui/material/Typography";
import type { JsonObject } from "@oven/contract";
import type { Rehearsal, RehearsedRun, UnknownReason } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { runPath, type WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useEffect, useRef, useState } from "react";

/** Runs of one request: an answer every second or so. */
const AT_ONCE = 25;
const MOST = 200;
const SHOWN = 10;

type Counts = Rehearsal["counts"];
const NONE: Counts = { same: 0, outcome: 0, calls: 0, path: 0, unknown: 0, skipped: 0 };

const REASONS: Record<UnknownReason, string> = {
  "new-call": t("no recorded call is like this one"),
  "no-answer": t("the recorded call was never answered"),
  "other-review": t("people would have been shown something else"),
  "no-decision": t("this review was not decided"),
  "no-event": t("what it waits for did not come"),
  "too-large": t("its output is too large to be computed here"),
  "too-long": t("it takes too many steps"),
};

/** Goes through past runs on what is on the canvas: how many come out the same, and which do not. */
export function PastRunsTrial({
  kind,
  workflowId,
  definition,
}: {
  kind: WorkflowKind;
  workflowId: number;
  definition: JsonObject;
}): ReactElement {
  const [counts, setCounts] = useState<Counts | null>(null);
  const [different, setDifferent] = useState<readonly RehearsedRun[]>([]);
  const stop = useRef<AbortController | null>(null);
  useEffect(() => () => stop.current?.abort(), []);
  const { run, busy, failure } = useAction(async () => {
    const controller = new AbortController();
    stop.current = controller;
    setDifferent([]);
    let [sum, before]: [Counts, number | undefined] = [NONE, undefined];
    setCounts(sum);
    while (total(sum) < MOST && !controller.signal.aborted) {
      const body = { definition, limit: AT_ONCE, ...(before === undefined ? {} : { before }) };
      const path = `${kind.resource}/${workflowId}/rehearse`;
      const { json } = await api(path, { method: "POST", body, signal: controller.signal });
      const answer = json as Rehearsal; // cast: the shape of the route
      sum = add(sum, answer.counts);
      setCounts(sum);
      setDifferent((known) => [...known, ...answer.runs.filter(({ verdict }) => verdict !== "same")]);
      if (answer.next === null) break;
      before = answer.next;
    }
  });
  return (
    <Box component="section" aria-label={t("Past runs")} sx={{ display: "grid", gap: 1 }}>
      <Box sx={{ display: "flex", alignItems: "center", justifyContent: "space-between", gap: 1 }}>
        <Typography variant="h3">{t("Past runs")}</Typography>
        {busy ? (
          <Button size="small" onClick={() => stop.current?.abort()}>
            {t("Stop")}
          </Button>
        ) : (
          <Button size="small" variant="outlined" color="inherit" onClick={() => void run()}>
            {counts === null ? t("Try on past runs") : t("Try again")}
          </Button>
        )}
      </Box>
      {counts === null ? (
        <Typography variant="body2" color="text.secondary">
          {t("What recorded runs would come to on this version. Nothing outside is called.")}
        </Typography>
      ) : null}
      {busy ? <LinearProgress aria-label={t("Going through past runs")} /> : null}
      {counts === null ? null : <Summary counts={counts} busy={busy} />}
      <Box component="ul" sx={{ m: 0, pl: 2.5, display: "grid", gap: 0.5 }}>
        {different.slice(0, SHOWN).map((one) => (
          <Typography key={one.executionId} component="li" variant="body2">
            <Link href={runPath(kind.kind, one.executionId)} target="_blank" rel="noopener" underline="always">
              {t("Run {{id}}", { id: one.executionId })}
            </Link>
            {": "}
            {toText(one)}
          </Typography>
        ))}
      </Box>
      {different.length > SHOWN ? (
        <Typography variant="body2" color="text.secondary">
          {t("{{count}} more differ", { count: different.length - SHOWN })}
        </Typography>
      ) : null}
      {failure === null || stop.current?.signal.aborted === true ? null : (
        <ErrorPanel error={failure} title={t("The past runs could not be gone through")} />
      )}
    </Box>
  );
}

function Summary({ counts, busy }: { counts: Counts; busy: boolean }): ReactElement {
  const all = total(counts);
  const { same, outcome, calls, path, unknown, skipped } = counts;
  const parts = [
    t("{{count}} of {{all}} come out the same", { count: same, all: all - skipped }),
    outcome > 0 ? t("{{count}} end differently", { count: outcome }) : null,
    calls > 0 ? t("{{count}} make other calls", { count: calls }) : null,
    path > 0 ? t("{{count}} take other steps only", { count: path }) : null,
    unknown > 0 ? t("{{count}} cannot be known", { count: unknown }) : null,
    skipped > 0 ? t("{{count}} have no recording", { count: skipped }) : null,
  ].filter((part) => part !== null);
  return (
    <Typography variant="body2" role="status">
      {all === 0 && !busy ? t("There are no ended runs yet.") : parts.join(" · ")}
    </Typography>
  );
}

function toText({ verdict, unknown, end, calls, steps }: RehearsedRun): string {
  if (unknown !== null) {
    const reason = REASONS[unknown.reason];
    return unknown.nodeId === null ? reason : t("{{step}}: {{reason}}", { step: unknown.nodeId, reason });
  }
  if (end !== null) {
    const [was, is] = [nameOf(end.was), nameOf(end.is)];
    return was === is ? t("ends with another output") : t("ended as {{was}}, would end as {{is}}", { was, is });
  }
  if (verdict === "calls") {
    const names = [...new Set([...calls.added, ...calls.missing].map(({ nodeId }) => nodeId))].join(", ");
    return t("other calls at {{steps}}", { steps: names });
  }
  const names = [...new Set([...steps.added, ...steps.missing].map((step) => step.split(" ")[0]))].join(", ");
  return t("other steps: {{steps}}", { steps: names });
}

type End = NonNullable<RehearsedRun["end"]>["was"];

function nameOf(end: End): string {
  if (end === null) return t("open");
  return end.outcome ?? end.error ?? end.status;
}

function total({ same, outcome, calls, path, unknown, skipped }: Counts): number {
  return same + outcome + calls + path + unknown + skipped;
}

function add(one: Counts, other: Counts): Counts {
  return {
    same: one.same + other.same,
    outcome: one.outcome + other.outcome,
    calls: one.calls + other.calls,
    path: one.path + other.path,
    unknown: one.unknown + other.unknown,
    skipped: one.skipped + other.skipped,
  };
}
