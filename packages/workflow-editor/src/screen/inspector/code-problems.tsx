import Box from "@mui/material/Box";
import ButtonBase from "@mui/material/ButtonBase";
import type { Problem } from "@oven/contract";
import { problemText } from "@oven/ui/components/schema-note-text.ts";
import type { ReactElement } from "react";
import { rangeOfLine } from "../../inspector/range-of-line.ts";

/** What is wrong with code, each with the way to its line. @param fieldId the field with the code */
export function CodeProblems({ fieldId, problems }: { fieldId: string; problems: readonly Problem[] }): ReactElement {
  return (
    <Box sx={{ display: "grid", gap: 0.25 }}>
      {problems.map((problem) => {
        const { line, severity } = problem;
        const { message } = problemText(problem);
        const color = severity === "warning" ? "var(--oven-status-paused)" : "error.main";
        return line === undefined ? (
          <Box key={message} sx={{ color }}>
            {message}
          </Box>
        ) : (
          <ButtonBase
            key={message}
            onClick={() => showLine(fieldId, line)}
            sx={{ color, font: "inherit", justifyContent: "start", textAlign: "start", borderRadius: 0.5 }}
          >
            {message}
          </ButtonBase>
        );
      })}
    </Box>
  );
}

function showLine(fieldId: string, line: number): void {
  const field = document.getElementById(fieldId);
  if (!(field instanceof HTMLTextAreaElement)) return;
  const { from, to } = rangeOfLine(field.value, line);
  field.focus();
  field.setSelectionRange(from, to);
}
