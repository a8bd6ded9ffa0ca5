import Box from "@mui/material/Box";
import Chip from "@mui/material/Chip";
import { t } from "@oven/i18n";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement } from "react";
import { Link } from "react-router-dom";

/** The tags of a workflow; each leads to the others that carry it. */
export function TagChips({ kind, tags }: { kind: WorkflowKind; tags: readonly string[] }): ReactElement | null {
  if (tags.length === 0) return null;
  return (
    <Box
      component="span"
      role="group"
      aria-label={t("Tags")}
      sx={{ display: "inline-flex", flexWrap: "wrap", gap: 0.5 }}
    >
      {tags.map((tag) => (
        <Chip
          key={tag}
          size="small"
          variant="outlined"
          label={tag}
          component={Link}
          to={`/${kind.resource}?filter=${encodeURIComponent(JSON.stringify({ tags: [tag] }))}`}
          clickable
          aria-label={t("Workflows tagged {{tag}}", { tag })}
          onClick={(event) => event.stopPropagation()}
          sx={{ height: 20, fontSize: 12, "& .MuiChip-label": { px: 0.875 } }}
        />
      ))}
    </Box>
  );
}
