import Box from "@mui/material/Box";
import Typography from "@mui/material/Typography";
import type { Definition, Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { formatDuration, formatMoney } from "@oven/ui/components/format.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { useWorstCase } from "@oven/workflow-editor/definition/use-worst-case.ts";
import { WorstCaseView } from "@oven/workflow-editor/definition/worst-case-view.tsx";
import type { ReactElement } from "react";

const word = (on: boolean | undefined): string | undefined => (on === undefined ? undefined : on ? t("on") : t("off"));
const duration = (ms: number | undefined): string | undefined => (ms === undefined ? undefined : formatDuration(ms));

/** What the definition sets for its runs, and what one needs at most. */
export function WorkflowConfig(props: { kind: WorkflowKind; workflow: Workflow }): ReactElement {
  return (
    <>
      <Limits {...props} />
      <RunNeeds {...props} />
    </>
  );
}

/** What a run of the version needs at most, before any limit of it. */
function RunNeeds({ kind, workflow }: { kind: WorkflowKind; workflow: Workflow }): ReactElement | null {
  const { worst, failure } = useWorstCase(kind.resource, workflow.id, workflow.definition);
  if (worst === null && failure === null) return null;
  return (
    <Box sx={{ p: 2, borderTop: 1, borderColor: "divider" }}>
      <Typography variant="h3" sx={{ mb: 1 }}>
        {t("What a run needs at most")}
      </Typography>
      {worst === null ? (
        <ErrorPanel error={failure} title={t("The worst case could not be computed")} />
      ) : (
        <WorstCaseView worst={worst} />
      )}
    </Box>
  );
}

/** What the definition leaves open is as the modules are configured. */
function Limits({ kind, workflow }: { kind: WorkflowKind; workflow: Workflow }): ReactElement {
  const { timeoutMs, maxSteps, maxTokens, maxCostMicros, ...rest } = workflow.definition as unknown as Definition; // cast: it was checked when it was saved
  const { agentConfig = {}, memoryConfig, maxToolIterations, streamingEnabled, mcp } = rest;
  const limits: [string, string | number | undefined][] = [
    [t("Longest active time"), duration(timeoutMs)],
    [t("Most steps of a run"), maxSteps],
    [t("Most tokens of a run"), maxTokens],
    [t("Most a run may cost"), maxCostMicros === undefined ? undefined : formatMoney(maxCostMicros)],
  ];
  const ofAgents: [string, string | number | undefined][] = [
    [t("Model"), agentConfig.model],
    [t("Temperature"), agentConfig.temperature],
    [t("Top P"), agentConfig.topP],
    [t("Most tokens of an answer"), agentConfig.maxOutputTokens],
    [t("Seed"), agentConfig.seed],
    [t("Seconds for one call"), duration(agentConfig.timeoutMs)],
    [t("Tools"), agentConfig.tools?.join(", ")],
    [t("Most answers of the model in a run"), maxToolIterations],
    [t("Shows answers as they are written"), word(streamingEnabled)],
    [t("It remembers"), word(memoryConfig && memoryConfig.enabled !== false)],
    [t("Offered over MCP"), word(workflow.mcpExport)],
    [t("Cancelled with the call over MCP"), word(mcp?.cancelOnAbort) ?? t("where nothing else waits for it")],
  ];
  return (
    <Box
      component="dl"
      sx={{
        m: 0,
        p: 2,
        display: "grid",
        gap: 1.25,
        gridTemplateColumns: { xs: "repeat(2, minmax(0, 1fr))", md: "repeat(4, minmax(0, 1fr))" },
      }}
    >
      {[...limits, ...(kind.mcp ? ofAgents : [])].map(([name, value]) => (
        <Box key={name} sx={{ minWidth: 0 }}>
          <Box component="dt" sx={{ fontSize: 12.5, color: "text.secondary" }}>
            {name}
          </Box>
          <Box
            component="dd"
            sx={{ m: 0, overflowWrap: "anywhere", ...(value === undefined ? { color: "text.secondary" } : {}) }}
          >
            {value ?? t("as configured")}
          </Box>
        </Box>
      ))}
    </Box>
  );
}
