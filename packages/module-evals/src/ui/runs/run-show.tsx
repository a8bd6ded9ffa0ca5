import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import StopRounded from "@mui/icons-material/StopRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import LinearProgress from "@mui/material/LinearProgress";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import type { EvalDataset, EvalResult, EvalRun } from "@oven/contract/eval";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { formatDuration, formatMoney } from "@oven/ui/components/format.ts";
import { FilterChips, ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowList } from "@oven/ui/components/row-item.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useState } from "react";
import { ListContextProvider, useDataProvider, useGetOne, useListController } from "react-admin";
import { Link as RouterLink, useNavigate, useParams } from "react-router-dom";
import { useTarget } from "../datasets/use-target.ts";
import { ResultRow } from "./result-row.tsx";
import { formatRate, isOpen, RunResultChip } from "./run-words.tsx";

const EVERY_MS = 1_500;

/** One evaluation: how far it is, and how each case went; live while it goes on. */
export function EvalRunShow(): ReactElement {
  const { id = "" } = useParams();
  const { data, error, refetch } = useGetOne<EvalRun>(
    "eval-runs",
    { id: Number(id) },
    {
      retry: false,
      refetchInterval: ({ state }) => (state.data !== undefined && isOpen(state.data) ? EVERY_MS : false),
    },
  );
  const parent = { to: "/eval-datasets", label: t("Evals") };
  if (error)
    return (
      <>
        <PageHeader title={t("Evaluation {{id}}", { id })} parent={parent} />
        <ErrorPanel error={error} title={t("This evaluation could not be loaded")} onRetry={() => void refetch()} />
      </>
    );
  if (data === undefined)
    return (
      <Box role="status" aria-label={t("Loading the evaluation")}>
        <Skeleton width={280} height={40} />
        <Skeleton variant="rounded" height={320} sx={{ mt: 2 }} />
      </Box>
    );
  return <LoadedRun run={data} onChange={() => void refetch()} />;
}

function LoadedRun({ run, onChange }: { run: EvalRun; onChange: () => void }): ReactElement {
  const { data: dataset } = useGetOne<EvalDataset>("eval-datasets", { id: run.datasetId });
  const target = useTarget(run.target);
  const [deleting, setDeleting] = useState(false);
  const [mayRun, mayDelete] = [useCan("evals.run"), useCan("evals.delete")];
  const dataProvider = useDataProvider();
  const navigate = useNavigate();
  const cancelling = useAction(async () => {
    await api(`eval-runs/${run.id}/cancel`, { method: "POST", body: {} });
    onChange();
  });
  const ended = run.passed + run.failed + run.errors;
  const toDataset = `/eval-datasets/${run.datasetId}/show`;
  return (
    <>
      <PageHeader
        title={t("Evaluation {{id}}", { id: run.id })}
        parent={{ to: `${toDataset}?tab=runs`, label: dataset?.name ?? t("Dataset {{id}}", { id: run.datasetId }) }}
        badges={<RunResultChip run={run} />}
        line={
          <>
            <Link component={RouterLink} to={target.path}>
              {target.name}
            </Link>
            <span>{t("version {{version}}", { version: run.target.version })}</span>
            <span>{t("pass rate {{rate}}", { rate: formatRate(run.passRate) })}</span>
            <span>{formatMoney(run.costMicros)}</span>
            {run.durationMs === null ? null : <span>{formatDuration(run.durationMs)}</span>}
            <RelativeTime at={run.createdAt} />
          </>
        }
        actions={
          <>
            {mayDelete && !isOpen(run) ? (
              <IconButton aria-label={t("Delete evaluation {{id}}", { id: run.id })} onClick={() => setDeleting(true)}>
                <DeleteOutlineRounded />
              </IconButton>
            ) : null}
            {mayRun && isOpen(run) ? (
              <Button
                variant="outlined"
                startIcon={<StopRounded />}
                loading={cancelling.busy}
                onClick={() => void cancelling.run()}
              >
                {t("Cancel")}
              </Button>
            ) : null}
          </>
        }
      />
      {cancelling.failure === null ? null : (
        <ErrorPanel error={cancelling.failure} title={t("The evaluation was not cancelled")} />
      )}
      {isOpen(run) ? (
        <Box sx={{ mb: 2 }}>
          <Box role="status" sx={{ mb: 0.5, fontSize: 13, color: "text.secondary" }}>
            {t("{{ended}} of {{cases}} cases have ended", { ended, cases: run.cases })}
          </Box>
          <LinearProgress
            variant="determinate"
            value={run.cases === 0 ? 0 : (ended / run.cases) * 100}
            aria-label={t("Progress of the evaluation")}
          />
        </Box>
      ) : null}
      <Results run={run} />
      <ConfirmDialog
        open={deleting}
        title={t("Delete evaluation {{id}}?", { id: run.id })}
        text={t("Its results go with it. The runs that it made stay.")}
        confirmLabel={t("Delete")}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          await dataProvider.delete("eval-runs", { id: run.id, previousData: run });
          void navigate(toDataset);
        }}
      />
    </>
  );
}

const STATES = [
  { label: t("Failed"), value: ["failed", "error"] },
  { label: t("Passed"), value: "passed" },
];

function Results({ run }: { run: EvalRun }): ReactElement {
  const list = useListController<EvalResult>({
    resource: `eval-runs/${run.id}/results`,
    sort: { field: "position", order: "ASC" },
    perPage: 50,
    disableSyncWithLocation: true,
    storeKey: `eval-results.${run.id}`,
    queryOptions: { refetchInterval: isOpen(run) ? EVERY_MS : false },
  });
  return (
    <ListContextProvider value={list}>
      <ListBody
        noun={t("results")}
        filters={
          <>
            <SearchField label={t("Search cases")} />
            <FilterChips field="status" label={t("Result")} choices={STATES} />
          </>
        }
        empty={<EmptyState icon={<StopRounded />} title={t("No cases")} text={t("Its dataset had no cases to run.")} />}
      >
        <RowList label={t("Results")}>
          {(list.data ?? []).map((result) => (
            <ResultRow key={result.id} result={result} />
          ))}
        </RowList>
      </ListBody>
    </ListContextProvider>
  );
}
