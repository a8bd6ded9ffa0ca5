import Button from "@mui/material/Button";
import Dialog from "@mui/material/Dialog";
import DialogActions from "@mui/material/DialogActions";
import DialogContent from "@mui/material/DialogContent";
import DialogTitle from "@mui/material/DialogTitle";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import type { Execution, ExecutionSummary } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { RowCard } from "@oven/ui/components/row-card.tsx";
import { StatusChip } from "@oven/ui/components/status-chip.tsx";
import { kindOf, workflowIdOf } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement } from "react";
import { useGetList } from "react-admin";

const NEWEST = { pagination: { page: 1, perPage: 21 }, sort: { field: "id", order: "DESC" as const } };

/** Which run to put beside this one: what it was taken from first, then the newest of the same workflow. */
export function CompareDialog({ run, onClose }: { run: Execution; onClose: () => void }): ReactElement {
  const { executionResource, workflowIdField } = kindOf(run.kind);
  const { data, error } = useGetList<ExecutionSummary>(executionResource, {
    ...NEWEST,
    filter: { [workflowIdField]: workflowIdOf(run) },
  });
  const origin = run.retryOf ?? run.forkOf;
  const others = (data ?? []).filter(({ id }) => id !== run.id && id !== origin);
  const path = (id: number): string => `/${executionResource}/${run.id}/compare/${id}`;
  return (
    <Dialog open onClose={onClose} maxWidth="sm" fullWidth aria-labelledby="compare-title">
      <DialogTitle id="compare-title" sx={{ fontSize: 16 }}>
        {t("Compare #{{id}} with", { id: run.id })}
      </DialogTitle>
      <DialogContent sx={{ p: 0 }}>
        {error ? <ErrorPanel error={error} title={t("The runs could not be loaded")} /> : null}
        {origin === null ? null : (
          <RowCard
            to={path(origin)}
            title={
              run.retryOf === null
                ? t("#{{origin}}, which it was forked from", { origin })
                : t("#{{origin}}, which it tries again", { origin })
            }
          />
        )}
        {data === undefined && !error ? <Skeleton variant="rounded" height={160} sx={{ mx: 3 }} /> : null}
        {others.map((other) => (
          <RowCard
            key={other.id}
            to={path(other.id)}
            title={`#${other.id}`}
            aside={<StatusChip status={other.status} outcome={other.outcome} />}
          >
            <RelativeTime at={other.createdAt} />
          </RowCard>
        ))}
        {data !== undefined && others.length === 0 && origin === null ? (
          <Typography color="text.secondary" sx={{ px: 3, pb: 1 }}>
            {t("The workflow has no other run yet.")}
          </Typography>
        ) : null}
      </DialogContent>
      <DialogActions sx={{ px: 3, pb: 2 }}>
        <Button onClick={onClose}>{t("Close")}</Button>
      </DialogActions>
    </Dialog>
  );
}
