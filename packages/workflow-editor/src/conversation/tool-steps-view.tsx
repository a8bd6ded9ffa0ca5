import BuildOutlined from "@mui/icons-material/BuildOutlined";
import Box from "@mui/material/Box";
import { t } from "@oven/i18n";
import { formatDuration } from "@oven/ui/components/format.ts";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { Code, previewJson } from "@oven/ui/components/tool-box.tsx";
import type { ReactElement, ReactNode } from "react";
import type { ToolStep } from "./tool-steps.ts";

/** What was called on the way to an answer: one line each, which opens to what was asked and answered. */
export function ToolStepsView({ steps }: { steps: readonly ToolStep[] }): ReactElement | null {
  if (steps.length === 0) return null;
  return (
    <Box component="ul" aria-label={t("Tools")} sx={{ display: "grid", gap: 0.75, m: 0, p: 0, listStyle: "none" }}>
      {steps.map((step) => (
        <li key={step.id}>
          <ToolStepView step={step} />
        </li>
      ))}
    </Box>
  );
}

const WORDS: Record<ToolStep["state"], string> = { running: "Calls", done: "Called", failed: t("Could not call") };

function ToolStepView({ step }: { step: ToolStep }): ReactElement {
  const { tool, state, error, durationMs, result } = step;
  return (
    <Box
      component="details"
      sx={{
        border: 1,
        borderColor: state === "failed" ? "error.main" : "divider",
        borderRadius: 2,
        fontSize: 13,
        "& > summary": { display: "flex", alignItems: "center", gap: 0.75, cursor: "pointer", px: 1.25, py: 0.75 },
      }}
    >
      <summary>
        <BuildOutlined sx={{ fontSize: 15, color: "var(--oven-kind-tool)", flex: "none" }} />
        <Box component="span" sx={{ flex: "none" }}>
          {WORDS[state]} <Code>{tool}</Code>
        </Box>
        <Box
          component="span"
          sx={{
            flex: 1,
            minWidth: 0,
            overflow: "hidden",
            textOverflow: "ellipsis",
            whiteSpace: "nowrap",
            color: "text.secondary",
          }}
        >
          {error ?? previewJson(step.arguments)}
        </Box>
        {durationMs === null ? null : (
          <Box component="span" sx={{ flex: "none", color: "text.secondary" }}>
            {formatDuration(durationMs)}
          </Box>
        )}
      </summary>
      <Box sx={{ display: "grid", gap: 1, px: 1.25, pb: 1.25 }}>
        <Part title={t("Asked with")}>
          <JsonView value={step.arguments} maxHeight={240} what={t("the arguments")} />
        </Part>
        {result === undefined ? null : (
          <Part title={t("Answered")}>
            <JsonView value={result} maxHeight={320} what={t("the result")} />
          </Part>
        )}
        {error === null ? null : <Part title={t("What went wrong")}>{error}</Part>}
      </Box>
    </Box>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }): ReactElement {
  return (
    <div>
      <Box sx={{ fontSize: 12, fontWeight: 600, color: "text.secondary", mb: 0.25 }}>{title}</Box>
      {children}
    </div>
  );
}
