import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import type { JointRow } from "@oven/ui/api/joint-list.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { WORKFLOW_KINDS } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { useDataProvider, useListContext, useNotify, useRefresh } from "react-admin";
import { TagsDialog } from "./tags-dialog.tsx";

/** Switches the chosen workflows on or off and tags them, without making versions of them. */
export function BulkActions(): ReactElement | null {
  const { data, selectedIds = [], onUnselectItems } = useListContext<JointRow<Workflow>>();
  // Those on this page: what is not seen is not changed.
  const chosen = WORKFLOW_KINDS.map((kind) => ({
    kind,
    workflows: (data ?? [])
      .filter(({ id, resource }) => resource === kind.resource && selectedIds.includes(id))
      .map(({ row }) => row),
  })).filter(({ workflows }) => workflows.length > 0);
  const number = chosen.reduce((sum, { workflows }) => sum + workflows.length, 0);
  const [tagging, setTagging] = useState(false);
  const dataProvider = useDataProvider();
  const notify = useNotify();
  const refresh = useRefresh();
  const { busy, failure, run } = useAction(async (enabled: boolean) => {
    for (const { kind, workflows } of chosen) {
      const ids = workflows.map(({ id }) => id);
      await dataProvider.updateMany(kind.resource, { ids, data: { enabled } });
    }
    notify(enabled ? t("{{number}} enabled", { number }) : t("{{number}} disabled", { number }), { type: "success" });
    onUnselectItems();
    refresh();
  });
  if (number === 0) return null;
  return (
    <Box
      role="group"
      aria-label={t("Chosen workflows")}
      sx={{
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        gap: 1,
        px: 2,
        py: 1,
        borderBottom: 1,
        borderColor: "divider",
        bgcolor: "action.selected",
      }}
    >
      {failure === null ? null : <ErrorPanel error={failure} title={t("Not all of them were changed")} />}
      <Box sx={{ flex: 1, fontSize: 13.5, fontWeight: 600 }}>{t("{{number}} chosen", { number })}</Box>
      <Button size="small" loading={busy} onClick={() => void run(true)}>
        {t("Enable")}
      </Button>
      <Button size="small" loading={busy} onClick={() => void run(false)}>
        {t("Disable")}
      </Button>
      <Button size="small" onClick={() => setTagging(true)}>
        {t("Tags")}
      </Button>
      {tagging ? <TagsDialog chosen={chosen} onClose={() => setTagging(false)} /> : null}
      <Button size="small" onClick={() => onUnselectItems()}>
        {t("Choose none")}
      </Button>
    </Box>
  );
}
