import Button from "@mui/material/Button";
import type { JsonObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { t } from "@oven/i18n";
import type { WorkflowKind } from "@oven/ui/components/workflow-kind.ts";
import type { ReactElement } from "react";
import { RunTurn } from "../../conversation/run-turn.tsx";
import { useShownRun } from "../../run/use-shown-run.ts";
import type { Running } from "../running/use-running.ts";

export interface TurnViewProps {
  kind: WorkflowKind;
  id: number;
  definition: JsonObject;
  nodeTypes: readonly NodeType[] | undefined;
  running: Running;
  /** Only the newest can be continued. */
  newest: boolean;
}

/** One turn with the draft, whose run can be drawn on the canvas. */
export function TurnView({ kind, id, definition, nodeTypes, running, newest }: TurnViewProps): ReactElement {
  const isShown = running.shown.id === id;
  const own = useShownRun(kind, isShown ? null : id, definition, nodeTypes);
  const shown = isShown ? running.shown : own;
  const { run } = shown;
  const isBroken = run?.status === "failed" || run?.status === "cancelled";
  return (
    <RunTurn kind={kind} id={id} shown={shown}>
      {isShown ? null : (
        <Button
          size="small"
          aria-label={t("Show it on the canvas: run #{{id}}", { id })}
          onClick={() => running.show(id)}
        >
          {t("Show it on the canvas")}
        </Button>
      )}
      {run !== undefined && isBroken && newest && running.mayContinue ? (
        <Button size="small" variant="outlined" onClick={() => running.mend(run)}>
          {t("Continue with this draft…")}
        </Button>
      ) : null}
    </RunTurn>
  );
}
