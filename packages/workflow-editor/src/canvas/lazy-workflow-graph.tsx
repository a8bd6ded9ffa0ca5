import Box from "@mui/material/Box";
import CircularProgress from "@mui/material/CircularProgress";
import { useTheme } from "@mui/material/styles";
import { t } from "@oven/i18n";
import { lazy, type ReactElement, Suspense } from "react";
import type { WorkflowGraphProps } from "./workflow-graph.tsx";

const WorkflowGraph = lazy(() => import("./workflow-graph.tsx").then((module) => ({ default: module.WorkflowGraph })));

/** React Flow and the layout engine are loaded when a graph is first shown. */
export function LazyWorkflowGraph(props: Omit<WorkflowGraphProps, "dark">): ReactElement {
  const theme = useTheme();
  return (
    <Suspense
      fallback={
        <Box
          role="status"
          aria-label={t("Drawing the graph")}
          sx={{ display: "grid", placeItems: "center", height: "100%", bgcolor: "var(--oven-canvas)" }}
        >
          <CircularProgress size={22} />
        </Box>
      }
    >
      <WorkflowGraph {...props} dark={theme.palette.mode === "dark"} />
    </Suspense>
  );
}
