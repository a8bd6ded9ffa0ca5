import Box from "@mui/material/Box";
import type { JsonObject, Problem } from "@oven/contract";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import type { ReactElement } from "react";
import { placeInWords } from "../definition/place-in-words.ts";
import { ProblemList } from "../definition/problem-list.tsx";
import type { ServerCheck } from "../definition/use-server-check.ts";

/** What is wrong. A click shows the state. */
export function ProblemsTab({
  check,
  definition,
  onJump,
}: {
  check: ServerCheck;
  definition: JsonObject;
  onJump: (problem: Problem) => void;
}): ReactElement {
  if (check.failure !== null)
    return (
      <Box sx={{ p: 1.75 }}>
        <ErrorPanel error={check.failure} title={t("The workflow could not be checked")} />
      </Box>
    );
  if (check.problems.length > 0) {
    const placeOf = (path: string): string => placeInWords(definition, path);
    return <ProblemList problems={check.problems} placeOf={placeOf} onJump={onJump} />;
  }
  return (
    <Box sx={{ px: 1.75, py: 1.5, fontSize: 13, color: "text.secondary" }}>
      {check.state === "checking" ? t("The server is looking at it.") : t("Nothing to complain about.")}
    </Box>
  );
}
