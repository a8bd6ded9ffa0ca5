import Box from "@mui/material/Box";
import type { RunStats } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { StatusChip } from "@oven/ui/components/status-chip.tsx";
import { runPath, type WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement } from "react";
import { Link } from "react-router-dom";

/** The newest run of a workflow, as a link to it. */
export function LastRun({ kind, stats }: { kind: WorkflowKind; stats: RunStats | null | undefined }): ReactElement {
  if (!stats)
    return (
      <Box component="span" sx={{ color: "text.secondary" }}>
        {stats === null ? t("none") : "…"}
      </Box>
    );
  const { id, status, at } = stats.last;
  return (
    <Box
      component={Link}
      to={runPath(kind.kind, id)}
      title={t("Run #{{id}}", { id })}
      onClick={(event: { stopPropagation: () => void }) => event.stopPropagation()}
      sx={{
        display: "inline-flex",
        flexWrap: "wrap",
        alignItems: "center",
        gap: 0.75,
        color: "text.secondary",
        textDecoration: "none",
        "&:hover": { textDecoration: "underline" },
      }}
    >
      <StatusChip status={status} />
      <RelativeTime at={at} />
    </Box>
  );
}
