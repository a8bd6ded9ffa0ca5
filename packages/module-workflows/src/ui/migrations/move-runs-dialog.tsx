import MoveUpRounded from "@mui/icons-material/MoveUpRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import type { MigrationPlan } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FormDialog } from "@oven/ui/components/form-dialog.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type ReactElement, useEffect, useState } from "react";
import { MoveGroupView } from "./move-group-view.tsx";

/** Which waiting runs can be moved to the published version; choices of steps are checked as they are made. */
export function MoveRunsDialog({
  path,
  onBegun,
  onClose,
}: {
  /** Of the workflow's migrations. */
  path: string;
  onBegun: () => void;
  onClose: () => void;
}): ReactElement {
  const [mapping, setMapping] = useState<Readonly<Record<string, string>>>({});
  const [plan, setPlan] = useState<MigrationPlan | null>(null);
  const { failure, run } = useAction(async (chosen: Readonly<Record<string, string>>) => {
    const { json } = await api(`${path}/plan`, { method: "POST", body: { mapping: chosen } });
    setPlan(json as MigrationPlan); // cast: the shape of the route
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked again when something is chosen, and then only
  useEffect(() => void run(mapping), [mapping]);
  const movable = plan === null ? 0 : plan.counts.same + plan.counts.mapped;
  return (
    <FormDialog
      title={
        plan === null
          ? t("Move waiting runs")
          : t("Move waiting runs to version {{version}}", { version: plan.version })
      }
      submitLabel={t("Move {{count}} runs", { count: movable })}
      submitIcon={<MoveUpRounded />}
      failureTitle={t("The runs were not moved")}
      usable={movable > 0}
      onSubmit={async () => {
        await api(path, { method: "POST", body: { mapping } });
        onBegun();
        onClose();
      }}
      onClose={onClose}
      extra={
        Object.keys(mapping).length === 0 ? null : (
          <Button color="inherit" onClick={() => setMapping({})}>
            {t("Start over")}
          </Button>
        )
      }
    >
      <Typography color="text.secondary">
        {t(
          "They go on where they stand, with the new version. Open reviews stay open. A move can be undone until a run goes on.",
        )}
      </Typography>
      {failure === null ? null : <ErrorPanel error={failure} title={t("The runs could not be looked at")} />}
      {plan === null && failure === null ? <Skeleton variant="rounded" height={96} /> : null}
      {plan === null ? null : (
        <Box component="ul" aria-label={t("Groups of runs")} sx={{ m: 0, p: 0, listStyle: "none" }}>
          {plan.groups.map((group) => (
            <MoveGroupView
              key={JSON.stringify([group.version, group.states, group.verdict, group.executionIds[0]])}
              group={group}
              onChoose={([from, to]) => setMapping({ ...mapping, [from]: to })}
            />
          ))}
        </Box>
      )}
      {Object.keys(mapping).length === 0 ? null : (
        <Typography variant="body2">
          {t("Chosen: {{pairs}}", {
            pairs: Object.entries(mapping)
              .map(([from, to]) => `${from} → ${to}`)
              .join(", "),
          })}
        </Typography>
      )}
    </FormDialog>
  );
}
