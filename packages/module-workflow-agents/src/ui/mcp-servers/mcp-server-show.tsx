import RefreshRounded from "@mui/icons-material/RefreshRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Link from "@mui/material/Link";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import type { McpServer } from "@oven/contract/mcp";
import { t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { CodeBlock } from "@oven/ui/components/code-block.tsx";
import { CopyButton } from "@oven/ui/components/copy-button.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { SchemaNotes } from "@oven/ui/components/schema-notes.tsx";
import { TabBar } from "@oven/ui/components/tab-bar.tsx";
import { TryTool } from "@oven/ui/components/try-tool.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";
import { useNotify, useRefresh } from "react-admin";
import { Link as RouterLink, useParams } from "react-router-dom";
import { callServerTool } from "./call-server-tool.ts";
import { ServerStatus } from "./mcp-server-list.tsx";
import { KEY_PLACEHOLDER, toSnippets } from "./snippets.ts";

const PARENT = { to: "/mcp-servers", label: t("MCP Servers") };

export function McpServerShow(): ReactElement {
  const { id = "" } = useParams();
  const { data: server, error, refetch } = useRecord<McpServer>("mcp-servers", id);
  if (error) {
    return (
      <>
        <PageHeader title={t("MCP server {{id}}", { id })} parent={PARENT} />
        <ErrorPanel error={error} title={t("This MCP server could not be loaded")} onRetry={refetch} />
      </>
    );
  }
  if (server === undefined) return <Skeleton variant="rounded" height={360} />;
  return <LoadedServer server={server} />;
}

function LoadedServer({ server }: { server: McpServer }): ReactElement {
  const refresh = useRefresh();
  const notify = useNotify();
  const mayRegenerate = useCan("mcp-servers.update");
  const { busy, failure, run } = useAction(async () => {
    await api(`mcp-servers/${server.id}/regenerate`, { method: "POST", body: {} });
    notify(t("The tools were generated again"), { type: "success" });
    refresh();
  });
  return (
    <>
      <PageHeader
        title={server.name}
        parent={PARENT}
        badges={<ServerStatus status={server.status} />}
        line={
          <>
            <span>{tx("generated {{time}}", { time: <RelativeTime at={server.lastGeneratedAt} /> })}</span>
            <Link component={RouterLink} to={`/agent-workflows/${server.agentWorkflowId}/show`}>
              {t("Open the workflow")}
            </Link>
          </>
        }
        actions={
          mayRegenerate ? (
            <Button variant="outlined" startIcon={<RefreshRounded />} loading={busy} onClick={() => void run()}>
              {t("Generate again")}
            </Button>
          ) : undefined
        }
      />
      <Box sx={{ display: "grid", gap: 2 }}>
        {failure === null ? null : <ErrorPanel error={failure} title={t("The tools were not generated")} />}
        <Panel title={t("Address")}>
          <Box sx={{ display: "flex", alignItems: "center", gap: 1, fontFamily: MONOSPACE, overflowWrap: "anywhere" }}>
            <Box sx={{ minWidth: 0 }}>{server.url}</Box>
            <CopyButton text={server.url} what={t("the address")} />
          </Box>
          <Typography variant="body2" color="text.secondary" sx={{ mt: 1 }}>
            {tx("Streamable HTTP. Each request carries an API key; put yours in the place of {{placeholder}}.", {
              placeholder: <code>{KEY_PLACEHOLDER}</code>,
            })}{" "}
            <Link component={RouterLink} to="/api-keys" underline="always">
              {t("Make an API key")}
            </Link>
          </Typography>
        </Panel>
        <Panel flush>
          <TabBar
            label={t("Snippets")}
            tabs={toSnippets(server).map((snippet) => ({
              id: snippet.id,
              label: snippet.title,
              content: () => (
                <>
                  <Typography variant="body2" color="text.secondary" sx={{ mb: 1.5 }}>
                    {snippet.hint}
                  </Typography>
                  <CodeBlock text={snippet.text} what={t("the {{title}} snippet", { title: snippet.title })} />
                </>
              ),
            }))}
          />
        </Panel>
        <Panel
          title={t("Tools")}
          flush
          aside={<Box sx={{ fontSize: 12.5, color: "text.secondary" }}>{server.toolDefinitions.length}</Box>}
        >
          {server.toolDefinitions.map((tool) => (
            <Box
              key={tool.name}
              component="details"
              sx={{
                borderBottom: 1,
                borderColor: "divider",
                "&:last-of-type": { borderBottom: 0 },
                "& > summary": { cursor: "pointer", px: 2, py: 1.5 },
              }}
            >
              <summary>
                <Box component="span" sx={{ fontFamily: MONOSPACE, fontWeight: 600 }}>
                  {tool.name}
                </Box>
                <Box component="span" sx={{ ml: 1.25, fontSize: 13, color: "text.secondary" }}>
                  {tool.title}
                </Box>
              </summary>
              <Box sx={{ display: "grid", gap: 1.5, px: 2, pb: 2 }}>
                <Typography variant="body2" sx={{ whiteSpace: "pre-line" }}>
                  {tool.description}
                </Typography>
                <Box
                  sx={{
                    display: "grid",
                    gap: 2,
                    gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" },
                  }}
                >
                  <Box>
                    <Box sx={{ mb: 0.5, fontSize: 12, fontWeight: 600, color: "text.secondary" }}>
                      {t("Input schema")}
                    </Box>
                    <JsonView value={tool.inputSchema} what={t("the input schema")} maxHeight={340} />
                  </Box>
                  <Box>
                    <Box sx={{ mb: 0.5, fontSize: 12, fontWeight: 600, color: "text.secondary" }}>
                      {t("Output schema")}
                    </Box>
                    <JsonView value={tool.outputSchema} what={t("the output schema")} maxHeight={340} />
                  </Box>
                </Box>
                <SchemaNotes notes={tool.notes} />
                {server.status === "active" ? (
                  <TryTool
                    schema={tool.inputSchema}
                    name={tool.name}
                    call={(args) => callServerTool(server, tool.name, args)}
                  />
                ) : null}
              </Box>
            </Box>
          ))}
        </Panel>
      </Box>
    </>
  );
}
