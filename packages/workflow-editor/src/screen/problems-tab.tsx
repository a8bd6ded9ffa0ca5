import Box from "@mui/material/Box";
import type { Problem } from "@oven/contract";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import type { ReactElement } from "react";
import { ProblemList } from "../definition/problem-list.tsx";
import type { ServerCheck } from "../definition/use-server-check.ts";

/** What is wrong. A click shows the state. */
export function ProblemsTab({
  check,
  onJump,
}: {
  check: ServerCheck;
  onJump: (problem: Problem) => void;
}): ReactElement {
  if (check.failure !== null)
    return (
      <Box sx={{ p: 1.75 }}>
        <ErrorPanel error={check.failure} title={t("The workflow could not be checked")} />
      </Box>
    );
  if (check.problems.length > 0) return <ProblemList problems={check.problems} onJump={onJump} />;
  return (
    <Box sx={{ px: 1.75, py: 1.5, fontSize: 13, color: "text.secondary" }}>
      {check.state === "checking" ? t("The server is looking at it.") : t("Nothing to complain about.")}
    </Box>
  );
}
