import ArrowForwardRounded from "@mui/icons-material/ArrowForwardRounded";
import Box from "@mui/material/Box";
import Link from "@mui/material/Link";
import type { Json } from "@oven/contract";
import type { Review } from "@oven/contract/review";
import type { Execution } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FieldsView } from "@oven/ui/components/fields-view.tsx";
import { useNodeTypes } from "@oven/ui/components/use-node-types.ts";
import { useRecord } from "@oven/ui/components/use-record.ts";
import { kindOf, runPath } from "@oven/ui/components/workflow-kind.ts";
import { Fragment, type ReactElement, type ReactNode } from "react";
import { Link as RouterLink } from "react-router-dom";
import { Conversation } from "../conversation/message-turns.tsx";
import { toGraph } from "../graph/to-graph.ts";
import { KindIcon } from "../look/kind-icon.tsx";
import { toTimeline } from "../run/timeline.ts";
import { usePinnedDefinition } from "../run/use-pinned-definition.ts";

/** A part of a review, under a heading. */
export function ReviewSection({ title, children }: { title: string; children: ReactNode }): ReactElement {
  return (
    <Box component="section" sx={{ px: { xs: 2, sm: 2.5 }, py: 2, borderTop: 1, borderColor: "divider" }}>
      <Box component="h3" sx={{ m: 0, mb: 1, fontSize: 12.5, fontWeight: 600, color: "text.secondary" }}>
        {title}
      </Box>
      {children}
    </Box>
  );
}

function isNothing(context: Json): boolean {
  return context === null || (typeof context === "object" && Object.keys(context).length === 0);
}

/** Everything behind a proposal: the reasons given, the path of the run, and its conversation. */
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
          <FieldsView value={review.context} what={t("the reasons")} />
        </ReviewSection>
      )}
      {error ? (
        <ReviewSection title={t("Path so far")}>
          <ErrorPanel error={error} title={t("The run behind this review could not be loaded")} onRetry={refetch} />
        </ReviewSection>
      ) : null}
      {run === undefined ? null : (
        <>
          <ReviewSection title={t("Path so far")}>
            <PathSoFar run={run} />
          </ReviewSection>
          <ReviewSection title={t("Conversation")}>
            <Conversation context={run.context} />
          </ReviewSection>
        </>
      )}
    </>
  );
}

function PathSoFar({ run }: { run: Execution }): ReactElement {
  const nodeTypes = useNodeTypes();
  const { definition } = usePinnedDefinition(run);
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
