import AddRounded from "@mui/icons-material/AddRounded";
import SmartToyOutlined from "@mui/icons-material/SmartToyOutlined";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import { type Table, type TableTool, TableToolSchema } from "@oven/contract/table";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { DeleteButton, EditButton } from "@oven/ui/components/dialog-buttons.tsx";
import { EmptyState } from "@oven/ui/components/empty-state.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { RowItem, RowList, RowPart } from "@oven/ui/components/row-item.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, useState } from "react";
import { useGetList } from "react-admin";
import { actionWord } from "../words.ts";
import { ToolDialog } from "./tool-dialog.tsx";

/** What agents may do with a table. */
export function ToolsTab({ table }: { table: Table }): ReactElement {
  const mayManage = useCan("table-tools.manage");
  const [isOpen, setOpen] = useState(false);
  const { data, error, refetch } = useGetList("table-tools", {
    pagination: { page: 1, perPage: 100 },
    sort: { field: "name", order: "ASC" },
    filter: { tableId: table.id },
  });
  if (error)
    return <ErrorPanel error={error} title={t("The tools could not be read")} onRetry={() => void refetch()} />;
  const tools = (data ?? []).map((row) => TableToolSchema.parse(row));
  const add = mayManage ? (
    <Button variant="contained" startIcon={<AddRounded />} onClick={() => setOpen(true)}>
      {t("New tool")}
    </Button>
  ) : null;
  return (
    <Box sx={{ display: "grid", gap: 1.5 }}>
      {tools.length === 0 ? (
        <EmptyState
          icon={<SmartToyOutlined />}
          title={t("Agents reach no row of this table")}
          text={t(
            "A tool lets agents do what you choose with the rows that you choose, and see the columns that you choose.",
          )}
          action={add}
        />
      ) : (
        <>
          <Box>{add}</Box>
          <ToolRows table={table} tools={tools} mayManage={mayManage} />
        </>
      )}
      {isOpen ? (
        <ToolDialog
          table={table}
          tool={null}
          onClose={() => setOpen(false)}
          onSave={async (body) => {
            await api("table-tools", { method: "POST", body });
            setOpen(false);
            void refetch();
          }}
        />
      ) : null}
    </Box>
  );
}

interface ToolRowsProps {
  table: Table;
  tools: readonly TableTool[];
  mayManage: boolean;
}

function ToolRows({ table, tools, mayManage }: ToolRowsProps): ReactElement {
  return (
    <RowList label={t("Tools of this table")}>
      {tools.map((tool) => (
        <RowItem key={tool.id}>
          <RowPart basis={220} grow={2}>
            <Box sx={{ fontFamily: MONOSPACE, fontSize: 12.5 }}>{`table.${tool.name}`}</Box>
            <Box sx={{ fontSize: 13, color: "text.secondary" }}>{tool.description}</Box>
          </RowPart>
          <RowPart basis={160}>{tool.actions.map(actionWord).join(", ")}</RowPart>
          {tool.enabled ? null : <ToneChip tone="stopped" word={t("Switched off")} />}
          {tool.needsApproval && tool.actions.some((action) => action !== "find") ? (
            <ToneChip tone="paused" word={t("A person approves")} />
          ) : null}
          {mayManage ? (
            <>
              <EditButton
                label={t("Edit {{name}}", { name: tool.name })}
                dialog={(close) => (
                  <ToolDialog
                    table={table}
                    tool={tool}
                    onClose={() => close(false)}
                    onSave={async (body) => {
                      await api(`table-tools/${tool.id}`, { method: "PUT", body });
                      close(true);
                    }}
                  />
                )}
              />
              <DeleteButton
                resource="table-tools"
                record={tool}
                label={t("Delete {{name}}", { name: tool.name })}
                title={t("Delete “{{name}}”?", { name: tool.name })}
                text={t("Agents that name the tool fail from then on.")}
              />
            </>
          ) : null}
        </RowItem>
      ))}
    </RowList>
  );
}
