import Box from "@mui/material/Box";
import { t } from "@oven/i18n";
import type { ReactElement } from "react";
import type { ToolStep } from "../../conversation/tool-steps.ts";
import { ToolStepsView } from "../../conversation/tool-steps-view.tsx";
import { toStepWords } from "./step-words.ts";

/** Rows that are seen while the assistant works; what came before them is in a fold. */
const SEEN = 3;

/** What the assistant did on the way to an answer, in plain words: the newest while it works, afterwards all of it in a fold. */
export function AssistantSteps({
  steps,
  when,
}: {
  steps: readonly ToolStep[];
  when: "going" | "over" | "opened";
}): ReactElement {
  const going = when === "going";
  // A question stands below with its answers.
  const shown = steps.filter(({ tool, state }) => state !== "running" || !tool.endsWith(".ask_person"));
  const seen = going ? shown.slice(-SEEN) : [];
  const folded = shown.slice(0, shown.length - seen.length);
  const current = going ? shown.at(-1) : undefined;
  return (
    <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 0.75 }}>
      {folded.length === 0 ? null : (
        <Box
          component="details"
          open={when === "opened"}
          sx={{ fontSize: 13, "& > summary": { cursor: "pointer", color: "text.secondary" } }}
        >
          <summary>{going ? t("{{count}} earlier steps", { count: folded.length }) : toCountText(folded)}</summary>
          <Box sx={{ mt: 0.75 }}>
            <ToolStepsView steps={folded} wordsOf={toStepWords} />
          </Box>
        </Box>
      )}
      <ToolStepsView steps={seen} wordsOf={toStepWords} />
      {current?.state !== "running" ? null : (
        <Box
          role="status"
          sx={{ position: "absolute", width: 1, height: "1px", overflow: "hidden", clipPath: "inset(50%)" }}
        >
          {toStepWords(current).title}
        </Box>
      )}
    </Box>
  );
}

function toCountText(steps: readonly ToolStep[]): string {
  return t("{{count}} steps", { count: steps.length });
}
