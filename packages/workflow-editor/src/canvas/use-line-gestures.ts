import { t } from "@oven/i18n";
import { type Connection, type FinalConnectionState, useReactFlow } from "@xyflow/react";
import { useRef } from "react";
import { canConnect } from "../document/can-connect.ts";
import { connect, type Outlet, reconnectSource, reconnectTarget } from "../document/operations/connect.ts";
import { removeTransition } from "../document/transitions.ts";
import type { EditorStore } from "../editor/editor-store.ts";
import { transitionOf } from "../editor/gestures.ts";
import type { Projection } from "../editor/use-projection.ts";
import { START } from "../graph/to-graph.ts";
import type { Point } from "../layout/elk-layout.ts";
import { nodesById } from "../layout/placement.ts";
import { nodeUnder, pointOf } from "./pointer.ts";
import type { CardEdge } from "./routed-edge.tsx";
import type { EditorNode } from "./to-editor-flow.ts";

/** Drawing lines, and taking them at their ends: handlers for React Flow. */
export function useLineGestures(
  store: EditorStore,
  { document: definition, model }: Projection,
  onDropLine: (outlet: Outlet, at: Point) => void,
) {
  const flow = useReactFlow<EditorNode, CardEdge>();
  const reconnected = useRef(false);
  const outletOf = (nodeId: string | null, handleId: string | null): Outlet | undefined =>
    nodesById(model)
      .get(nodeId ?? "")
      ?.handles.find(({ id }) => id === handleId)?.outlet;
  const tryConnect = (outlet: Outlet, to: string): void => {
    const word =
      outlet.from === null
        ? t("Begin with {{to}}", { to })
        : t("Connect {{from}} to {{to}}", { from: outlet.from, to });
    store.apply(word, connect(store.document, outlet, to));
  };
  const onConnectEnd = (event: MouseEvent | TouchEvent, state: FinalConnectionState): void => {
    if (state.isValid === true || state.fromNode === null || reconnected.current) return;
    const outlet = outletOf(state.fromNode.id, state.fromHandle?.id ?? null);
    if (outlet === undefined) return;
    const at = pointOf(event);
    const under = state.toNode?.id ?? nodeUnder(at);
    const node = under === null ? undefined : nodesById(model).get(under);
    // A box has room for new states; everything else is a target.
    if (node !== undefined && node.shape !== "group" && node.shape !== "start") {
      if (node.id !== state.fromNode.id) tryConnect(outlet, node.id);
    } else if (outlet.from !== null) onDropLine(outlet, flow.screenToFlowPosition(at));
  };
  const onReconnect = (old: CardEdge, connection: Connection): void => {
    reconnected.current = true;
    const edge = old.data?.edge;
    const transition = edge === undefined ? undefined : transitionOf(edge, model);
    if (edge === undefined || transition === undefined) return;
    if (connection.target !== edge.target) {
      store.apply(t("Lead a line elsewhere"), reconnectTarget(store.document, transition, connection.target));
      return;
    }
    const outlet = outletOf(connection.source, connection.sourceHandle);
    if (outlet !== undefined && transition !== null && connection.sourceHandle !== edge.sourceHandle)
      store.apply(t("Move a line"), reconnectSource(store.document, transition, outlet));
    else if (outlet !== undefined && transition !== null && connection.source !== edge.source)
      store.apply(t("Move a line"), reconnectSource(store.document, transition, outlet));
  };
  const onReconnectEnd = (
    event: MouseEvent | TouchEvent,
    edge: CardEdge,
    _: unknown,
    state: FinalConnectionState,
  ): void => {
    const wasDone = reconnected.current;
    reconnected.current = false;
    if (wasDone || state.isValid === true) return;
    const under = state.toNode?.id ?? nodeUnder(pointOf(event));
    const drawn = edge.data?.edge;
    const transition = drawn === undefined ? undefined : transitionOf(drawn, model);
    if (under !== null && nodesById(model).get(under)?.shape !== "group") {
      if (transition !== undefined && state.fromHandle?.type === "source")
        store.apply(t("Lead a line elsewhere"), reconnectTarget(store.document, transition, under));
      return;
    }
    // Dropped where nothing is: the line goes.
    if (transition === null) store.refuse(t("A workflow begins somewhere: lead the start to another state instead"));
    else if (transition !== undefined)
      store.apply(t("Delete a line"), { document: removeTransition(store.document, transition) });
  };
  const isValidConnection = (connection: Connection | CardEdge): boolean => {
    const from = connection.source === START ? null : connection.source;
    return canConnect(definition, from, connection.target).ok;
  };
  const onConnect = (connection: Connection): void => {
    const outlet = outletOf(connection.source, connection.sourceHandle);
    if (outlet !== undefined) tryConnect(outlet, connection.target);
  };
  return { onConnect, onConnectEnd, isValidConnection, onReconnect, onReconnectEnd };
}
