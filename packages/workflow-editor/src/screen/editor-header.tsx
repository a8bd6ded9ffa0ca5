import ArrowBackRounded from "@mui/icons-material/ArrowBackRounded";
import Box from "@mui/material/Box";
import IconButton from "@mui/material/IconButton";
import Tooltip from "@mui/material/Tooltip";
import Typography from "@mui/material/Typography";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement, ReactNode } from "react";
import { Link } from "react-router-dom";

export interface EditorHeaderProps {
  kind: WorkflowKind;
  workflow: Workflow;
  /** The name, where it can be changed; absent: the name as it is. */
  name?: ReactNode;
  /** What stands behind the name. */
  children: ReactNode;
}

/** The bar above a workflow's canvas: the way back, and the workflow's name. */
export function EditorHeader({ kind, workflow, name, children }: EditorHeaderProps): ReactElement {
  return (
    <Box
      component="header"
      sx={{
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        gap: 1,
        px: 1.5,
        py: 0.75,
        minHeight: 52,
        borderBottom: 1,
        borderColor: "divider",
        bgcolor: "background.paper",
      }}
    >
      <Tooltip title={t("Back to the workflow")}>
        <IconButton
          component={Link}
          to={`/${kind.resource}/${workflow.id}/show`}
          aria-label={t("Back to the workflow")}
        >
          <ArrowBackRounded sx={{ fontSize: 20 }} />
        </IconButton>
      </Tooltip>
      {name ?? (
        <Typography
          variant="h1"
          sx={{ fontSize: 16, minWidth: 0, overflow: "hidden", textOverflow: "ellipsis", whiteSpace: "nowrap" }}
        >
          {workflow.name}
        </Typography>
      )}
      {children}
    </Box>
  );
}
