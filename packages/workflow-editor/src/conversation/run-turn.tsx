import Box from "@mui/material/Box";
import { getOwn } from "@oven/contract";
import { isTerminal } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FieldsView } from "@oven/ui/components/fields-view.tsx";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { useNow } from "@oven/ui/components/use-now.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement, ReactNode } from "react";
import { OpenReviews, toAsking } from "../review/open-reviews.tsx";
import { ExecutionOutcome } from "../run/execution-outcome.tsx";
import { RunLine } from "../run/run-line.tsx";
import type { ShownRun } from "../run/use-shown-run.ts";
import { MessageTurn, Turn, WritingTurn } from "./message-turns.tsx";
import { toAnswer, toAsked, toSaid, toUnsaid } from "./turn-messages.ts";

export interface RunTurnProps {
  kind: WorkflowKind;
  id: number;
  shown: ShownRun;
  /** What can be done with the run, beside how it stands. */
  children: ReactNode;
}

/** One turn as its run tells it: what the user said, what each step made of it, what people are asked, and what came of it. */
export function RunTurn({ kind, id, shown, children }: RunTurnProps): ReactElement {
  const { run, error, writing, events, labels, definition, refetch, connection } = shown;
  const going = run !== undefined && !isTerminal(run.status);
  const now = useNow(500, going);
  const said = toSaid(events);
  const unsaid = toUnsaid(writing, said);
  if (error) return <ErrorPanel error={error} title={t("Run #{{id}} could not be read", { id })} />;
  if (run === undefined) return <Box sx={{ fontSize: 13, color: "text.secondary" }}>{t("The run begins.")}</Box>;
  const nameOf = (nodeId: string): string => {
    const [state = nodeId, ...inner] = nodeId.split(".");
    return [getOwn(labels, state) ?? state, ...inner].join(" · ");
  };
  const answer = toAnswer(run, said);
  const isBroken = run.status === "failed" || run.status === "cancelled";
  return (
    <Box component="section" aria-label={t("Turn of run {{id}}", { id })} sx={{ display: "grid", gap: 1.5 }}>
      <Box component="ol" aria-label={t("Messages")} sx={{ display: "grid", gap: 1.5, m: 0, p: 0 }}>
        <Turn speaker="user" by="You">
          <Box sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere", lineHeight: "22px" }}>{toAsked(run.input)}</Box>
        </Turn>
        {said.map(({ seq, nodeId, message }) =>
          message.ok ? (
            <MessageTurn key={seq} message={message.message} by={nameOf(nodeId)} />
          ) : (
            <li key={seq} style={{ listStyle: "none" }}>
              <JsonView value={message.raw} what={t("a message of unknown form")} />
            </li>
          ),
        )}
        {unsaid.map((part) => (
          <WritingTurn key={`${part.nodeId} ${part.visit} ${part.attempt}`} part={part} by={nameOf(part.nodeId)} />
        ))}
        {answer === undefined ? null : (
          <Turn speaker="assistant" by="Answer">
            <FieldsView value={answer} what={t("the answer")} />
          </Turn>
        )}
      </Box>
      <OpenReviews {...toAsking(run)} onDecided={refetch} />
      {isBroken || run.status === "paused" ? (
        <ExecutionOutcome run={run} definition={definition} labels={labels} reviews={false} />
      ) : null}
      <RunLine kind={kind} run={run} now={now} lost={going && connection === "lost"}>
        {children}
      </RunLine>
    </Box>
  );
}
