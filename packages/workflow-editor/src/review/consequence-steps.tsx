import CheckRounded from "@mui/icons-material/CheckRounded";
import CloseRounded from "@mui/icons-material/CloseRounded";
import Box from "@mui/material/Box";
import type { Consequence, ConsequenceStep } from "@oven/contract/review";
import { t } from "@oven/i18n";
import { FieldsView } from "@oven/ui/components/fields-view.tsx";
import { formatDuration } from "@oven/ui/components/format.ts";
import { useNodeTypes } from "@oven/ui/components/use-node-types.ts";
import { Fragment, type ReactElement } from "react";
import { toAudience } from "./assignee.ts";

type Call = Extract<ConsequenceStep, { type: "call" }>;

/** The steps that follow one decision, and where they lead; of a decided review with what came true. */
export function ConsequenceSteps({
  consequence,
  nameOf,
}: {
  consequence: Consequence;
  nameOf: (nodeId: string) => string;
}): ReactElement {
  const nodeTypes = useNodeTypes();
  const titleOf = (src: string) => nodeTypes?.find(({ id }) => id === src)?.title ?? src;
  const { steps, cameTrue, isAssumed } = consequence;
  const first = steps.findIndex((step) => step.isAssumed);
  const turn = first === -1 && isAssumed ? steps.length : first;
  const cause = turn === -1 ? undefined : steps.slice(0, turn).findLast((step) => step.type === "call");
  const condition = cause === undefined ? null : <Condition call={cause} name={nameOf(cause.nodeId)} />;
  return (
    <Box component="ol" sx={{ m: 0, p: 0, listStyle: "none", display: "grid", gap: 0.75 }}>
      {steps.map((step, at) => (
        // Steps of one answer never move.
        <Fragment key={at}>
          {at === turn ? condition : null}
          <Line came={step.cameTrue}>
            <Step step={step} nameOf={nameOf} titleOf={titleOf} />
          </Line>
        </Fragment>
      ))}
      {turn === steps.length ? condition : null}
      <Line came={cameTrue}>{toEnd(consequence, nameOf)}</Line>
    </Box>
  );
}

function Line({ came, children }: { came: boolean | null; children: ReactElement | string }): ReactElement {
  return (
    <Box component="li" sx={{ display: "flex", gap: 0.75, alignItems: "flex-start", overflowWrap: "anywhere" }}>
      <Box sx={{ flex: "1 1 0", minWidth: 0 }}>{children}</Box>
      {came === null ? null : (
        <Box
          component="span"
          sx={{
            display: "inline-flex",
            alignItems: "center",
            gap: 0.25,
            whiteSpace: "nowrap",
            color: came ? "success.main" : "error.main",
            "& svg": { fontSize: 16 },
          }}
        >
          {came ? <CheckRounded aria-hidden /> : <CloseRounded aria-hidden />}
          {came ? t("came true") : t("came otherwise")}
        </Box>
      )}
    </Box>
  );
}

/** From here on things come so only if a call answers as it is assumed. */
function Condition({ call: { origin, asksModel }, name }: { call: Call; name: string }): ReactElement {
  const text =
    origin === "recorded"
      ? t("If “{{step}}” answers as it did to the same input before:", { step: name })
      : asksModel
        ? t("Depends on what a model answers at “{{step}}”. With an example:", { step: name })
        : t("If “{{step}}” succeeds, with an example of its answer:", { step: name });
  return (
    <Box component="li" sx={{ color: "text.secondary", fontStyle: "italic" }}>
      {text}
    </Box>
  );
}

function Step({
  step,
  nameOf,
  titleOf,
}: {
  step: ConsequenceStep;
  nameOf: (nodeId: string) => string;
  titleOf: (src: string) => string;
}): ReactElement {
  if (step.type === "wait") return <>{t("It waits {{time}}.", { time: formatDuration(step.ms) })}</>;
  if (step.type === "review")
    return (
      <WithValue
        text={t("{{audience}} is asked: “{{title}}”", { audience: toAudience(step.assignees), title: step.title })}
        value={step.proposal}
        what={step.title}
      />
    );
  const name = nameOf(step.nodeId);
  const type = titleOf(step.src);
  const text = step.asksModel
    ? t("“{{step}}” asks a model ({{type}})", { step: name, type })
    : t("“{{step}}” calls {{type}}", { step: name, type });
  return <WithValue text={text} value={step.input} what={name} />;
}

/** A line that opens to what is sent. */
function WithValue({ text, value, what }: { text: string; value: Call["input"]; what: string }): ReactElement {
  if (value === null) return <>{text}</>;
  return (
    <Box component="details" sx={{ "& > summary": { cursor: "pointer" } }}>
      <Box component="summary">{text}</Box>
      <Box sx={{ mt: 0.75, pl: 2 }}>
        <FieldsView value={value} what={what} />
      </Box>
    </Box>
  );
}

function toEnd({ end, rest }: Consequence, nameOf: (nodeId: string) => string): string {
  if (end !== null) {
    if (end.status === "failed") return t("The run fails: {{code}}", { code: end.error ?? end.status });
    if (end.status === "cancelled") return t("The run is cancelled.");
    return end.outcome === null ? t("The run ends.") : t("The run ends: {{outcome}}", { outcome: end.outcome });
  }
  const step = rest?.nodeId == null ? "" : nameOf(rest.nodeId);
  switch (rest?.reason) {
    case "review":
      return t("Then people decide.");
    case "event":
      return t("Then “{{step}}” waits for an event.", { step });
    case "child":
      return t("Then “{{step}}” waits for another run.", { step });
    case "running":
      return t("“{{step}}” is still at work beside it.", { step });
    case "unknown":
      return t("What follows is not known: it depends on what “{{step}}” answers.", { step });
    default:
      return t("It goes on further than can be shown here.");
  }
}
