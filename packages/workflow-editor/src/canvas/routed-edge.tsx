import { type Edge, type EdgeProps, getSmoothStepPath } from "@xyflow/react";
import type { ReactElement } from "react";
import type { GraphEdge } from "../graph/graph-model.ts";
import type { Point } from "../layout/elk-layout.ts";
import { toRoundedPath } from "../layout/rounded-path.ts";
import { endsAt } from "../layout/route-around.ts";

export type CardEdge = Edge<{
  edge: GraphEdge;
  route: Point[] | null;
  /** A box has no rows for its handles: their names stand at the line. */
  labelled: boolean;
  /** Cards may have been moved since the layout drew the line. */
  editable?: boolean;
  /** A run took it, or is taking it. */
  path?: "taken" | "live" | null;
  mark?: "added" | "removed" | null;
}>;

/** Along the corners the layout found while they hold, or a stepped line where the author placed the cards. */
export function RoutedEdge(props: EdgeProps<CardEdge>): ReactElement {
  const { data, selected, sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, markerEnd } = props;
  const found = data?.route ?? null;
  const editable = data?.editable === true;
  const route =
    found !== null && editable && !endsAt(found, { x: sourceX, y: sourceY }, { x: targetX, y: targetY }) ? null : found;
  const path =
    route === null
      ? getSmoothStepPath({ sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, borderRadius: 10 })[0]
      : toRoundedPath(route);
  const start = route?.[0] ?? { x: sourceX, y: sourceY };
  return (
    <>
      <path
        className="oven-edge"
        data-tone={data?.edge.tone}
        data-selected={selected}
        data-path={data?.path ?? undefined}
        data-mark={data?.mark ?? undefined}
        d={path}
        {...(markerEnd === undefined ? {} : { markerEnd })}
      />
      {editable ? (
        <path className="react-flow__edge-interaction" d={path} fill="none" strokeOpacity={0} strokeWidth={18} />
      ) : null}
      {data?.labelled === true ? (
        <text className="oven-edge__label" data-tone={data.edge.tone} x={start.x + 6} y={start.y - 6}>
          {data.edge.label}
        </text>
      ) : null}
    </>
  );
}
