import RestoreRounded from "@mui/icons-material/RestoreRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { Workflow, WorkflowVersion } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { ShortId } from "@oven/ui/components/short-id.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { useGetList, useNotify, useRefresh } from "react-admin";

const NEWEST = { pagination: { page: 1, perPage: 100 }, sort: { field: "version", order: "DESC" as const } };

/** Every version that was published; an older one can become the newest again. */
export function VersionList({ kind, workflow }: { kind: WorkflowKind; workflow: Workflow }): ReactElement {
  const versions = `${kind.resource}/${workflow.id}/versions`;
  const { data, error, refetch } = useGetList<WorkflowVersion>(versions, NEWEST);
  const [restoring, setRestoring] = useState<WorkflowVersion | null>(null);
  const mayUpdate = useCan(`${kind.resource}.update`);
  const refresh = useRefresh();
  const notify = useNotify();
  if (error)
    return <ErrorPanel error={error} title={t("The versions could not be loaded")} onRetry={() => void refetch()} />;
  if (data === undefined) return <Skeleton variant="rounded" height={120} />;
  return (
    <>
      <Box component="ol" aria-label={t("Versions")} sx={{ m: 0, p: 0, listStyle: "none" }}>
        {data.map((version) => {
          const live = version.version === workflow.version;
          return (
            <Box
              component="li"
              key={version.id}
              sx={{
                display: "flex",
                flexWrap: "wrap",
                alignItems: "center",
                gap: 1.5,
                py: 1.25,
                borderBottom: 1,
                borderColor: "divider",
                "&:last-of-type": { borderBottom: 0 },
              }}
            >
              <Box sx={{ width: 84, fontWeight: 600 }}>{t("Version {{version}}", { version: version.version })}</Box>
              <Box
                sx={{
                  flex: "1 1 200px",
                  minWidth: 0,
                  color: version.description ? "text.primary" : "text.secondary",
                  overflowWrap: "anywhere",
                }}
              >
                {version.description ?? t("No note")}
              </Box>
              <ShortId id={version.contentHash} what={t("the content hash")} />
              <Box sx={{ width: 84, color: "text.secondary", fontSize: 13 }}>
                <RelativeTime at={version.createdAt} />
              </Box>
              <Box sx={{ width: 100, textAlign: "right" }}>
                {live ? (
                  <ToneChip tone="completed" word={t("live")} />
                ) : mayUpdate ? (
                  <Button
                    size="small"
                    variant="outlined"
                    startIcon={<RestoreRounded />}
                    aria-label={t("Restore version {{version}}", { version: version.version })}
                    onClick={() => setRestoring(version)}
                  >
                    {t("Restore")}
                  </Button>
                ) : null}
              </Box>
            </Box>
          );
        })}
      </Box>
      <ConfirmDialog
        open={restoring !== null}
        title={t("Restore version {{version}}?", { version: restoring?.version ?? "" })}
        text={t(
          "Its definition is published again as version {{version}}. Nothing is lost, and runs that are going on keep their own version.",
          { version: workflow.version + 1 },
        )}
        confirmLabel={t("Restore")}
        onClose={() => setRestoring(null)}
        onConfirm={async () => {
          if (restoring === null) return;
          await api(`${versions}/${restoring.id}/restore`, { method: "POST", body: {} });
          notify(t("Version {{version}} is live again", { version: restoring.version }), { type: "success" });
          refresh();
        }}
      />
    </>
  );
}
