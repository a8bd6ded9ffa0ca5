import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { useDataProvider, useListContext, useNotify, useRefresh } from "react-admin";
import { TagsDialog } from "./tags-dialog.tsx";

/** Switches the chosen workflows on or off and tags them, without making versions of them. */
export function BulkActions({ kind }: { kind: WorkflowKind }): ReactElement | null {
  const { data, selectedIds = [], onUnselectItems } = useListContext<Workflow>();
  const [tagging, setTagging] = useState(false);
  const dataProvider = useDataProvider();
  const notify = useNotify();
  const refresh = useRefresh();
  const { busy, failure, run } = useAction(async (enabled: boolean) => {
    await dataProvider.updateMany(kind.resource, { ids: selectedIds, data: { enabled } });
    notify(`${selectedIds.length} ${enabled ? t("enabled") : t("disabled")}`, { type: "success" });
    onUnselectItems();
    refresh();
  });
  if (selectedIds.length === 0) return null;
  // Only workflows on this page are tagged, because the person sees only these.
  const chosen = (data ?? []).filter(({ id }) => selectedIds.includes(id));
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
      <Box sx={{ flex: 1, fontSize: 13.5, fontWeight: 600 }}>
        {t("{{number}} chosen", { number: selectedIds.length })}
      </Box>
      <Button size="small" loading={busy} onClick={() => void run(true)}>
        {t("Enable")}
      </Button>
      <Button size="small" loading={busy} onClick={() => void run(false)}>
        {t("Disable")}
      </Button>
      {chosen.length === 0 ? null : (
        <Button size="small" onClick={() => setTagging(true)}>
          {t("Tags")}
        </Button>
      )}
      {tagging ? <TagsDialog kind={kind} workflows={chosen} onClose={() => setTagging(false)} /> : null}
      <Button size="small" onClick={() => onUnselectItems()}>
        {t("Choose none")}
      </Button>
    </Box>
  );
}
