import ScienceOutlined from "@mui/icons-material/ScienceOutlined";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import type { EvalDataset, EvalRun } from "@oven/contract/eval";
import { t } from "@oven/i18n";
import { useCreateButton } from "@oven/ui/components/dialog-buttons.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ListBody, SearchField } from "@oven/ui/components/list-page.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { ReactElement } from "react";
import { ListBase, useGetList, useListContext } from "react-admin";
import { Link as RouterLink, useNavigate } from "react-router-dom";
import { RunResultChip } from "../runs/run-words.tsx";
import { DatasetDialog } from "./dataset-dialog.tsx";
import { useTarget } from "./use-target.ts";

/** Datasets: what they test, how many cases they have, and how the last evaluation went. */
export function DatasetList(): ReactElement {
  const navigate = useNavigate();
  const create = useCreateButton(t("New dataset"), useCan("evals.create"), (close) => (
    <DatasetDialog
      dataset={null}
      onClose={(saved, made) => {
        close(saved);
        if (made !== undefined) void navigate(`/eval-datasets/${made.id}/show`);
      }}
    />
  ));
  return (
    <ListBase resource="eval-datasets" sort={{ field: "name", order: "ASC" }} perPage={25}>
      <PageHeader
        title={t("Evals")}
        line={t("Cases with what their runs must show, tried against each version of a workflow or an agent.")}
        actions={create.button}
      />
      <ListBody
        noun={t("datasets")}
        filters={<SearchField label={t("Search datasets")} />}
        empty={
          <EmptyState
            icon={<ScienceOutlined />}
            title={t("No datasets yet")}
            text={t("Make one, add a few cases, and see with every change whether it still does what it should.")}
            action={create.button}
          />
        }
      >
        <DatasetRows />
      </ListBody>
      {create.dialog}
    </ListBase>
  );
}

function DatasetRows(): ReactElement {
  const { data } = useListContext<EvalDataset>();
  return (
    <RowList label={t("Datasets")}>
      {(data ?? []).map((dataset) => (
        <DatasetRow key={dataset.id} dataset={dataset} />
      ))}
    </RowList>
  );
}

const LAST = { pagination: { page: 1, perPage: 1 }, sort: { field: "id", order: "DESC" as const } };

function DatasetRow({ dataset }: { dataset: EvalDataset }): ReactElement {
  const target = useTarget(dataset.target);
  const last = useGetList<EvalRun>("eval-runs", { ...LAST, filter: { datasetId: dataset.id } }).data?.[0];
  return (
    <RowItem>
      <RowPart basis={220} grow={1}>
        <Link component={RouterLink} to={`/eval-datasets/${dataset.id}/show`} sx={{ fontWeight: 600 }}>
          {dataset.name}
        </Link>
        <Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{target.name}</Box>
      </RowPart>
      <RowPart basis={80} quiet>
        {t("{{count}} cases", { count: dataset.cases })}
      </RowPart>
      <RowPart basis={90} quiet>
        {last === undefined ? t("not run yet") : <RelativeTime at={last.createdAt} />}
      </RowPart>
      {last === undefined ? null : <RunResultChip run={last} />}
    </RowItem>
  );
}
