import ListSubheader from "@mui/material/ListSubheader";
import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { useCan } from "@oven/ui/components/use-can.ts";
import { AGENT_WORKFLOWS, REGULAR_WORKFLOWS, type WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement } from "react";
import { useGetList, useListContext } from "react-admin";
import { type RunsOf, runsOf } from "./runs-of.ts";

const BY_NAME = { pagination: { page: 1, perPage: 500 }, sort: { field: "name", order: "ASC" as const } };

function useWorkflows({ resource }: WorkflowKind): Workflow[] | undefined {
  const mayRead = useCan(`${resource}.read`);
  const { data } = useGetList<Workflow>(resource, BY_NAME, { enabled: mayRead });
  return mayRead ? data : [];
}

/** Runs of all workflows, of one kind, or of one workflow. */
export function WorkflowFilter(): ReactElement {
  const ofAgents = useWorkflows(AGENT_WORKFLOWS);
  const ofOthers = useWorkflows(REGULAR_WORKFLOWS);
  const { filterValues, setFilters } = useListContext();
  const { chosen, others } = runsOf(filterValues);
  const isKnown = ofAgents !== undefined && ofOthers !== undefined;
  const options = (kind: WorkflowKind, workflows: readonly Workflow[] = []): ReactElement[] =>
    workflows.length === 0
      ? []
      : [
          <ListSubheader key={kind.resource}>{kind.mcp ? t("With agents") : t("Without agents")}</ListSubheader>,
          <MenuItem key={`all-${kind.resource}`} value={JSON.stringify({ resource: kind.executionResource })}>
            {kind.mcp ? t("All with agents") : t("All without agents")}
          </MenuItem>,
          ...workflows.map(({ id, name }) => {
            const value: RunsOf = { resource: kind.executionResource, [kind.workflowIdField]: id };
            return (
              <MenuItem key={`${kind.resource}-${id}`} value={JSON.stringify(value)}>
                {name}
              </MenuItem>
            );
          }),
        ];
  return (
    <TextField
      select
      label={t("Workflow")}
      value={isKnown && chosen !== undefined ? JSON.stringify(chosen) : ""}
      onChange={(event) =>
        setFilters(event.target.value === "" ? others : { ...others, ...JSON.parse(event.target.value) })
      }
      sx={{ width: { xs: "100%", sm: 200 } }}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    >
      <MenuItem value="">{t("All")}</MenuItem>
      {options(AGENT_WORKFLOWS, ofAgents)}
      {options(REGULAR_WORKFLOWS, ofOthers)}
    </TextField>
  );
}
