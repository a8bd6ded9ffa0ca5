import Box from "@mui/material/Box";
import type { JsonObject } from "@oven/contract";
import { toLabel } from "@oven/contract";
import type { Consequence, Consequences, Review } from "@oven/contract/review";
import { currentLocale, t } from "@oven/i18n";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import { type ReactElement, useEffect, useState } from "react";
import type { GraphNode } from "../graph/graph-model.ts";
import { toGraph } from "../graph/to-graph.ts";
import { ConsequenceSteps } from "./consequence-steps.tsx";
import { toNextSteps } from "./next-steps.ts";
import { ReviewSection } from "./review-section.tsx";

/** How often, and for how many times, it is looked whether the run has gone on after a decision. */
const LOOK_MS = 2_000;
const MOST_LOOKS = 15;

/** What happens after each button; of a decided review what happened, beside what was to be expected. */
export function WhatFollows({
  review,
  definition,
}: {
  review: Review;
  definition: JsonObject | undefined;
}): ReactElement | null {
  const { status, id } = review;
  const isKnown = useCan("executions.read") && (status === "open" || status === "decided");
  const [looks, setLooks] = useState(0);
  const { data } = useAnswer<Consequences>(isKnown ? `reviews/${id}/consequences` : null, `${status} ${looks}`);
  const isUnderWay = status === "decided" && data?.consequences.some(({ cameTrue }) => cameTrue === null) === true;
  useEffect(() => {
    if (!isUnderWay || looks >= MOST_LOOKS) return;
    const timer = setTimeout(() => setLooks(looks + 1), LOOK_MS);
    return () => clearTimeout(timer);
  }, [isUnderWay, looks]);
  if (definition === undefined) return null;
  const nodes = new Map(toGraph(definition).nodes.map((node) => [node.id, node]));
  const nameOf = (nodeId: string) => nodes.get(nodeId)?.label ?? toLabel(nodeId);
  const known = new Map(data?.consequences.map((consequence) => [consequence.action, consequence]));
  const lines = status === "open" ? toLines(review, definition, nodes) : toDecided(review);
  const shown = lines.filter(({ action, text }) => text !== "" || known.has(action));
  if (shown.length === 0) return null;
  return (
    <ReviewSection title={status === "open" ? t("What follows") : t("What followed")}>
      <Box
        component="dl"
        sx={{
          m: 0,
          display: "grid",
          gridTemplateColumns: { xs: "minmax(0, 1fr)", sm: "minmax(90px, auto) minmax(0, 1fr)" },
          columnGap: 2.5,
          rowGap: { xs: 0.5, sm: 1.25 },
          fontSize: 13,
        }}
      >
        {shown.map(({ action, word, text }) => (
          <Box key={action} sx={{ display: "contents" }}>
            <Box component="dt" sx={{ color: "text.secondary" }}>
              {word}
            </Box>
            <Box component="dd" sx={{ m: 0, overflowWrap: "anywhere" }}>
              <Follows text={text} consequence={known.get(action)} nameOf={nameOf} />
            </Box>
          </Box>
        ))}
      </Box>
    </ReviewSection>
  );
}

/** What the graph says, at once; in its place, as soon as it is known, what following the run says. */
function Follows({
  text,
  consequence,
  nameOf,
}: {
  text: string;
  consequence: Consequence | undefined;
  nameOf: (nodeId: string) => string;
}): ReactElement {
  // In an element, so that characters that are not seen stand as marks.
  if (consequence === undefined) return <span>{text}</span>;
  return <ConsequenceSteps consequence={consequence} nameOf={nameOf} />;
}

/** The line of the decision that was taken. */
function toDecided({ action }: Review): Line[] {
  return action === null ? [] : [{ action, word: WORDS[action] ?? toLabel(action), text: "" }];
}

interface Line {
  action: string;
  word: string;
  text: string;
}

const WORDS: Record<string, string> = {
  approve: t("Approve"),
  edit: t("Edit"),
  reject: t("Reject"),
  submit: t("Submit"),
};

function toLines(review: Review, definition: JsonObject, nodes: ReadonlyMap<string, GraphNode>): Line[] {
  const steps = toNextSteps(definition, review);
  if (steps === null) return review.tool === null ? [] : toLinesOfCall(review, nodes);
  return steps.map(({ action, targets }) => ({
    action,
    word: WORDS[action] ?? toLabel(action),
    text: targets.length === 0 ? withoutTarget(action) : toWords(targets, nodes),
  }));
}

function withoutTarget(action: string): string {
  return action === "reject" ? t("The run fails.") : t("The run goes on where the step stands.");
}

function toWords(targets: readonly string[], nodes: ReadonlyMap<string, GraphNode>): string {
  const names = targets.map((target) => {
    const node = nodes.get(target);
    const label = node?.label ?? target;
    return node?.shape === "final" ? t("the run ends: {{outcome}}", { outcome: node.outcome ?? label }) : label;
  });
  return new Intl.ListFormat(currentLocale(), { type: "disjunction" }).format(names);
}

/** A step that makes the call itself goes on with its result, or without it. */
function toLinesOfCall({ nodeId, actions, tool }: Review, nodes: ReadonlyMap<string, GraphNode>): Line[] {
  const step = nodes.get(nodeId)?.label ?? nodeId;
  const texts: Record<string, string> = {
    approve: t("{{tool}} is called exactly so, and “{{step}}” goes on with its answer.", { tool, step }),
    edit: t("{{tool}} is called as you wrote it, and “{{step}}” goes on with its answer.", { tool, step }),
    reject: t("{{tool}} is not called. “{{step}}” gets your reason.", { tool, step }),
  };
  return actions.flatMap((action) => {
    const text = texts[action];
    return text === undefined ? [] : [{ action, word: WORDS[action] ?? action, text }];
  });
}
