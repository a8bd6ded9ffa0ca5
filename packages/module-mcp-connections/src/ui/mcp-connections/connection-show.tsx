import DeleteOutlineRounded from "@mui/icons-material/DeleteOutlineRounded";
import EditOutlined from "@mui/icons-material/EditOutlined";
import RefreshRounded from "@mui/icons-material/RefreshRounded";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import type { McpConnection, McpConnectionTool } from "@oven/contract/mcp";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { CodeBlock } from "@oven/ui/components/code-block.tsx";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { type ReactElement, useCallback, useEffect, useState } from "react";
import { useNotify } from "react-admin";
import { useNavigate, useParams } from "react-router-dom";
import { ConnectionDialog } from "./connection-dialog.tsx";
import { ConnectionTools } from "./connection-tools.tsx";
import { STATUS_LOOK } from "./connection-words.ts";

const PARENT = { to: "/mcp-connections", label: t("Connected MCP servers") };

export function McpConnectionShow(): ReactElement {
  const { id = "" } = useParams();
  const { data: connection, error, refetch } = useRecord<McpConnection>("mcp-connections", id);
  if (error) {
    return (
      <>
        <PageHeader title={t("Connection {{id}}", { id })} parent={PARENT} />
        <ErrorPanel error={error} title={t("This connection could not be loaded")} onRetry={refetch} />
      </>
    );
  }
  if (connection === undefined) return <Skeleton variant="rounded" height={360} />;
  return <LoadedConnection connection={connection} refetch={refetch} />;
}

function LoadedConnection({ connection, refetch }: { connection: McpConnection; refetch: () => void }): ReactElement {
  const { id, status, lastError, notes, instructions } = connection;
  const [tools, setTools] = useState<McpConnectionTool[]>();
  const read = useCallback(async () => {
    const { json } = await api(`mcp-connections/${id}/tools`);
    setTools(json as McpConnectionTool[]); // cast: the shape of the route
    refetch();
  }, [id, refetch]);
  const loading = useAction(read);
  const { run: load } = loading;
  useEffect(() => void load(), [id]);
  return (
    <>
      <PageHeader
        title={connection.title ?? connection.name}
        parent={PARENT}
        badges={<ToneChip {...STATUS_LOOK[status]} />}
        line={
          <span>
            {connection.url ?? t("Started by the operator")}
            {connection.protocolVersion === null
              ? null
              : ` · ${t("speaks {{protocolVersion}}", { protocolVersion: connection.protocolVersion })}`}
            {connection.lastContactAt === null ? null : (
              <>
                {" · "}
                {connection.latencyMs === null
                  ? tx("reached {{time}}", { time: <RelativeTime at={connection.lastContactAt} /> })
                  : tx("reached {{time}} in {{latencyMs}} ms", {
                      time: <RelativeTime at={connection.lastContactAt} />,
                      latencyMs: connection.latencyMs,
                    })}
              </>
            )}
          </span>
        }
        actions={<Actions connection={connection} reload={read} />}
      />
      <Box sx={{ display: "grid", gap: 2 }}>
        {lastError === null ? null : (
          <Alert severity={status === "sign-in" ? "warning" : "error"}>
            {lastError}
            {connection.nextCheckAt === null ? null : (
              <> {tx("It is asked again {{time}}.", { time: <RelativeTime at={connection.nextCheckAt} /> })}</>
            )}
          </Alert>
        )}
        {notes.map((note) => (
          <Alert key={note} severity="info">
            {note}
          </Alert>
        ))}
        {loading.failure === null ? null : (
          <ErrorPanel error={loading.failure} title={t("The tools could not be loaded")} onRetry={() => void load()} />
        )}
        {tools === undefined ? (
          <Skeleton variant="rounded" height={240} />
        ) : (
          <ConnectionTools connection={connection} tools={tools} reload={() => void load()} />
        )}
        <HowToUse connection={connection} tools={tools ?? []} />
        {instructions === null ? null : (
          <Panel title={t("What the server says about itself")}>
            <Typography variant="body2" sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>
              {instructions}
            </Typography>
          </Panel>
        )}
      </Box>
    </>
  );
}

