import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import TextField from "@mui/material/TextField";
import type { McpConnectionTool } from "@oven/contract/mcp";
import { t } from "@oven/i18n";
import { type ReactElement, useState } from "react";
import { ApproveManyDialog } from "./approve-many-dialog.tsx";
import type { ToolSelection } from "./tool-selection.ts";

/** Searches a server's tools, and approves those that are picked. */
export function ToolBar({
  connectionId,
  shown,
  query,
  onQuery,
  selection,
  reload,
}: {
  connectionId: number;
  shown: readonly McpConnectionTool[];
  query: string;
  onQuery: (query: string) => void;
  selection: ToolSelection;
  reload: () => void;
}): ReactElement {
  const [approving, setApproving] = useState(false);
  const { picked } = selection;
  // What has changed is picked one by one: its differences are there to be read.
  const fresh = shown.filter((tool) => tool.state === "new" && selection.mayPick(tool) && !selection.has(tool));
  return (
    <Box
      sx={{
        display: "flex",
        flexWrap: "wrap",
        alignItems: "center",
        gap: 1,
        p: 2,
        borderBottom: 1,
        borderColor: "divider",
      }}
    >
      <TextField
        type="search"
        size="small"
        label={t("Search tools")}
        value={query}
        onChange={(event) => onQuery(event.target.value)}
        sx={{ flex: "1 1 200px" }}
      />
      {fresh.length === 0 ? null : (
        <Button variant="outlined" onClick={() => selection.pick(fresh)}>
          {t("Pick {{count}} new", { count: fresh.length })}
        </Button>
      )}
      {picked.length === 0 ? null : (
        <>
          <Button variant="outlined" onClick={selection.clear}>
            {t("Pick none")}
          </Button>
          <Button variant="contained" onClick={() => setApproving(true)}>
            {t("Approve {{count}}…", { count: picked.length })}
          </Button>
        </>
      )}
      {approving ? (
        <ApproveManyDialog
          connectionId={connectionId}
          tools={picked}
          onClose={(saved) => {
            setApproving(false);
            if (!saved) return;
            selection.clear();
            reload();
          }}
        />
      ) : null}
    </Box>
  );
}
