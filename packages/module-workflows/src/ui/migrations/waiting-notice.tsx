import Alert from "@mui/material/Alert";
import Box from "@mui/material/Box";
import Button from "@mui/material/Button";
import type { RunMigration } from "@oven/contract/run";
import type { Workflow } from "@oven/contract/workflow";
import { t } from "@oven/i18n";
import { useAnswer } from "@oven/ui/components/use-answer.ts";
import { useCan } from "@oven/ui/components/use-can.ts";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import { type ReactElement, useEffect, useState } from "react";
import { MoveProgress } from "./move-progress.tsx";
import { MoveRunsDialog } from "./move-runs-dialog.tsx";

const REFRESH_MS = 1_000;

/** Says how many runs wait on other versions, offers to move them, and shows the last move. */
export function WaitingNotice({ kind, workflow }: { kind: WorkflowKind; workflow: Workflow }): ReactElement | null {
  const mayRead = useCan("executions.read");
  const mayMove = useCan("executions.migrate");
  const path = `${kind.resource}/${workflow.id}/migrations`;
  const [looks, setLooks] = useState(0);
  const waiting = useAnswer<{ count: number; version: number }>(mayRead ? `${path}/waiting` : null, looks);
  const migrations = useAnswer<RunMigration[]>(mayRead ? path : null, looks);
  const [open, setOpen] = useState(false);
  const [last] = migrations.data ?? [];
  const isGoing = last?.status === "running" || last?.status === "undoing";
  const refetch = (): void => setLooks((count) => count + 1);
  useEffect(() => {
    if (!isGoing) return undefined;
    const timer = setInterval(() => setLooks((count) => count + 1), REFRESH_MS);
    return () => clearInterval(timer);
  }, [isGoing]);
  const count = waiting.data?.count ?? 0;
  if (count === 0 && last === undefined) return null;
  return (
    <Box sx={{ display: "grid", gap: 1, mb: 2 }}>
      {count === 0 || isGoing ? null : (
        <Alert
          severity="info"
          action={
            mayMove ? (
              <Button color="inherit" size="small" onClick={() => setOpen(true)}>
                {t("Move them")}
              </Button>
            ) : null
          }
        >
          {t("{{count}} runs wait on older versions and end on them.", { count })}
        </Alert>
      )}
      {last === undefined ? null : (
        <MoveProgress path={path} migration={last} mayMove={mayMove} onChange={refetch} />
      )}
      {open ? <MoveRunsDialog path={path} onBegun={refetch} onClose={() => setOpen(false)} /> : null}
    </Box>
  );
}
