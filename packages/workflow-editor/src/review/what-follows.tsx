import Box from "@mui/material/Box";
import type { JsonObject } from "@oven/contract";
import { toLabel } from "@oven/contract";
import type { Review } from "@oven/contract/review";
import { currentLocale, t } from "@oven/i18n";
import type { ReactElement } from "react";
import type { GraphNode } from "../graph/graph-model.ts";
import { toGraph } from "../graph/to-graph.ts";
import { toNextSteps } from "./next-steps.ts";
import { ReviewSection } from "./review-section.tsx";

/** What happens after each button. */
export function WhatFollows({
  review,
  definition,
}: {
  review: Review;
  definition: JsonObject | undefined;
}): ReactElement | null {
  if (definition === undefined || review.status !== "open") return null;
  const nodes = new Map(toGraph(definition).nodes.map((node) => [node.id, node]));
  const lines = toLines(review, definition, nodes);
  if (lines.length === 0) return null;
  return (
    <ReviewSection title={t("What follows")}>
      <Box
        component="dl"
        sx={{
          m: 0,
          display: "grid",
          gridTemplateColumns: "minmax(90px, auto) minmax(0, 1fr)",
          columnGap: 2.5,
          rowGap: 0.5,
          fontSize: 13,
        }}
      >
        {lines.map(({ word, text }) => (
          <Box key={word} sx={{ display: "contents" }}>
            <Box component="dt" sx={{ color: "text.secondary" }}>
              {word}
            </Box>
            <Box component="dd" sx={{ m: 0, overflowWrap: "anywhere" }}>
              {text}
            </Box>
          </Box>
        ))}
      </Box>
    </ReviewSection>
  );
}

interface Line {
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
    return text === undefined ? [] : [{ word: WORDS[action] ?? action, text }];
  });
}
