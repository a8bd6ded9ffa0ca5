import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { ScoreJudge } from "@oven/contract/eval";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ConfirmDialog } from "@oven/ui/components/confirm-dialog.tsx";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { ToneChip } from "@oven/ui/components/status-chip.tsx";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { ScoresPanelProps } from "@oven/ui/ui-module.ts";
import { type ReactElement, useState } from "react";
import { useGetList } from "react-admin";
import { JudgeDialog } from "./judge-dialog.tsx";

const ALL = { pagination: { page: 1, perPage: 100 }, sort: { field: "name", order: "ASC" as const } };
const REFRESH_MS = 10_000;

/** The judges of a workflow's runs, below its scores. */
export function JudgeList({ kind, workflowId }: ScoresPanelProps): ReactElement | null {
  const mayRead = useCan("evals.read");
  const mayCreate = useCan("evals.create");
  const [open, setOpen] = useState<ScoreJudge | "new" | null>(null);
  const { data, error, refetch } = useGetList<ScoreJudge>(
    "score-judges",
    { ...ALL, filter: { kind, targetId: workflowId } },
    { enabled: mayRead, refetchInterval: REFRESH_MS },
  );
  if (!mayRead) return null;
  if (error) return <ErrorPanel error={error} title={t("The judges could not be read")} />;
  const close = (saved: boolean): void => {
    setOpen(null);
    if (saved) void refetch();
  };
  return (
    <Box component="section" aria-label={t("Judges of runs")} sx={{ display: "grid", gap: 1.25 }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1.5 }}>
        <Box component="h3" sx={{ m: 0, fontSize: 15, fontWeight: 650, flex: 1 }}>
          {t("Judges of runs")}
        </Box>
        {mayCreate ? (
          <Button variant="outlined" onClick={() => setOpen("new")}>
            {t("New judge")}
          </Button>
        ) : null}
      </Box>
      {data?.length === 0 ? (
        <Box sx={{ color: "text.secondary" }}>
          {t("None. A judge is a model that scores a sample of the completed runs by what you write.")}
        </Box>
      ) : null}
      {(data ?? []).map((judge) => (
        <Judge key={judge.id} judge={judge} onEdit={() => setOpen(judge)} onChange={() => void refetch()} />
      ))}
      {open === null ? null : (
        <JudgeDialog target={{ kind, id: workflowId }} judge={open === "new" ? null : open} onClose={close} />
      )}
    </Box>
  );
}

function Judge({
  judge,
  onEdit,
  onChange,
}: {
  judge: ScoreJudge;
  onEdit: () => void;
  onChange: () => void;
}): ReactElement {
  const mayUpdate = useCan("evals.update");
  const mayDelete = useCan("evals.delete");
  const [asking, setAsking] = useState(false);
  const { name, rubric, percent, model, enabled, maxPerDay, today, lastError } = judge;
  return (
    <Box sx={{ display: "grid", gap: 0.5, p: 1.5, border: 1, borderColor: "divider", borderRadius: 2, minWidth: 0 }}>
      <Box sx={{ display: "flex", flexWrap: "wrap", alignItems: "center", gap: 1 }}>
        <Box sx={{ fontWeight: 600 }}>{name}</Box>
        {enabled ? null : <ToneChip tone="queued" word={t("Off")} />}
        <Box sx={{ flex: 1 }} />
        {mayUpdate ? (
          <Button size="small" onClick={onEdit}>
            {t("Change")}
          </Button>
        ) : null}
        {mayDelete ? (
          <Button size="small" onClick={() => setAsking(true)}>
            {t("Delete")}
          </Button>
        ) : null}
      </Box>
      <Box sx={{ overflowWrap: "anywhere" }}>{rubric}</Box>
      <Box sx={{ fontSize: 13, color: "text.secondary", fontVariantNumeric: "tabular-nums" }}>
        {t(
          "{{percent}} % of completed runs by {{model}}; of at most {{most}} in 24 hours {{scored}} scored, {{waiting}} waiting, {{failed}} failed",
          {
            percent,
            model,
            most: maxPerDay,
            ...today,
          },
        )}
      </Box>
      {lastError === null ? null : (
        <Box sx={{ fontSize: 13, color: "var(--oven-status-failed)", overflowWrap: "anywhere" }}>
          {t("Run #{{id}} was not judged: {{message}}", { id: lastError.executionId, message: lastError.message })}
        </Box>
      )}
      <ConfirmDialog
        open={asking}
        title={t("Delete the judge “{{name}}”?", { name })}
        text={t("The scores that it gave stay.")}
        confirmLabel={t("Delete")}
        onClose={() => setAsking(false)}
        onConfirm={async () => {
          await api(`score-judges/${judge.id}`, { method: "DELETE" });
          onChange();
        }}
      />
    </Box>
  );
}