function Actions({
  connection,
  reload,
}: {
  connection: McpConnection;
  reload: () => Promise<void>;
}): ReactElement | null {
  const { id, transport, auth, status, enabled } = connection;
  const [mayUpdate, mayDelete] = [useCan("mcp-connections.update"), useCan("mcp-connections.delete")];
  const [editing, setEditing] = useState(false);
  const [deleting, setDeleting] = useState(false);
  const navigate = useNavigate();
  const notify = useNotify();
  const refresh = useAction(async () => {
    await api(`mcp-connections/${id}/refresh`, { method: "POST", body: {} });
    await reload();
  });
  const signIn = useAction(async () => {
    const { json } = await api(`mcp-connections/${id}/authorize`, { method: "POST", body: {} });
    const { url } = json as { url: string | null }; // cast: the shape of the route
    if (url !== null) window.location.assign(url);
    else {
      notify(t("The server lets us in already"), { type: "success" });
      await reload();
    }
  });
  if (!mayUpdate) return null;
  const failure = refresh.failure ?? signIn.failure;
  return (
    <>
      {auth.type === "oauth" ? (
        <Button
          variant={status === "sign-in" ? "contained" : "outlined"}
          loading={signIn.busy}
          onClick={() => void signIn.run()}
        >
          {t("Sign in")}
        </Button>
      ) : null}
      <Button
        variant="outlined"
        startIcon={<RefreshRounded />}
        disabled={!enabled}
        loading={refresh.busy}
        onClick={() => void refresh.run()}
      >
        {t("Refresh")}
      </Button>
      {transport === "stdio" ? null : (
        <Button variant="outlined" startIcon={<EditOutlined />} onClick={() => setEditing(true)}>
          {t("Edit")}
        </Button>
      )}
      {mayDelete && transport !== "stdio" ? (
        <Button variant="outlined" color="error" startIcon={<DeleteOutlineRounded />} onClick={() => setDeleting(true)}>
          {t("Delete")}
        </Button>
      ) : null}
      {failure === null ? null : <ErrorPanel error={failure} title={t("That did not work")} />}
      {editing ? (
        <ConnectionDialog
          connection={connection}
          onClose={(saved) => {
            setEditing(false);
            if (saved !== null) void reload();
          }}
        />
      ) : null}
      <ConfirmDialog
        open={deleting}
        title={t("Delete the connection “{{name}}”?", { name: connection.name })}
        text={t("Steps and agents that name its tools fail from then on. Its approvals and credentials are gone.")}
        confirmLabel={t("Delete")}
        onClose={() => setDeleting(false)}
        onConfirm={async () => {
          await api(`mcp-connections/${id}`, { method: "DELETE" });
          navigate("/mcp-connections");
        }}
      />
    </>
  );
}

function HowToUse({
  connection,
  tools,
}: {
  connection: McpConnection;
  tools: readonly McpConnectionTool[];
}): ReactElement {
  const first = tools.find(({ state }) => state === "approved");
  const example = {
    src: "agent.toolLoop",
    input: { prompt: "…", tools: [first?.toolId ?? `mcp.${connection.name}.*`] },
  };
  return (
    <Panel title={t("Use it in an agent")}>
      <Typography variant="body2" color="text.secondary" sx={{ mb: 1.5 }}>
        {tx(
          "Name an approved tool, or all of them with {{pattern}}, in an agent's tools or in a step. Without a model: the step “MCP tool”.",
          { pattern: <code>mcp.{connection.name}.*</code> },
        )}
      </Typography>
      <CodeBlock text={JSON.stringify({ invoke: example }, null, 2)} what={t("the example")} />
    </Panel>
  );
}
