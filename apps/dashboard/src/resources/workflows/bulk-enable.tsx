import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { ReactElement } from "react";
import { useDataProvider, useListContext, useNotify, useRefresh } from "react-admin";
import { ErrorPanel } from "../../components/error-panel.tsx";
import { useAction } from "../../components/use-action.ts";
import type { WorkflowKind } from "./workflow-kind.ts";

/** Switches the chosen workflows on or off, without making versions of them. */
export function BulkEnable({ kind }: { kind: WorkflowKind }): ReactElement | null {
  const { selectedIds = [], onUnselectItems } = useListContext();
  const dataProvider = useDataProvider();
  const notify = useNotify();
  const refresh = useRefresh();
  const { busy, failure, run } = useAction(async (enabled: boolean) => {
    await dataProvider.updateMany(kind.resource, { ids: selectedIds, data: { enabled } });
    notify(`${selectedIds.length} ${enabled ? "enabled" : "disabled"}`, { type: "success" });
    onUnselectItems();
    refresh();
  });
  if (selectedIds.length === 0) return null;
  return (
    <Box
      role="group"
      aria-label="Chosen workflows"
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
      {failure === null ? null : <ErrorPanel error={failure} title="Not all of them were changed" />}
      <Box sx={{ flex: 1, fontSize: 13.5, fontWeight: 600 }}>{selectedIds.length} chosen</Box>
      <Button size="small" loading={busy} onClick={() => void run(true)}>
        Enable
      </Button>
      <Button size="small" loading={busy} onClick={() => void run(false)}>
        Disable
      </Button>
      <Button size="small" onClick={() => onUnselectItems()}>
        Choose none
      </Button>
    </Box>
  );
}
