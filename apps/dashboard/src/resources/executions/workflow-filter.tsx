import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { Workflow } from "@oven/contract";
import type { ReactElement } from "react";
import { useGetList, useListContext } from "react-admin";

const BY_NAME = { pagination: { page: 1, perPage: 500 }, sort: { field: "name", order: "ASC" as const } };

/** Only the runs of one workflow. */
export function WorkflowFilter(): ReactElement {
  const { data } = useGetList<Workflow>("agent-workflows", BY_NAME);
  const { filterValues, setFilters } = useListContext();
  const chosen = typeof filterValues.agentWorkflowId === "number" ? filterValues.agentWorkflowId : "";
  return (
    <TextField
      select
      label="Workflow"
      value={data === undefined ? "" : chosen}
      onChange={(event) => {
        const { agentWorkflowId: _, ...others } = filterValues;
        setFilters(event.target.value === "" ? others : { ...others, agentWorkflowId: Number(event.target.value) });
      }}
      sx={{ width: { xs: "100%", sm: 200 } }}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    >
      <MenuItem value="">All</MenuItem>
      {(data ?? []).map((workflow) => (
        <MenuItem key={workflow.id} value={workflow.id}>
          {workflow.name}
        </MenuItem>
      ))}
    </TextField>
  );
}
