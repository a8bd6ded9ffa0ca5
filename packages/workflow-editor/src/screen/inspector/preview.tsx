import Box from "@mui/material/Box";
import type { Json } from "@oven/contract";
import { t } from "@oven/i18n";
import { type ReactElement, useContext } from "react";
import { FormContext } from "./form-context.ts";
import { type Answered, useEvaluation } from "./use-evaluation.ts";

const LONGEST = 200;

/** What an expression comes to over the run that was chosen. */
export function Preview({ value }: { value: Json }): ReactElement | null {
  const { past, place } = useContext(FormContext);
  const answered = useEvaluation(past, { value, ...toPlace(place) });
  if (past?.run === undefined || answered === null) return null;
  const { text, bad } = toText(answered);
  return (
    <Box role="status" sx={{ fontSize: 12, color: bad ? "warning.main" : "success.main", overflowWrap: "anywhere" }}>
      {past.checkpoint === null
        ? t("In run {{id}}: {{result}}", { id: past.run.id, result: text })
        : t("In run {{id}}, there: {{result}}", { id: past.run.id, result: text })}
    </Box>
  );
}

/** Where an expression stands, as the server is told. */
export function toPlace({ stateId, after }: { stateId: string | null; after: string | null }): {
  state?: string;
  after?: "done";
} {
  if (stateId === null) return {};
  return after === "done" ? { state: stateId, after } : { state: stateId };
}

function toText(answered: Answered): { text: string; bad: boolean } {
  if (!answered.ok) return { text: answered.message, bad: true };
  const { value, problem } = answered.evaluation;
  if (problem !== null) return { text: problem.message, bad: true };
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return { text: text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text, bad: false };
}
