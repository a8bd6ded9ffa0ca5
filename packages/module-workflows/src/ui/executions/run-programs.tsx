import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { CodeBlock } from "@oven/ui/components/code-block.tsx";
import { StatusChip } from "@oven/ui/components/status-chip.tsx";
import { Code, ToolBox } from "@oven/ui/components/tool-box.tsx";
import { ToolOutcome } from "@oven/ui/components/tool-outcome.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { ProgramGraphDialog } from "./program-graph-dialog.tsx";
import type { ShownCall, ShownProgram } from "./read-programs.ts";

export interface RunProgramsProps {
  programs: readonly ShownProgram[];
  /** What the run is pinned to; undefined: it is not there yet. */
  definition: JsonObject | undefined;
  kind: WorkflowKind;
}

/** Programs of a run beside the calls that they made. */
export function RunPrograms({ programs, definition, kind }: RunProgramsProps): ReactElement {
  const [asked, setAsked] = useState<ShownProgram | null>(null);
  const mayCreate = useCan(`${kind.resource}.create`);
  return (
    <Box sx={{ display: "grid", gap: 3 }}>
      {asked === null || definition === undefined ? null : (
        <ProgramGraphDialog
          kind={kind}
          definition={definition}
          stateId={asked.nodeId}
          program={asked.program}
          onClose={() => setAsked(null)}
        />
      )}
      {programs.map((shown) => {
        const { nodeId, program, corrections, calls } = shown;
        return (
          <Box
            key={nodeId}
            sx={{
              display: "grid",
              gap: 2,
              gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" },
            }}
          >
            <Box>
              <Box sx={{ mb: 0.75, display: "flex", alignItems: "center", gap: 1, minHeight: 32 }}>
                <Box sx={{ fontWeight: 600, flex: 1, minWidth: 0 }}>{t("Program of {{step}}", { step: nodeId })}</Box>
                {mayCreate && definition !== undefined ? (
                  <Button size="small" variant="outlined" onClick={() => setAsked(shown)}>
                    {t("Make a graph of it")}
                  </Button>
                ) : null}
              </Box>
              <CodeBlock text={program} what={t("the program")} />
              {corrections === 0 ? null : (
                <Box sx={{ mt: 0.75, color: "text.secondary" }}>
                  {t("Corrections by the model: {{times}}", { times: corrections })}
                </Box>
              )}
            </Box>
            <Box>
              <Box sx={{ mb: 0.75, fontWeight: 600, minHeight: 32, display: "flex", alignItems: "center" }}>
                {t("Its calls ({{total}})", { total: calls.length })}
              </Box>
              <Box sx={{ display: "grid", gap: 0.75, maxHeight: 560, overflowY: "auto" }}>
                {calls.map((call) => (
                  <ToolBox
                    key={call.key}
                    failed={call.error !== null}
                    title={<CallTitle call={call} />}
                    value={call.value}
                  />
                ))}
              </Box>
            </Box>
          </Box>
        );
      })}
    </Box>
  );
}

function CallTitle({ call: { tool, status, result, error } }: { call: ShownCall }): ReactElement {
  if (status === "completed" || status === "failed")
    return <ToolOutcome tool={tool} failed={error !== null} value={error ?? result} />;
  return (
    <Box component="span" sx={{ display: "inline-flex", gap: 1, alignItems: "center" }}>
      <Code>{tool}</Code>
      <StatusChip status={status} />
    </Box>
  );
}
