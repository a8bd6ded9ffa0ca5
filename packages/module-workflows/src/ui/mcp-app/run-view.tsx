import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Typography from "@mui/material/Typography";
import type { McpRunStep, McpRunView } from "@oven/contract/mcp";
import { t } from "@oven/i18n";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { FieldsView } from "@oven/ui/components/fields-view.tsx";
import { formatDuration } from "@oven/ui/components/format.ts";
import { Panel } from "@oven/ui/components/panel.tsx";
import { StatusChip } from "@oven/ui/components/status-chip.tsx";
import { ReviewSection } from "@oven/workflow-editor/review/review-section.tsx";
import type { ReactElement } from "react";
import type { Host } from "./host.ts";
import { OpenReview } from "./open-review.tsx";
import { useRunView } from "./use-run-view.ts";

/** What a client shows of a run. `review`: the form first and without the steps; `run`: the steps, the result, and the form below. */
export type ViewKind = "run" | "review";

export function RunView({ host, kind }: { host: Host; kind: ViewKind }): ReactElement {
  const { view, shown, failure, cancelled, look, showChanged } = useRunView(host);
  if (cancelled && view === undefined)
    return <Typography sx={{ p: 2 }}>{t("The call was cancelled before it answered.")}</Typography>;
  if (view === undefined)
    return failure === null ? (
      <Typography role="status" sx={{ p: 2 }} color="text.secondary">
        {t("Waiting for the run …")}
      </Typography>
    ) : (
      <ErrorPanel error={failure} title={t("The run cannot be shown")} onRetry={look} />
    );
  return (
    <Panel flush>
      <RunHead host={host} view={view} />
      {failure === null ? null : (
        <Box sx={{ p: 2 }}>
          <ErrorPanel error={failure} title={t("What is shown may be out of date")} onRetry={look} />
        </Box>
      )}
      {kind === "run" && view.steps.length > 0 ? (
        <ReviewSection title={t("Steps")}>
          <Steps steps={view.steps} />
        </ReviewSection>
      ) : null}
      <Result view={view} />
      {shown === undefined ? null : (
        <OpenReview
          // What was typed belongs to the proposal that it was typed for.
          key={`${shown.review.id} ${shown.review.digest}`}
          host={host}
          shown={shown}
          onDecided={() => look?.()}
          onShowChanged={showChanged}
        />
      )}
    </Panel>
  );
}

function RunHead({ host, view: { envelope, workflow } }: { host: Host; view: McpRunView }): ReactElement {
  const { status, outcome, run } = envelope;
  return (
    <Box
      component="header"
      sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1, px: { xs: 2, sm: 2.5 }, py: 1.5 }}
    >
      <Typography variant="h2" component="h1" sx={{ flex: 1, overflowWrap: "anywhere" }}>
        {workflow} #{run.id}
      </Typography>
      <Box role="status">
        <StatusChip status={status} outcome={outcome ?? null} />
      </Box>
      {host.opensLinks ? (
        <Button size="small" variant="outlined" onClick={() => void host.openLink(run.url)}>
          {t("Open in OVEN")}
        </Button>
      ) : null}
    </Box>
  );
}

function Steps({ steps }: { steps: readonly McpRunStep[] }): ReactElement {
  return (
    <Box component="ol" sx={{ m: 0, p: 0, listStyle: "none", display: "grid", gap: 0.75 }}>
      {steps.map(({ nodeId, visit, label, status, durationMs }) => (
        <Box
          component="li"
          key={`${nodeId} ${visit}`}
          sx={{ display: "flex", alignItems: "center", gap: 1, fontSize: 13.5 }}
        >
          <StatusChip status={status} />
          <Box component="span" sx={{ flex: 1, overflowWrap: "anywhere" }}>
            {label}
            {visit > 1 ? ` (${visit})` : ""}
          </Box>
          {durationMs === null ? null : (
            <Box component="span" sx={{ color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>
              {formatDuration(durationMs)}
            </Box>
          )}
        </Box>
      ))}
    </Box>
  );
}

function Result({ view: { envelope } }: { view: McpRunView }): ReactElement | null {
  const { output, error } = envelope;
  if (error !== undefined)
    return (
      <ReviewSection title={t("Error")}>
        <Typography sx={{ whiteSpace: "pre-wrap", overflowWrap: "anywhere" }}>{error}</Typography>
      </ReviewSection>
    );
  if (output === undefined || output === null) return null;
  return (
    <ReviewSection title={t("Result")}>
      <FieldsView value={output} what={t("the result")} />
    </ReviewSection>
  );
}
