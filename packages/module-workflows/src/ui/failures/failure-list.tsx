import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Skeleton from "@mui/material/Skeleton";
import type { RunFailures } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { ChoiceField } from "@oven/ui/components/choice-field.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { AGENT_WORKFLOWS, REGULAR_WORKFLOWS } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { PERIODS, type Period } from "../scores/periods.ts";
import { FailureCard } from "./failure-group.tsx";

const STEP = 20;

/** Failed runs of both kinds of workflow by what failed. */
export function FailureList(): ReactElement {
  const [days, setDays] = useState<Period>("7");
  const [round, setRound] = useState(0);
  const [shown, setShown] = useState(STEP);
  const ofAgents = useAnswer<RunFailures>(`${AGENT_WORKFLOWS.executionResource}/failures?days=${days}`, round);
  const ofOthers = useAnswer<RunFailures>(`${REGULAR_WORKFLOWS.executionResource}/failures?days=${days}`, round);
  const error = ofAgents.error ?? ofOthers.error;
  const isKnown = ofAgents.data !== undefined && ofOthers.data !== undefined;
  const groups = [...(ofAgents.data?.groups ?? []), ...(ofOthers.data?.groups ?? [])].toSorted((one, other) =>
    other.lastAt.localeCompare(one.lastAt),
  );
  return (
    <Box sx={{ display: "grid", gridTemplateColumns: "minmax(0, 1fr)", gap: 2, mx: -2 }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.5 }}>
        <Box sx={{ flex: "1 1 260px", color: "text.secondary" }}>
          {t(
            "Failed runs with the same code, step and message; numbers, ids and what stands in quotes count as the same.",
          )}
        </Box>
        <ChoiceField
          size="small"
          value={days}
          choices={PERIODS}
          onChange={setDays}
          slotProps={{ htmlInput: { "aria-label": t("How far back") } }}
        />
      </Box>
      {ofAgents.data?.partial === true || ofOthers.data?.partial === true ? (
        <Alert severity="info">
          {t("There are more failed runs than are looked at: the newest 10,000 of each kind.")}
        </Alert>
      ) : null}
      {error ? (
        <ErrorPanel error={error} title={t("The failures could not be read")} />
      ) : !isKnown ? (
        <Skeleton variant="rounded" height={140} />
      ) : groups.length === 0 ? (
        <Box sx={{ color: "text.secondary" }}>{t("No run has failed in these days.")}</Box>
      ) : (
        groups
          .slice(0, shown)
          .map((group) => (
            <FailureCard
              key={JSON.stringify([group.workflow.kind, group.workflow.id, group.code, group.nodeId, group.message])}
              group={group}
              onChange={() => setRound((before) => before + 1)}
            />
          ))
      )}
      {groups.length > shown ? (
        <Box>
          <Button onClick={() => setShown(shown + STEP)}>{t("Show more")}</Button>
        </Box>
      ) : null}
    </Box>
  );
}
