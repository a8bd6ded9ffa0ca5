import Box from "@mui/material/Box";
import { t } from "@oven/i18n";
import { CodeBlock } from "@oven/ui/components/code-block.tsx";
import { StatusChip } from "@oven/ui/components/status-chip.tsx";
import { Code, ToolBox } from "@oven/ui/components/tool-box.tsx";
import { ToolOutcome } from "@oven/ui/components/tool-outcome.tsx";
import type { ReactElement } from "react";
import type { ShownCall, ShownProgram } from "./read-programs.ts";

/** Programs of a run beside the calls that they made. */
export function RunPrograms({ programs }: { programs: readonly ShownProgram[] }): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 3 }}>
      {programs.map(({ nodeId, program, corrections, calls }) => (
        <Box
          key={nodeId}
          sx={{
            display: "grid",
            gap: 2,
            gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" },
          }}
        >
          <Box>
            <Box sx={{ mb: 0.75, fontWeight: 600 }}>{t("Program of {{step}}", { step: nodeId })}</Box>
            <CodeBlock text={program} what={t("the program")} />
            {corrections === 0 ? null : (
              <Box sx={{ mt: 0.75, color: "text.secondary" }}>
                {t("Corrections by the model: {{times}}", { times: corrections })}
              </Box>
            )}
          </Box>
          <Box>
            <Box sx={{ mb: 0.75, fontWeight: 600 }}>{t("Its calls ({{total}})", { total: calls.length })}</Box>
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
      ))}
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
