import Box from "@mui/material/Box";
import { type Execution, type RunScore, type ScoreSource, THUMBS } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { Panel } from "@oven/ui/components/panel.tsx";
import { RelativeTime } from "@oven/ui/components/relative-time.tsx";
import { Thumbs } from "@oven/ui/components/thumbs.tsx";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { kindOf } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useState } from "react";
import { formatScore } from "./score-words.ts";

const BY: Record<ScoreSource, string> = {
  person: t("by a person"),
  api: t("over the API"),
  mcp: t("over MCP"),
  judge: t("by a judge"),
  event: t("by a workflow"),
};

/** What is thought of a run, and a thumb of one's own. */
export function RunScores({ run }: { run: Execution }): ReactElement | null {
  const mayRead = useCan("scores.read");
  const mayWrite = useCan("scores.write");
  const [round, setRound] = useState(0);
  const path = `${kindOf(run.kind).executionResource}/${run.id}/scores`;
  const { data: scores, error } = useAnswer<RunScore[]>(mayRead ? path : null, round);
  if (!mayRead) return null;
  if (error) return <ErrorPanel error={error} title={t("The scores could not be read")} />;
  if (scores === undefined || (scores.length === 0 && !mayWrite)) return null;
  const mine = scores.find(({ name, mine: own }) => own && name === THUMBS);
  const rate = async ({ value, comment }: { value: 0 | 1 | null; comment: string | null }): Promise<void> => {
    if (value !== null) await api(path, { method: "POST", body: { name: THUMBS, value, comment } });
    else if (mine !== undefined) await api(`${path}/${mine.id}`, { method: "DELETE" });
    setRound((before) => before + 1);
  };
  return (
    <Panel
      title={t("Scores")}
      flush={scores.length === 0}
      aside={
        mayWrite ? (
          <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", justifyContent: "flex-end", gap: 0.5 }}>
            <Thumbs thumb={mine ?? { value: null, comment: null }} onChange={rate} />
          </Box>
        ) : null
      }
    >
      {scores.length === 0 ? null : (
        <Box component="ul" sx={{ m: 0, p: 0, listStyle: "none", display: "grid", gap: 1 }}>
          {scores.map((score) => (
            <Score key={score.id} score={score} />
          ))}
        </Box>
      )}
    </Panel>
  );
}

function Score({ score: { name, value, comment, source, scorerName, updatedAt } }: { score: RunScore }): ReactElement {
  return (
    <Box component="li" sx={{ display: "flex", flexWrap: "wrap", columnGap: 1.5, rowGap: 0.25, fontSize: 13.5 }}>
      <Box sx={{ fontWeight: 600, minWidth: 88 }}>{name}</Box>
      <Box sx={{ minWidth: 44, fontVariantNumeric: "tabular-nums" }}>{formatScore(name, value)}</Box>
      <Box sx={{ flex: "1 1 200px", minWidth: 0, overflowWrap: "anywhere" }}>{comment}</Box>
      <Box sx={{ color: "text.secondary" }}>
        {scorerName ?? BY[source]} · <RelativeTime at={updatedAt} />
      </Box>
    </Box>
  );
}
