import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Checkbox from "@mui/material/Checkbox";
import Typography from "@mui/material/Typography";
import type { TriedTool } from "@oven/contract/agent";
import type { McpConnection, McpConnectionTool } from "@oven/contract/mcp";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ApprovalFirst } from "@oven/ui/components/approval-first.tsx";
import { ChangeList } from "@oven/ui/components/change-list.tsx";
import { CopyButton } from "@oven/ui/components/copy-button.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { SchemaNotes } from "@oven/ui/components/schema-notes.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { TryTool } from "@oven/ui/components/try-tool.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import { type ReactElement, type ReactNode, type SyntheticEvent, useEffect, useState } from "react";
import { ApproveDialog } from "./approve-dialog.tsx";
import { TOOL_LOOK, toHintWords } from "./connection-words.ts";
import { ToolBar } from "./tool-bar.tsx";
import { matchesTool, type ToolSelection, useToolSelection } from "./tool-selection.ts";

const ORDER = ["changed", "new", "approved", "vanished", "refused"];

/** A server's tools: what waits for approval first. */
export function ConnectionTools({
  connection,
  tools,
  reload,
}: {
  connection: McpConnection;
  tools: readonly McpConnectionTool[];
  reload: () => void;
}): ReactElement {
  const [approving, setApproving] = useState<McpConnectionTool | null>(null);
  const [query, setQuery] = useState("");
  const selection = useToolSelection(tools);
  const sorted = tools.toSorted((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state));
  const shown = sorted.filter((tool) => matchesTool(tool, query));
  return (
    <Panel title={t("Tools")} flush aside={<Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{tools.length}</Box>}>
      {tools.length === 0 ? (
        <Typography variant="body2" color="text.secondary" sx={{ p: 2 }}>
          {t("The server has listed no tools yet.")}
        </Typography>
      ) : (
        <ToolBar
          connectionId={connection.id}
          shown={shown}
          query={query}
          onQuery={setQuery}
          selection={selection}
          reload={reload}
        />
      )}
      {tools.length > 0 && shown.length === 0 ? (
        <Typography variant="body2" color="text.secondary" sx={{ p: 2 }}>
          {t("No tool has these words.")}
        </Typography>
      ) : null}
      {shown.map((tool) => (
        <Tool
          key={tool.id}
          connection={connection}
          tool={tool}
          reload={reload}
          onApprove={() => setApproving(tool)}
          selection={selection}
        />
      ))}
      {approving === null ? null : (
        <ApproveDialog
          tool={approving}
          onClose={(saved) => {
            setApproving(null);
            if (saved) reload();
          }}
        />
      )}
    </Panel>
  );
}

interface ToolProps {
  connection: McpConnection;
  tool: McpConnectionTool;
  reload: () => void;
  onApprove: () => void;
  selection: ToolSelection;
}

