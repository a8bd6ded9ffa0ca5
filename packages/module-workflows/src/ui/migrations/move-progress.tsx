import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import LinearProgress from "@mui/material/LinearProgress";
import type { RunMigration } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { api } from "@oven/ui/api/api-client.ts";
import { ErrorPanel } from "@oven/ui/components/error-panel.tsx";
import { useAction } from "@oven/ui/components/use-action.ts";
import { type ReactElement, useState } from "react";

const SHOWN = 20;

/** How far a move of runs is, which it left out, and the button that takes it back. */
export function MoveProgress({
  path,
  migration,
  mayMove,
  onChange,
}: {
  path: string;
  migration: RunMigration;
  mayMove: boolean;
  onChange: () => void;
}): ReactElement {
  const [open, setOpen] = useState(false);
  const { busy, failure, run } = useAction(async () => {
    await api(`${path}/${migration.id}/undo`, { method: "POST", body: {} });
    onChange();
  });
  const { counts, skipped, status } = migration;
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const isGoing = status === "running" || status === "undoing";
  const left = status === "undoing" ? counts.moved : counts.pending;
  const mayUndo = mayMove && (status === "running" || (status === "done" && migration.undoable > 0));
  return (
    <>
      <Alert
        severity="info"
        action={
          mayUndo ? (
            <Button color="inherit" size="small" loading={busy} onClick={() => void run()}>
              {t("Undo")}
            </Button>
          ) : null
        }
      >
        <Box role="status">{toText(migration)}</Box>
        {isGoing && all > 0 ? (
          <LinearProgress
            aria-label={t("Runs that are moved")}
            variant="determinate"
            value={((all - left) / all) * 100}
            sx={{ my: 0.75 }}
          />
        ) : null}
        {skipped.length === 0 ? null : (
          <Button size="small" color="inherit" aria-expanded={open} onClick={() => setOpen(!open)} sx={{ px: 0 }}>
            {t("{{count}} runs stayed where they were", { count: counts.skipped + counts.stayed })}
          </Button>
        )}
        {open ? (
          <Box component="ul" sx={{ m: 0, pl: 2.5 }}>
            {skipped.slice(0, SHOWN).map(({ executionId, reason }) => (
              <Box component="li" key={executionId} sx={{ overflowWrap: "anywhere" }}>
                #{executionId}: {reason}
              </Box>
            ))}
          </Box>
        ) : null}
      </Alert>
      {failure === null ? null : <ErrorPanel error={failure} title={t("The move was not undone")} />}
    </>
  );
}

function toText({ status, version, counts, undoable }: RunMigration): string {
  switch (status) {
    case "running":
      return t("Runs are being moved to version {{version}}: {{count}} done", { version, count: counts.moved });
    case "undoing":
      return t("Runs are being moved back: {{count}} done", { count: counts.undone });
    case "undone":
      return t("{{count}} runs were moved back from version {{version}}", { count: counts.undone, version });
    case "done":
      return undoable === 0
        ? t("{{count}} runs were moved to version {{version}}", { count: counts.moved, version })
        : t("{{count}} runs were moved to version {{version}}; {{undoable}} have not gone on yet", {
            count: counts.moved,
            version,
            undoable,
          });
  }
}
