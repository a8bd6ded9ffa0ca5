import Box from "@mui/material/Box";
import type { ExecutionSummary } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { AGENT_WORKFLOWS, REGULAR_WORKFLOWS, type WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { ExecutionRow } from "@oven/workflow-editor/run/execution-row.tsx";
import type { ReactElement } from "react";
import { useGetList } from "react-admin";

const MOST = 200;
const LIVE_MS = 2_000;

interface Children {
  runs: ExecutionSummary[];
  total: number;
}

/** The runs that belong to a run: items of its loops, and workflows of either kind that it called. */
export function useChildRuns(id: number, live: boolean): Children {
  const agents = useChildrenIn(AGENT_WORKFLOWS, id, live);
  const regular = useChildrenIn(REGULAR_WORKFLOWS, id, live);
  const runs = [...agents.runs, ...regular.runs].sort((one, other) => one.id - other.id);
  return { runs: runs.slice(0, MOST), total: agents.total + regular.total };
}

function useChildrenIn({ executionResource }: WorkflowKind, id: number, live: boolean): Children {
  const { data, total } = useGetList<ExecutionSummary>(
    executionResource,
    { filter: { parentId: id }, pagination: { page: 1, perPage: MOST }, sort: { field: "id", order: "ASC" } },
    live ? { refetchInterval: LIVE_MS } : {},
  );
  return { runs: data ?? [], total: total ?? 0 };
}

export function ChildRuns({ runs, total }: Children): ReactElement {
  const done = runs.filter(({ status }) => status === "completed").length;
  const failed = runs.filter(({ status }) => status === "failed").length;
  return (
    <Box>
      <Box sx={{ mb: 1, fontSize: 13.5, color: "text.secondary" }}>
        {[
          t("{{count}} runs", { count: total }),
          t("{{done}} completed", { done }),
          ...(failed === 0 ? [] : [t("{{failed}} failed", { failed })]),
          ...(total > runs.length ? [t("the first {{shown}} are shown", { shown: runs.length })] : []),
        ].join(", ")}
      </Box>
      <Box sx={{ border: 1, borderColor: "divider", borderRadius: 2, overflow: "hidden" }}>
        {runs.map((run) => (
          <ExecutionRow key={run.id} run={run} label={labelOf(run)} />
        ))}
      </Box>
    </Box>
  );
}

function labelOf({ parentNodeId, parentItem, part, workflowName }: ExecutionSummary): string {
  const place = parentNodeId ?? "";
  if (part !== null) return t("{{place}}, item {{position}}", { place, position: Number(parentItem) + 1 });
  return `${place}: ${workflowName}`;
}
