import AutoFixHighRounded from "@mui/icons-material/AutoFixHighRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { JsonEditor } from "@oven/ui/components/json-editor/json-editor.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useNodeTypes } from "@oven/ui/components/use-node-types.ts";
import { type PlacedProblem, toMarks } from "@oven/workflow-editor/definition/check-definition.ts";
import { ProblemList } from "@oven/workflow-editor/definition/problem-list.tsx";
import { LazyWorkflowGraph } from "@oven/workflow-editor/lazy-workflow-graph";
import { type ReactElement, useEffect, useState } from "react";
import type { DefinitionCheck } from "./use-definition-check.ts";

function Verdict({ check }: { check: DefinitionCheck }): ReactElement {
  const errors = check.problems.filter((problem) => problem.severity === "error").length;
  const warnings = check.problems.length - errors;
  if (check.state === "failed") return <ToneChip tone="paused" word={t("not checked")} />;
  if (check.state === "checking") return <ToneChip tone="queued" word={t("checking")} />;
  if (errors > 0)
    return <ToneChip tone="failed" word={errors === 1 ? t("1 problem") : t("{{errors}} problems", { errors })} />;
  if (warnings > 0)
    return <ToneChip tone="paused" word={warnings === 1 ? t("1 warning") : t("{{warnings}} warnings", { warnings })} />;
  return <ToneChip tone="completed" word={t("valid")} />;
}

export interface DefinitionEditorProps {
  text: string;
  onChange: (text: string) => void;
  check: DefinitionCheck;
}

/** The JSON, its graph drawn as it is typed, and what is wrong with it. */
export function DefinitionEditor({ text, onChange, check }: DefinitionEditorProps): ReactElement {
  const nodeTypes = useNodeTypes();
  const [jump, setJump] = useState<{ offset: number; end: number } | null>(null);
  // While the text is no JSON the last graph stays.
  const [drawn, setDrawn] = useState<JsonObject | null>(check.parsed.ok ? check.parsed.definition : null);
  useEffect(() => {
    if (!check.parsed.ok) return;
    const { definition } = check.parsed;
    const timer = setTimeout(() => setDrawn(definition), 250);
    return () => clearTimeout(timer);
  }, [check.parsed]);
  const onJump = (problem: PlacedProblem): void => setJump({ offset: problem.offset, end: problem.end });
  const { parsed } = check;
  return (
    <Box
      sx={{
        display: "grid",
        gap: 2,
        gridTemplateColumns: { xs: "minmax(0, 1fr)", lg: "minmax(0, 1fr) minmax(0, 1fr)" },
      }}
    >
      <Panel
        flush
        title={t("Definition")}
        aside={
          <Button
            size="small"
            startIcon={<AutoFixHighRounded />}
            disabled={!parsed.ok}
            onClick={() => parsed.ok && onChange(JSON.stringify(parsed.definition, null, 2))}
          >
            {t("Format")}
          </Button>
        }
      >
        <JsonEditor
          label={t("Definition as JSON")}
          value={text}
          onChange={onChange}
          marks={toMarks(check.problems)}
          jump={jump}
          height="min(640px, 70vh)"
        />
        <Box sx={{ px: 1.75, py: 0.75, borderTop: 1, borderColor: "divider", fontSize: 12, color: "text.secondary" }}>
          {t("Tab indents. Press Escape, then Tab, to leave the editor.")}
        </Box>
      </Panel>
      <Box sx={{ display: "grid", gap: 2, alignContent: "start" }}>
        <Panel flush title={t("Graph")}>
          <Box sx={{ height: { xs: 260, lg: 360 } }}>
            {drawn === null ? null : (
              <LazyWorkflowGraph
                definition={drawn}
                nodeTypes={nodeTypes}
                label={t("Graph of the definition being edited")}
              />
            )}
          </Box>
        </Panel>
        <Panel
          flush
          title={t("Problems")}
          aside={
            <Box aria-live="polite">
              <Verdict check={check} />
            </Box>
          }
        >
          {check.failure !== null ? (
            <Box sx={{ p: 1.75 }}>
              <ErrorPanel error={check.failure} title={t("The definition could not be checked")} />
            </Box>
          ) : check.problems.length === 0 ? (
            <Box sx={{ px: 1.75, py: 1.5, fontSize: 13, color: "text.secondary" }}>
              {check.state === "checking"
                ? t("The server is looking at it.")
                : t("Nothing to complain about. Saving publishes it.")}
            </Box>
          ) : (
            <ProblemList problems={check.problems} onJump={onJump} />
          )}
        </Panel>
      </Box>
    </Box>
  );
}
