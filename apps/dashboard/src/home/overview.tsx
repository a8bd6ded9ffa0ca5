import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import type { Review } from "@oven/contract/review";
import type { ExecutionSummary } from "@oven/contract/run";
import { t } from "@oven/i18n";
import type { JointRow } from "@oven/ui/api/joint-list.ts";
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
import { ALL_RUNS } from "./all-runs.ts";
import { DemoCards } from "./demo-cards.tsx";
import { LastDays } from "./last-days.tsx";

const EVERY = { refetchInterval: 5_000 };
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
  const { total: failures = 0 } = useGetList<JointRow<ExecutionSummary>>(
    ALL_RUNS,
    { pagination: { page: 1, perPage: 1 }, filter: { status: "failed" }, sort: { field: "id", order: "DESC" } },
    EVERY,
  );
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
      {failures === 0 ? null : (
        <RowCard
          to={withFilter("/agent-workflow-executions", { status: "failed" })}
          title={failures === 1 ? t("1 failed run") : t("{{failures}} failed runs", { failures })}
        >
          <span>{t("See why they failed")}</span>
        </RowCard>
      )}
      {reviews.data !== undefined && open === 0 && failures === 0 ? (
        <Quiet>{t("Nothing. Runs that stop at a review appear here.")}</Quiet>
      ) : null}
    </Panel>
  );
}

function RunningNow(): ReactElement {
  const { data: rows, total = 0 } = useGetList<JointRow<ExecutionSummary>>(
    ALL_RUNS,
    { ...FIVE, filter: { status: ["running", "pending"] }, sort: { field: "id", order: "ASC" } },
    EVERY,
  );
  const data = rows?.map(({ row }) => row);
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