function Tool({ connection, tool, reload, onApprove, selection }: ToolProps): ReactElement {
  const { state, listed, approved, problem, toolId } = tool;
  // What changed opens by itself; approving it must not close it over what is read next.
  const [open, setOpen] = useState(state === "changed");
  useEffect(() => {
    if (state === "changed") setOpen(true);
  }, [state]);
  return (
    <Box sx={{ display: "flex", borderBottom: 1, borderColor: "divider", "&:last-of-type": { borderBottom: 0 } }}>
      {selection.mayPick(tool) ? (
        <Checkbox
          size="small"
          checked={selection.has(tool)}
          onChange={() => selection.toggle(tool)}
          slotProps={{ input: { "aria-label": t("Pick {{name}}", { name: tool.name }) } }}
          sx={{ alignSelf: "flex-start", ml: 1, mt: 1, mr: -1.5 }}
        />
      ) : null}
      <ToolDetails open={open} onOpen={setOpen}>
        <summary>
          <Box component="span" sx={{ fontFamily: MONOSPACE, fontWeight: 600, overflowWrap: "anywhere", mr: 1.25 }}>
            {tool.name}
          </Box>
          <ToneChip {...TOOL_LOOK[state]} />
        </summary>
        <Box sx={{ display: "grid", gap: 1.5, px: 2, pb: 2 }}>
          <Box sx={{ display: "flex", alignItems: "center", gap: 0.5, fontFamily: MONOSPACE, fontSize: 12.5 }}>
            <Box sx={{ minWidth: 0, overflowWrap: "anywhere" }}>{toolId}</Box>
            <CopyButton text={toolId} what={t("the tool's name")} small />
          </Box>
          {problem === null ? null : <Typography color="error">{problem}.</Typography>}
          {tool.looksLike.length === 0 ? null : (
            <Alert severity="warning">
              {t(
                "Its name looks like that of another tool: {{names}}. Letters that pass for others are shown as marks.",
                {
                  names: tool.looksLike.join(", "),
                },
              )}
            </Alert>
          )}
          <Typography variant="body2" sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
            {listed.description === "" ? t("The server gives no description.") : listed.description}
          </Typography>
          <Typography variant="body2" color="text.secondary">
            {t("The server {{hints}}.", { hints: toHintWords(listed.hints) })}{" "}
            {approved === null
              ? null
              : !tool.needsApproval
                ? t("Calls are made without asking.")
                : tool.approvalWhen === null
                  ? t("Each call is asked for first.")
                  : t("A call is asked for first where this holds: {{condition}}", { condition: tool.approvalWhen })}
          </Typography>
          {state === "changed" && approved !== null ? (
            <Box>
              <Box sx={{ mb: 0.5, fontSize: 12, fontWeight: 600, color: "text.secondary" }}>
                {t("Since it was approved")}
              </Box>
              <ChangeList before={approved} after={listed} />
            </Box>
          ) : null}
          <Box
            sx={{
              display: "grid",
              gap: 2,
              gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" },
            }}
          >
            <JsonView value={listed.inputSchema} what={t("the input schema")} maxHeight={260} />
            {listed.outputSchema === null ? null : (
              <JsonView value={listed.outputSchema} what={t("the output schema")} maxHeight={260} />
            )}
          </Box>
          <SchemaNotes notes={tool.notes} />
          <ToolActions tool={tool} reload={reload} onApprove={onApprove} />
          {state === "approved" && connection.enabled && approved !== null ? (
            tool.needsApproval && tool.approvalWhen === null ? (
              <ApprovalFirst />
            ) : (
              <TryTool
                schema={approved.inputSchema}
                name={tool.name}
                effect={tool.effect}
                call={async (args) => {
                  const path = `mcp-connections/${connection.id}/tools/${tool.id}/try`;
                  const { json } = await api(path, { method: "POST", body: { arguments: args } });
                  return json as TriedTool; // cast: the shape of the route
                }}
              />
            )
          ) : null}
        </Box>
      </ToolDetails>
    </Box>
  );
}

function ToolDetails({
  open,
  onOpen,
  children,
}: {
  open: boolean;
  onOpen: (open: boolean) => void;
  children: ReactNode;
}): ReactElement {
  return (
    <Box
      component="details"
      open={open}
      onToggle={(event: SyntheticEvent<HTMLDetailsElement>) => onOpen(event.currentTarget.open)}
      sx={{ flex: 1, minWidth: 0, "& > summary": { cursor: "pointer", px: 2, py: 1.5 } }}
    >
      {children}
    </Box>
  );
}

function ToolActions({ tool, reload, onApprove }: Omit<ToolProps, "connection" | "selection">): ReactElement | null {
  const mayApprove = useCan("mcp-connections.approve");
  const { busy, failure, run } = useAction(async () => {
    await api(`mcp-connections/${tool.connectionId}/tools/${tool.id}/withdraw`, { method: "POST", body: {} });
    reload();
  });
  if (!mayApprove) return null;
  const { state, approved, name } = tool;
  return (
    <Box sx={{ display: "flex", gap: 1, flexWrap: "wrap" }}>
      {state === "new" || state === "changed" ? (
        <Button variant="contained" aria-label={t("Approve {{name}}", { name })} onClick={onApprove}>
          {t("Approve…")}
        </Button>
      ) : null}
      {state === "approved" ? (
        <Button variant="outlined" aria-label={t("Change how {{name}} may be called", { name })} onClick={onApprove}>
          {t("Change…")}
        </Button>
      ) : null}
      {approved === null ? null : (
        <Button
          variant="outlined"
          color="error"
          aria-label={t("Take back the approval of {{name}}", { name })}
          loading={busy}
          onClick={() => void run()}
        >
          {t("Take back")}
        </Button>
      )}
      {failure === null ? null : <ErrorPanel error={failure} title={t("The approval was not taken back")} />}
    </Box>
  );
}
