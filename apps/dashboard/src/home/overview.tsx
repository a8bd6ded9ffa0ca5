import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import type { Review } from "@oven/contract/review";
import type { ExecutionSummary } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { formatDuration, toElapsed } from "@oven/ui/components/format.ts";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowCard } from "@oven/ui/components/row-card.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useNow } from "@oven/ui/components/use-now.ts";
import { DueTime } from "@oven/workflow-editor/review/due-time.tsx";
import { ExecutionRow } from "@oven/workflow-editor/run/execution-row.tsx";
import type { ReactElement, ReactNode } from "react";
import { useGetList } from "react-admin";
import { Link as RouterLink } from "react-router-dom";
import { DemoCards } from "./demo-cards.tsx";
import { LastDays } from "./last-days.tsx";

const EVERY = { refetchInterval: 5_000 };
const AGENT_WORKFLOWS = "agent-workflow-executions";
const WORKFLOWS = "workflow-executions";
const FIVE = { pagination: { page: 1, perPage: 5 } };

function More({ to, children }: { to: string; children: ReactNode }): ReactElement {
  return (
    <Link component={RouterLink} to={to} sx={{ fontSize: 13 }}>
      {children}
    </Link>
  );
}

function Quiet({ children }: { children: ReactNode }): ReactElement {
  return <Box sx={{ px: 2, py: 2, fontSize: 13.5, color: "text.secondary" }}>{children}</Box>;
}

const withFilter = (path: string, filter: object): string =>
  `${path}?filter=${encodeURIComponent(JSON.stringify(filter))}`;

export function Overview({ recent }: { recent: ExecutionSummary[] }): ReactElement {
  const mayReadRuns = useCan("executions.read");
  return (
    <>
      <Box
        sx={{
          display: "grid",
          gap: 2,
          gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" },
          alignItems: "start",
        }}
      >
        <NeedsYou />
        <RunningNow />
      </Box>
      {mayReadRuns ? <LastDays /> : null}
      <Panel title={t("Recent runs")} flush aside={<More to="/agent-workflow-executions">{t("All executions")}</More>}>
        {recent.map((run) => (
          <ExecutionRow key={run.id} run={run} />
        ))}
      </Panel>
      <Box component="section" aria-labelledby="try-title" sx={{ mt: 1 }}>
        <Box component="h2" id="try-title" sx={{ m: 0, mb: 1.25, fontSize: 15, fontWeight: 650 }}>
          {t("Try a workflow")}
        </Box>
        <DemoCards />
      </Box>
    </>
  );
}

function NeedsYou(): ReactElement {
  const reviews = useGetList<Review>(
    "reviews",
    { ...FIVE, filter: { status: "open" }, sort: { field: "id", order: "ASC" } },
    EVERY,
  );
  const ofAgents = useFailures(AGENT_WORKFLOWS);
  const ofOthers = useFailures(WORKFLOWS);
  const open = reviews.total ?? 0;
  return (
    <Panel
      title={t("Needs you")}
      flush
      aside={
        open > 0 ? <More to="/reviews">{open === 1 ? t("1 review") : t("{{open}} reviews", { open })}</More> : undefined
      }
    >
      {(reviews.data ?? []).map((review) => (
        <RowCard key={review.id} to={`/reviews/${review.id}`} title={review.title}>
          <DueTime at={review.dueAt} />
          <span>
            {review.workflowName} #{review.executionId}
          </span>
          <RelativeTime at={review.createdAt} />
        </RowCard>
      ))}
      <FailedRuns resource={AGENT_WORKFLOWS} failures={ofAgents}>
        {t("Of agent workflows")}
      </FailedRuns>
      <FailedRuns resource={WORKFLOWS} failures={ofOthers}>
        {t("Of workflows without agents")}
      </FailedRuns>
      {reviews.data !== undefined && open === 0 && ofAgents === 0 && ofOthers === 0 ? (
        <Quiet>{t("Nothing. Runs that stop at a review appear here.")}</Quiet>
      ) : null}
    </Panel>
  );
}

function useFailures(resource: string): number {
  const { total = 0 } = useGetList<ExecutionSummary>(
    resource,
    { pagination: { page: 1, perPage: 1 }, filter: { status: "failed" }, sort: { field: "id", order: "DESC" } },
    EVERY,
  );
  return total;
}

function FailedRuns({
  resource,
  failures,
  children,
}: {
  resource: string;
  failures: number;
  children: ReactNode;
}): ReactElement | null {
  if (failures === 0) return null;
  return (
    <RowCard
      to={withFilter(`/${resource}`, { status: "failed" })}
      title={failures === 1 ? t("1 failed run") : t("{{failures}} failed runs", { failures })}
    >
      <span>{children}</span>
      <span>{t("See why they failed")}</span>
    </RowCard>
  );
}

function useRunning(resource: string): { runs: ExecutionSummary[] | undefined; total: number } {
  const { data, total = 0 } = useGetList<ExecutionSummary>(
    resource,
    { ...FIVE, filter: { status: ["running", "pending"] }, sort: { field: "id", order: "ASC" } },
    EVERY,
  );
  return { runs: data, total };
}

function RunningNow(): ReactElement {
  const ofAgents = useRunning(AGENT_WORKFLOWS);
  const ofOthers = useRunning(WORKFLOWS);
  const total = ofAgents.total + ofOthers.total;
  const data =
    ofAgents.runs && [...ofAgents.runs, ...(ofOthers.runs ?? [])].toSorted((one, other) => one.id - other.id);
  const now = useNow(1_000, total > 0);
  const longest = Math.max(0, ...(data ?? []).map((run) => toElapsed(run, now) ?? 0));
  return (
    <Panel
      title={t("Running now")}
      flush
      aside={
        total > 0 ? (
          <Box sx={{ fontSize: 13, color: "text.secondary" }}>
            {t("{{total}}, longest {{duration}}", { total, duration: formatDuration(longest) })}
          </Box>
        ) : undefined
      }
    >
      {(data ?? []).map((run) => (
        <ExecutionRow key={run.id} run={run} dense />
      ))}
      {data !== undefined && total === 0 ? <Quiet>{t("No run is going on.")}</Quiet> : null}
    </Panel>
  );
}
