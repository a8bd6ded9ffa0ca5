import ErrorOutlineRounded from "@mui/icons-material/ErrorOutlineRounded";
import WarningAmberRounded from "@mui/icons-material/WarningAmberRounded";
import Box from "@mui/material/Box";
import type { Problem } from "@oven/contract";
import { t } from "@oven/i18n";
import { problemText } from "@oven/ui/components/schema-note-text.ts";
import { MONOSPACE } from "@oven/ui/theme/tokens.ts";
import type { ReactElement } from "react";

/** What is wrong, where, and what to do; a click goes to the place, which has a line where the definition is text. */
export function ProblemList<Found extends Problem & { line?: number }>({
  problems,
  placeOf,
  onJump,
}: {
  problems: readonly Found[];
  /** Says where it is in words; absent: its path, where the definition is text. */
  placeOf?: (path: string) => string;
  onJump: (problem: Found) => void;
}): ReactElement {
  return (
    <Box component="ul" aria-label={t("Problems")} sx={{ m: 0, p: 0, listStyle: "none" }}>
      {problems.map((problem) => {
        const warning = problem.severity === "warning";
        const { message, fix } = problemText(problem);
        const Icon = warning ? WarningAmberRounded : ErrorOutlineRounded;
        return (
          <Box
            component="li"
            key={`${problem.path} ${problem.rule} ${problem.message}`}
            sx={{ borderBottom: 1, borderColor: "divider", "&:last-of-type": { borderBottom: 0 } }}
          >
            <Box
              component="button"
              type="button"
              onClick={() => onJump(problem)}
              sx={{
                display: "flex",
                gap: 1,
                width: "100%",
                px: 1.75,
                py: 1.125,
                border: 0,
                bgcolor: "transparent",
                color: "inherit",
                font: "inherit",
                textAlign: "left",
                cursor: "pointer",
                "&:hover": { bgcolor: "action.hover" },
                "&:focus-visible": { outlineOffset: "-2px" },
              }}
            >
              <Icon
                titleAccess={warning ? "Warning" : "Error"}
                sx={{ flex: "none", fontSize: 18, mt: "1px", color: warning ? "warning.main" : "error.main" }}
              />
              <Box sx={{ minWidth: 0, fontSize: 13, lineHeight: "19px" }}>
                <Box sx={{ fontWeight: 550, overflowWrap: "anywhere" }}>{message}</Box>
                <Box sx={{ color: "text.secondary", overflowWrap: "anywhere" }}>{fix}</Box>
                <Box
                  title={problem.path}
                  sx={{
                    mt: 0.25,
                    fontFamily: placeOf === undefined ? MONOSPACE : undefined,
                    fontSize: 12,
                    color: "text.secondary",
                    overflowWrap: "anywhere",
                  }}
                >
                  {problem.line === undefined ? "" : `${t("line {{line}}", { line: problem.line })} · `}
                  {placeOf === undefined ? problem.path : placeOf(problem.path)}
                </Box>
              </Box>
            </Box>
          </Box>
        );
      })}
    </Box>
  );
}
