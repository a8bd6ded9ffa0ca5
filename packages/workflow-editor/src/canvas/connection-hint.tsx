import type { JsonObject } from "@oven/contract";
import { useConnection, ViewportPortal } from "@xyflow/react";
import type { ReactElement } from "react";
import { canConnect } from "../document/can-connect.ts";
import { START } from "../graph/to-graph.ts";

/** Why a line cannot end where it is held. */
export function ConnectionHint({ definition }: { definition: JsonObject }): ReactElement | null {
  const { inProgress, fromNode, toNode, fromHandle, to } = useConnection();
  if (!inProgress || toNode === null || to === null || fromHandle?.type !== "source") return null;
  const verdict = canConnect(definition, fromNode.id === START ? null : fromNode.id, toNode.id);
  if (verdict.ok) return null;
  return (
    <ViewportPortal>
      <div className="oven-refusal" role="status" style={{ transform: `translate(${to.x + 14}px, ${to.y + 14}px)` }}>
        {verdict.reason}
      </div>
    </ViewportPortal>
  );
}
