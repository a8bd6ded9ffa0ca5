import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import EditOutlined from "@mui/icons-material/EditOutlined";
import PlayArrowRounded from "@mui/icons-material/PlayArrowRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import IconButton from "@mui/material/IconButton";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import type { EvalDataset } from "@oven/contract/eval";
import { t, tx } from "@oven/i18n";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { TabBar } from "@oven/ui/components/tab-bar.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { type ReactElement, useState } from "react";
import { useDataProvider } from "react-admin";
import { Link as RouterLink, useNavigate, useParams } from "react-router-dom";
import { CaseList } from "../cases/case-list.tsx";
import { RunDialog } from "../runs/run-dialog.tsx";
import { RunList } from "../runs/run-list.tsx";
import { Trend } from "../runs/trend.tsx";
import { DatasetDialog } from "./dataset-dialog.tsx";
import { useTarget } from "./use-target.ts";

const PARENT = { to: "/eval-datasets", label: t("Evals") };

/** One dataset: its cases, its evaluations, and how they went version by version. */
export function DatasetShow(): ReactElement {
  const { id = "" } = useParams();
  const { data, error, refetch } = useRecord<EvalDataset>("eval-datasets", id);
  if (error)
    return (
      <>
        <PageHeader title={t("Dataset {{id}}", { id })} parent={PARENT} />
        <ErrorPanel error={error} title={t("This dataset could not be loaded")} onRetry={refetch} />
      </>
    );
  if (data === undefined)
    return (
      <Box role="status" aria-label={t("Loading the dataset")}>
        <Skeleton width={280} height={40} />
        <Skeleton variant="rounded" height={320} sx={{ mt: 2 }} />
      </Box>
    );
  return <LoadedDataset dataset={data} onChange={refetch} />;
}

type Opened = "run" | "edit" | "delete" | null;

function LoadedDataset({ dataset, onChange }: { dataset: EvalDataset; onChange: () => void }): ReactElement {
  const target = useTarget(dataset.target);
  const [opened, setOpened] = useState<Opened>(null);
  const [mayRun, mayUpdate, mayDelete] = [useCan("evals.run"), useCan("evals.update"), useCan("evals.delete")];
  const dataProvider = useDataProvider();
  const navigate = useNavigate();
  const close = (): void => setOpened(null);
  return (
    <>
      <PageHeader
        title={dataset.name}
        parent={PARENT}
        line={
          <>
            <span>
              {tx("tests {{target}}", {
                target: (
                  <Link component={RouterLink} to={target.path}>
                    {target.name}
                  </Link>
                ),
              })}
            </span>
            <span>{t("{{count}} cases", { count: dataset.cases })}</span>
            {dataset.allowEffects ? <span>{t("cases really act")}</span> : null}
          </>
        }
        actions={
          <>
            {mayDelete ? (
              <IconButton aria-label={t("Delete {{name}}", { name: dataset.name })} onClick={() => setOpened("delete")}>
                <DeleteOutlineRounded />
              </IconButton>
            ) : null}
            {mayUpdate ? (
              <Button variant="outlined" startIcon={<EditOutlined />} onClick={() => setOpened("edit")}>
                {t("Edit")}
              </Button>
            ) : null}
            {mayRun ? (
              <Button
                variant="contained"
                startIcon={<PlayArrowRounded />}
                disabled={dataset.cases === 0}
                onClick={() => setOpened("run")}
              >
                {t("Run the cases")}
              </Button>
            ) : null}
          </>
        }
      />
      {dataset.description === null ? null : (
        <Box sx={{ mt: -1, mb: 2, maxWidth: 760, color: "text.secondary" }}>{dataset.description}</Box>
      )}
      <Box sx={{ display: "grid", gap: 2 }}>
        <Trend dataset={dataset} />
        <Panel flush>
          <TabBar
            label={t("About the dataset")}
            tabs={[
              {
                id: "cases",
                label: t("Cases"),
                content: () => <CaseList dataset={dataset} onChange={onChange} />,
              },
              { id: "runs", label: t("Evaluations"), content: () => <RunList dataset={dataset} /> },
            ]}
          />
        </Panel>
      </Box>
      {opened === "run" ? <RunDialog dataset={dataset} onClose={close} /> : null}
      {opened === "edit" ? (
        <DatasetDialog
          dataset={dataset}
          onClose={(saved) => {
            close();
            if (saved) onChange();
          }}
        />
      ) : null}
      <ConfirmDialog
        open={opened === "delete"}
        title={t("Delete “{{name}}”?", { name: dataset.name })}
        text={t("Its cases and evaluations go with it. The runs that they made stay.")}
        confirmLabel={t("Delete")}
        onClose={close}
        onConfirm={async () => {
          await dataProvider.delete("eval-datasets", { id: dataset.id, previousData: dataset });
          void navigate("/eval-datasets");
        }}
      />
    </>
  );
}
