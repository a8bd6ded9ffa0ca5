import BuildOutlined from "@mui/icons-material/BuildOutlined";
import CheckRounded from "@mui/icons-material/CheckRounded";
import ErrorOutlineRounded from "@mui/icons-material/ErrorOutlineRounded";
import Box from "@mui/material/Box";
import CircularProgress from "@mui/material/CircularProgress";
import { t } from "@oven/i18n";
import { formatDuration } from "@oven/ui/components/format.ts";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { Code, previewJson } from "@oven/ui/components/tool-box.tsx";
import type { ReactElement, ReactNode } from "react";
import type { ToolStep } from "./tool-steps.ts";

/** A call in plain words. */
export interface StepWords {
  title: string;
  detail: string;
}

/** What was called on the way to an answer: one line each, which opens to what was asked and answered. `wordsOf`: what it is called, and what it is about. */
export function ToolStepsView({
  steps,
  wordsOf,
}: {
  steps: readonly ToolStep[];
  wordsOf?: (step: ToolStep) => StepWords;
}): ReactElement | null {
  if (steps.length === 0) return null;
  return (
    <Box component="ul" aria-label={t("Tools")} sx={{ display: "grid", gap: 0.75, m: 0, p: 0, listStyle: "none" }}>
      {steps.map((step) => (
        <li key={step.id}>
          <ToolStepView step={step} words={wordsOf?.(step)} />
        </li>
      ))}
    </Box>
  );
}

const WORDS: Record<ToolStep["state"], string> = { running: "Calls", done: "Called", failed: t("Could not call") };

function ToolStepView({ step, words }: { step: ToolStep; words: StepWords | undefined }): ReactElement {
  const { tool, state, error, durationMs, result } = step;
  return (
    <Box
      component="details"
      sx={{
        border: words === undefined ? 1 : 0,
        borderColor: state === "failed" ? "error.main" : "divider",
        borderRadius: 2,
        fontSize: 13,
        "& > summary": {
          display: "flex",
          alignItems: "center",
          gap: 0.75,
          cursor: "pointer",
          px: words === undefined ? 1.25 : 0,
          py: words === undefined ? 0.75 : 0.125,
          borderRadius: 1,
        },
      }}
    >
      <summary>
        {words === undefined ? (
          <BuildOutlined sx={{ fontSize: 15, color: "var(--oven-kind-tool)", flex: "none" }} />
        ) : (
          <StateIcon state={state} />
        )}
        <Box component="span" sx={{ flex: "none" }}>
          {words?.title ?? (
            <>
              {WORDS[state]} <Code>{tool}</Code>
            </>
          )}
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
          {error ?? words?.detail ?? previewJson(step.arguments)}
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

/** How a call stands, where its words do not say it. */
function StateIcon({ state }: Pick<ToolStep, "state">): ReactElement {
  const look = { fontSize: 16, flex: "none" };
  if (state === "done")
    return <CheckRounded titleAccess={t("done")} sx={{ ...look, color: "var(--oven-status-completed)" }} />;
  if (state === "failed")
    return <ErrorOutlineRounded titleAccess={t("failed")} sx={{ ...look, color: "var(--oven-status-failed)" }} />;
  return <CircularProgress size={12} thickness={5} aria-label={t("running")} sx={{ flex: "none", m: "2px" }} />;
}

function Part({ title, children }: { title: string; children: ReactNode }): ReactElement {
  return (
    <div>
      <Box sx={{ fontSize: 12, fontWeight: 600, color: "text.secondary", mb: 0.25 }}>{title}</Box>
      {children}
    </div>
  );
}
