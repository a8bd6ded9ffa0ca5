import MenuItem from "@mui/material/MenuItem";
import TextField from "@mui/material/TextField";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement } from "react";
import { useGetList, useListContext } from "react-admin";

const BY_NAME = { pagination: { page: 1, perPage: 500 }, sort: { field: "name", order: "ASC" as const } };

/** Only the runs of one workflow. */
export function WorkflowFilter({ kind }: { kind: WorkflowKind }): ReactElement {
  const field = kind.workflowIdField;
  const { data } = useGetList<Workflow>(kind.resource, BY_NAME);
  const { filterValues, setFilters } = useListContext();
  const chosen = typeof filterValues[field] === "number" ? filterValues[field] : "";
  return (
    <TextField
      select
      label={t("Workflow")}
      value={data === undefined ? "" : chosen}
      onChange={(event) => {
        const { [field]: _, ...others } = filterValues;
        setFilters(event.target.value === "" ? others : { ...others, [field]: Number(event.target.value) });
      }}
      sx={{ width: { xs: "100%", sm: 200 } }}
      slotProps={{ select: { displayEmpty: true }, inputLabel: { shrink: true } }}
    >
      <MenuItem value="">{t("All")}</MenuItem>
      {(data ?? []).map((workflow) => (
        <MenuItem key={workflow.id} value={workflow.id}>
          {workflow.name}
        </MenuItem>
      ))}
    </TextField>
  );
}
