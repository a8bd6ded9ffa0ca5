import ArrowForwardRounded from "@mui/icons-material/ArrowForwardRounded";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import type { Json, JsonObject } from "@oven/contract";
import type { Review } from "@oven/contract/review";
import type { Execution } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { SearchableFields } from "@oven/ui/components/searchable-fields.tsx";
import { useNodeTypes } from "@oven/ui/components/use-node-types.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { kindOf, runPath } from "@oven/ui/components/workflow-kind.ts";
import { Fragment, type ReactElement } from "react";
import { Link as RouterLink } from "react-router-dom";
import { Conversation } from "../conversation/message-turns.tsx";
import { toGraph } from "../graph/to-graph.ts";
import { KindIcon } from "../look/kind-icon.tsx";
import { toTimeline } from "../run/timeline.ts";
import { usePinnedDefinition } from "../run/use-pinned-definition.ts";
import { findLostCall } from "./lost-call.ts";
import { ReviewSection } from "./review-section.tsx";
import { SourcesRead } from "./sources-read.tsx";
import { WhatFollows } from "./what-follows.tsx";

function isNothing(context: Json): boolean {
  return context === null || (typeof context === "object" && Object.keys(context).length === 0);
}

/** Everything behind a proposal: the reasons given, what follows, the run's input and path, and its conversation. */
export function ReviewBackground({ review }: { review: Review }): ReactElement {
  const {
    data: run,
    error,
    refetch,
  } = useRecord<Execution>(kindOf(review.executionKind).executionResource, String(review.executionId), {
    detail: "nodes",
  });
  return (
    <>
      {isNothing(review.context) ? null : (
        <ReviewSection title={t("Why")}>
          <SearchableFields value={review.context} what={t("the reasons")} />
        </ReviewSection>
      )}
      {error ? (
        <ReviewSection title={t("Path so far")}>
          <ErrorPanel error={error} title={t("The run behind this review could not be loaded")} onRetry={refetch} />
        </ReviewSection>
      ) : null}
      {run === undefined ? null : (
        <>
          <RunBehind review={review} run={run} />
          <ReviewSection title={t("Conversation")}>
            <Conversation context={run.context} />
          </ReviewSection>
        </>
      )}
    </>
  );
}

function RunBehind({ review, run }: { review: Review; run: Execution }): ReactElement {
  const { definition } = usePinnedDefinition(run);
  const lost = findLostCall(review, run.nodes);
  return (
    <>
      {lost === undefined ? null : (
        <ReviewSection title={t("The call in question")}>
          <SearchableFields value={lost.input} what={t("the input")} />
        </ReviewSection>
      )}
      <SourcesRead run={run} />
      <WhatFollows review={review} definition={definition} />
      {isNothing(run.input) ? null : (
        <ReviewSection title={t("Input of the run")}>
          <SearchableFields value={run.input} what={t("the input")} />
        </ReviewSection>
      )}
      <ReviewSection title={t("Path so far")}>
        <PathSoFar run={run} definition={definition} />
      </ReviewSection>
    </>
  );
}

function PathSoFar({ run, definition }: { run: Execution; definition: JsonObject | undefined }): ReactElement {
  const nodeTypes = useNodeTypes();
  const labels = Object.fromEntries(toGraph(definition).nodes.map((node) => [node.id, node.label]));
  const rows = toTimeline({ nodes: run.nodes, live: [], nodeTypes, labels }).filter(
    (row) => row.depth === 0 || row.run?.item != null,
  );
  return (
    <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 0.75, rowGap: 0.5, fontSize: 13 }}>
      {rows.map((row, index) => (
        <Fragment key={row.key}>
          {index === 0 ? null : <ArrowForwardRounded aria-hidden sx={{ fontSize: 14, color: "text.secondary" }} />}
          <Box
            component="span"
            sx={{
              display: "inline-flex",
              alignItems: "center",
              gap: 0.5,
              color: row.status === "failed" ? "error.main" : "text.primary",
            }}
          >
            <KindIcon kind={row.kind} size={14} />
            {row.label}
            {row.visit > 1 ? ` (${row.visit})` : ""}
          </Box>
        </Fragment>
      ))}
      <Link component={RouterLink} to={runPath(run.kind, run.id)} sx={{ ml: 1 }}>
        {t("Open run #{{id}}", { id: run.id })}
      </Link>
    </Box>
  );
}
