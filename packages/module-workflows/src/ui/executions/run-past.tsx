import CallSplitRounded from "@mui/icons-material/CallSplitRounded";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import Slider from "@mui/material/Slider";
import Typography from "@mui/material/Typography";
import { diffJson } from "@oven/contract";
import { type Execution, isTerminal, type RunCheckpoint } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { ChangeLines } from "@oven/ui/components/change-lines.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { JsonView } from "@oven/ui/components/json-view.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import { kindOf } from "@oven/ui/components/workflow-kind.ts";
import { toWords } from "@oven/workflow-editor/run/checkpoint-words.ts";
import { useCheckpoint, useCheckpoints } from "@oven/workflow-editor/run/use-checkpoints.ts";
import { type ReactElement, useState } from "react";
import { ForkDialog } from "./fork-dialog.tsx";
import { ReplayCheck } from "./replay-check.tsx";

/** The context at every checkpoint of a run, with what changed since the one before, and another way from there. */
export function RunPast({ run }: { run: Execution }): ReactElement {
  const path = `${kindOf(run.kind).executionResource}/${run.id}`;
  const { data: checkpoints, error } = useCheckpoints(path);
  const [chosen, setChosen] = useState<number | null>(null);
  if (error) return <ErrorPanel error={error} title={t("The checkpoints of this run could not be read")} />;
  if (checkpoints === undefined)
    return <Box role="status" aria-label={t("Loading the checkpoints")} sx={{ height: 120 }} />;
  if (checkpoints.length === 0)
    return (
      <Typography color="text.secondary">
        {t("It has no checkpoints: they are not kept for this workflow, or are gone with its details.")}
      </Typography>
    );
  const index = Math.min(chosen ?? checkpoints.length - 1, checkpoints.length - 1);
  return <Standing run={run} path={path} checkpoints={checkpoints} index={index} onChange={setChosen} />;
}

interface StandingProps {
  run: Execution;
  path: string;
  checkpoints: readonly RunCheckpoint[];
  index: number;
  onChange: (index: number) => void;
}

function Standing({ run, path, checkpoints, index, onChange }: StandingProps): ReactElement {
  const [forking, setForking] = useState(false);
  const mayFork = useCan(`${kindOf(run.kind).resource}.execute`) && run.parentId === null;
  const now = checkpoints[index];
  const here = useCheckpoint(path, now?.seq);
  const before = useCheckpoint(path, checkpoints[index - 1]?.seq);
  const failure = here.error ?? before.error;
  const isReady = here.data !== undefined && (index === 0 || before.data !== undefined);
  const last = checkpoints.length - 1;
  return (
    <Box sx={{ display: "grid", gap: 2 }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", columnGap: 3, rowGap: 1 }}>
        <Slider
          aria-label={t("Checkpoint of the run")}
          value={index}
          min={0}
          max={Math.max(last, 1)}
          step={1}
          marks={last <= 40}
          disabled={last === 0}
          getAriaValueText={(value) => {
            const at = checkpoints[value];
            return at === undefined
              ? t("{{position}} of {{total}}", { position: value + 1, total: checkpoints.length })
              : t("{{position}} of {{total}}: {{step}}", {
                  position: value + 1,
                  total: checkpoints.length,
                  step: toWords(at),
                });
          }}
          onChange={(_, value) => onChange(Array.isArray(value) ? (value[0] ?? 0) : value)}
          sx={{ flex: "1 1 220px", mx: 1 }}
        />
        <Box sx={{ flex: "1 1 200px", fontSize: 13.5, overflowWrap: "anywhere" }} aria-live="polite">
          <strong>{t("{{position}} of {{total}}", { position: index + 1, total: checkpoints.length })}</strong> ·{" "}
          {now === undefined ? "" : toWords(now)}
        </Box>
        {mayFork && now !== undefined && now.end === null ? (
          <Button variant="outlined" startIcon={<CallSplitRounded />} onClick={() => setForking(true)}>
            {t("Fork from here")}
          </Button>
        ) : null}
      </Box>
      {failure ? <ErrorPanel error={failure} title={t("This checkpoint could not be read")} /> : null}
      {isReady && here.data !== undefined ? (
        <Box
          sx={{
            display: "grid",
            gap: 2,
            gridTemplateColumns: { xs: "minmax(0, 1fr)", md: "repeat(2, minmax(0, 1fr))" },
          }}
        >
          <Box>
            <Typography variant="h3" sx={{ mb: 1 }}>
              {index === 0 ? t("What it began with") : t("Changed since the checkpoint before")}
            </Typography>
            <Changes from={before.data?.context ?? {}} to={here.data.context} />
          </Box>
          <Box>
            <Typography variant="h3" sx={{ mb: 1 }}>
              {t("Context")}
            </Typography>
            <JsonView value={here.data.context} what={t("the context")} maxHeight={480} />
          </Box>
        </Box>
      ) : null}
      {isTerminal(run.status) ? <ReplayCheck path={path} /> : null}
      {forking && here.data !== undefined ? (
        <ForkDialog run={run} checkpoint={here.data} onClose={() => setForking(false)} />
      ) : null}
    </Box>
  );
}

function Changes({ from, to }: { from: Execution["context"]; to: Execution["context"] }): ReactElement {
  const changes = diffJson(from, to);
  if (changes.length === 0) return <Typography color="text.secondary">{t("Nothing in the context.")}</Typography>;
  return (
    <Box sx={{ maxHeight: 480, overflowY: "auto" }}>
      <ChangeLines
        label={t("Changes of the context")}
        paths
        lines={changes.map(({ path, from: before, to: after }) => ({ name: path, before, after }))}
      />
    </Box>
  );
}
