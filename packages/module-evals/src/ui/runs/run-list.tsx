import CompareArrowsRounded from "@mui/icons-material/CompareArrowsRounded";
import PlayCircleOutlineRounded from "@mui/icons-material/PlayCircleOutlineRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import Link from "@mui/material/Link";
import type { EvalDataset, EvalRun } from "@oven/contract/eval";
import { t } from "@oven/i18n";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { formatDuration, formatMoney } from "@oven/ui/components/format.ts";
import { ListBody } from "@oven/ui/components/list-page.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { type ReactElement, useState } from "react";
import { ListContextProvider, useListController } from "react-admin";
import { Link as RouterLink, useNavigate } from "react-router-dom";
import { isOpen, RunResultChip } from "./run-words.tsx";

/** The evaluations of a dataset, the newest first; two of them are compared. */
export function RunList({ dataset }: { dataset: EvalDataset }): ReactElement {
  const [chosen, setChosen] = useState<number[]>([]);
  const navigate = useNavigate();
  const list = useListController<EvalRun>({
    resource: "eval-runs",
    filter: { datasetId: dataset.id },
    sort: { field: "id", order: "DESC" },
    perPage: 25,
    disableSyncWithLocation: true,
    storeKey: `eval-runs.${dataset.id}`,
    queryOptions: { refetchInterval: ({ state }) => (state.data?.data.some(isOpen) ? 1_500 : false) },
  });
  const [first, second] = chosen.toSorted((a, b) => a - b);
  return (
    <ListContextProvider value={list}>
      <ListBody
        noun={t("evaluations")}
        filters={
          <>
            <Box sx={{ fontSize: 13, color: "text.secondary", flex: 1 }}>
              {t("Choose two to see them side by side.")}
            </Box>
            <Button
              variant="outlined"
              startIcon={<CompareArrowsRounded />}
              disabled={second === undefined}
              onClick={() => void navigate(`/eval-runs/${first}/compare/${second}`)}
            >
              {t("Compare")}
            </Button>
          </>
        }
        empty={
          <EmptyState
            icon={<PlayCircleOutlineRounded />}
            title={t("Not run yet")}
            text={t("Add cases, then press “Run the cases”: each of them is run and judged.")}
          />
        }
      >
        <RowList label={t("Evaluations")}>
          {(list.data ?? []).map((run) => (
            <RowItem key={run.id}>
              <Checkbox
                size="small"
                checked={chosen.includes(run.id)}
                onChange={(_, checked) =>
                  // Of three the oldest choice goes.
                  setChosen(checked ? [...chosen.slice(-1), run.id] : chosen.filter((id) => id !== run.id))
                }
                slotProps={{ input: { "aria-label": t("Compare evaluation {{id}}", { id: run.id }) } }}
              />
              <RowPart basis={150} grow={1}>
                <Link component={RouterLink} to={`/eval-runs/${run.id}/show`} sx={{ fontWeight: 600 }}>
                  {t("Evaluation {{id}}", { id: run.id })}
                </Link>
              </RowPart>
              <RowPart basis={80}>{t("version {{version}}", { version: run.target.version })}</RowPart>
              <RowPart basis={180} grow={1} quiet>
                {[
                  run.mode === "live" ? "" : run.mode === "record" ? t("recorded") : t("replayed"),
                  run.durationMs === null ? "" : formatDuration(run.durationMs),
                  formatMoney(run.costMicros),
                ]
                  .filter((part) => part !== "")
                  .join(" · ")}
              </RowPart>
              <RowPart basis={90} quiet>
                <RelativeTime at={run.createdAt} />
              </RowPart>
              <RunResultChip run={run} />
            </RowItem>
          ))}
        </RowList>
      </ListBody>
    </ListContextProvider>
  );
}
