import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import type { ExecutionSummary } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { ModelNotice } from "@oven/module-ai/ui/ai/model-notice.tsx";
import type { JointRow } from "@oven/ui/api/joint-list.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import type { ReactElement } from "react";
import { useGetList } from "react-admin";
import { ALL_RUNS } from "./all-runs.ts";
import { DemoCards } from "./demo-cards.tsx";
import { DescribeBox } from "./describe-box.tsx";
import { Overview } from "./overview.tsx";

const RECENT = { pagination: { page: 1, perPage: 8 }, sort: { field: "id", order: "DESC" as const } };

/** First visit: something to run at once. Afterwards: what needs you, what runs, what ran. */
export function HomePage(): ReactElement {
  const { data, total, error, refetch } = useGetList<JointRow<ExecutionSummary>>(ALL_RUNS, RECENT, {
    refetchInterval: 5_000,
  });
  const first = total === 0;
  return (
    <>
      <PageHeader
        title={first ? t("Welcome to OVEN") : t("Home")}
        line={first ? t("Run one of these and watch it, step by step, until it asks for your decision.") : undefined}
      />
      <Box sx={{ display: "grid", gap: 2 }}>
        {error ? (
          <ErrorPanel error={error} title={t("The latest runs could not be loaded")} onRetry={() => void refetch()} />
        ) : null}
        <DescribeBox />
        {data === undefined ? (
          <Skeleton variant="rounded" height={220} aria-label={t("Loading")} />
        ) : first ? (
          <DemoCards />
        ) : (
          <Overview recent={data.map(({ row }) => row)} />
        )}
        <ModelNotice />
      </Box>
    </>
  );
}
