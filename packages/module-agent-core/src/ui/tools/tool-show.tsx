import CheckRounded from "@mui/icons-material/CheckRounded";
import LockOutlined from "@mui/icons-material/LockOutlined";
import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Skeleton from "@mui/material/Skeleton";
import Typography from "@mui/material/Typography";
import { isGranted } from "@oven/contract";
import type { CatalogTool, TriedTool } from "@oven/contract/agent";
import { currentLocale, t, tx } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ApprovalFirst } from "@oven/ui/components/approval-first.tsx";
import { CodeBlock } from "@oven/ui/components/code-block.tsx";
import { CopyButton } from "@oven/ui/components/copy-button.tsx";
import { EffectChip } from "@oven/ui/components/effect-chip.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { PageHeader } from "@oven/ui/components/page-header.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { SchemaNotes } from "@oven/ui/components/schema-notes.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { Code } from "@oven/ui/components/tool-box.tsx";
import { TryTool } from "@oven/ui/components/try-tool.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { UsesList } from "@oven/ui/components/uses-panel.tsx";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";
import { usePermissions } from "react-admin";
import { useParams } from "react-router-dom";
import { permissionsOf, SOURCE_WORDS } from "./tool-words.ts";

const PARENT = { to: "/tools", label: t("Tools") };
const TWO_COLUMNS = {
  display: "grid",
  gap: 2,
  gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" },
};

export function ToolShow(): ReactElement {
  const { id = "" } = useParams();
  const { data: tool, error, refetch } = useRecord<CatalogTool>("tools", id);
  if (error) {
    return (
      <>
        <PageHeader title={id} parent={PARENT} />
        <ErrorPanel error={error} title={t("This tool could not be loaded")} onRetry={refetch} />
      </>
    );
  }
  if (tool === undefined) return <Skeleton variant="rounded" height={360} />;
  return <LoadedTool key={tool.id} tool={tool} />;
}

function LoadedTool({ tool }: { tool: CatalogTool }): ReactElement {
  const { id, title, description, effect, note, source, inputSchema, outputSchema } = tool;
  const { needsApproval, approvalWhen } = tool;
  return (
    <>
      <PageHeader
        title={title}
        parent={PARENT}
        badges={
          <>
            <EffectChip effect={effect} />
            {needsApproval ? (
              <ToneChip tone="paused" word={approvalWhen === undefined ? t("asks first") : t("may ask first")} />
            ) : null}
          </>
        }
        line={
          <>
            <Box component="span" sx={{ fontFamily: MONOSPACE, overflowWrap: "anywhere" }}>
              {id}
            </Box>
            <CopyButton text={id} what={t("the tool's name")} small />
            <span>{SOURCE_WORDS[source]}</span>
          </>
        }
      />
      <Box sx={{ display: "grid", gap: 2 }}>
        {note === undefined ? null : <Alert severity="warning">{note}</Alert>}
        {approvalWhen === undefined ? null : (
          <Alert severity="info" icon={false}>
            {t("A person must approve each call on whose arguments this holds:")}{" "}
            <Box component="code" sx={{ fontFamily: MONOSPACE, overflowWrap: "anywhere" }}>
              {approvalWhen}
            </Box>
          </Alert>
        )}
        <Panel title={t("What it does")}>
          <Typography variant="body2" sx={{ whiteSpace: "pre-line", overflowWrap: "anywhere" }}>
            {description}
          </Typography>
          <Permissions tool={tool} />
        </Panel>
        <TryPanel tool={tool} />
        <Box sx={TWO_COLUMNS}>
          <Panel title={t("What it takes")}>
            <JsonView value={inputSchema} what={t("the input schema")} maxHeight={360} />
            <SchemaNotes notes={tool.notes} />
          </Panel>
          <Panel title={t("What it answers")}>
            {Object.keys(outputSchema).length === 0 ? (
              <Typography variant="body2" color="text.secondary">
                {t("It does not say.")}
              </Typography>
            ) : (
              <JsonView value={outputSchema} what={t("the output schema")} maxHeight={360} />
            )}
          </Panel>
        </Box>
        <Box sx={TWO_COLUMNS}>
          <Panel title={t("Used by")}>
            <UsesList
              path={`tools/${encodeURIComponent(id)}/uses`}
              none={t("No agent and no published workflow that you may see names it.")}
            />
          </Panel>
          <Panel title={t("Use it in an agent")}>
            <Typography variant="body2" color="text.secondary" sx={{ mb: 1.5 }}>
              {tx("Name it in an agent's tools or in a step, or all of its kind with {{pattern}}.", {
                pattern: <code>{tool.group}.*</code>,
              })}
            </Typography>
            <CodeBlock
              text={JSON.stringify({ invoke: { src: "agent.toolLoop", input: { prompt: "…", tools: [id] } } }, null, 2)}
              what={t("the example")}
            />
          </Panel>
        </Box>
      </Box>
    </>
  );
}

function Permissions({ tool }: { tool: CatalogTool }): ReactElement {
  const { permissions: held } = usePermissions<string[]>();
  const needed = permissionsOf(tool);
  return (
    <Box sx={{ mt: 1.5, display: "flex", flexWrap: "wrap", gap: 1.5, fontSize: 13 }}>
      {needed.length === 0 ? t("Anybody who is signed in may call it.") : null}
      {needed.map((permission) => {
        const has = isGranted(held ?? [], permission);
        return (
          <Box
            key={permission}
            component="span"
            sx={{
              display: "inline-flex",
              alignItems: "center",
              gap: 0.5,
              color: has ? "text.secondary" : "error.main",
            }}
          >
            {has ? <CheckRounded sx={{ fontSize: 16 }} /> : <LockOutlined sx={{ fontSize: 16 }} />}
            <Code>{permission}</Code> {has ? t("is yours") : t("is not yours")}
          </Box>
        );
      })}
    </Box>
  );
}

function TryPanel({ tool }: { tool: CatalogTool }): ReactElement {
  const { id, title, effect, needsApproval, approvalWhen, granted, inputSchema } = tool;
  const mayCall = useCan("tools.call");
  const missing = [...(granted ? [] : permissionsOf(tool)), ...(mayCall ? [] : ["tools.call"])];
  return (
    <Panel title={t("Try it")}>
      {needsApproval && approvalWhen === undefined ? (
        <ApprovalFirst />
      ) : missing.length > 0 ? (
        <Typography variant="body2" color="text.secondary">
          {t("To call it by hand you would need {{permissions}}. Ask an admin, who can change your roles.", {
            permissions: new Intl.ListFormat(currentLocale()).format(missing),
          })}
        </Typography>
      ) : (
        <TryTool
          startsOpen
          name={title}
          schema={inputSchema}
          effect={effect}
          call={async (args) => {
            const path = `tools/${encodeURIComponent(id)}/call`;
            const { json } = await api(path, { method: "POST", body: { arguments: args } });
            return json as TriedTool; // cast: the shape of the route
          }}
        />
      )}
    </Panel>
  );
}
