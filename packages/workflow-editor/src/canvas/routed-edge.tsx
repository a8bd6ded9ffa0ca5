import { type Edge, type EdgeProps, getSmoothStepPath } from "@xyflow/react";
import type { ReactElement } from "react";
import type { GraphEdge } from "../graph/graph-model.ts";
import type { Point } from "../layout/elk-layout.ts";
import { toRoundedPath } from "../layout/rounded-path.ts";

export type CardEdge = Edge<{
  edge: GraphEdge;
  route: Point[] | null /** A box has no rows for its handles: their names stand at the line. */;
  labelled: boolean;
}>;

/** Along the corners the layout found, or a stepped line where the author placed the cards. */
export function RoutedEdge(props: EdgeProps<CardEdge>): ReactElement {
  const { data, sourceX, sourceY, targetX, targetY, sourcePosition, targetPosition, markerEnd } = props;
  const route = data?.route ?? null;
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
        d={path}
        {...(markerEnd === undefined ? {} : { markerEnd })}
      />
      {data?.labelled === true ? (
        <text className="oven-edge__label" data-tone={data.edge.tone} x={start.x + 6} y={start.y - 6}>
          {data.edge.label}
        </text>
      ) : null}
    </>
  );
}
