import {
  Background,
  BackgroundVariant,
  type Connection,
  Controls,
  type EdgeChange,
  type EdgeTypes,
  type FinalConnectionState,
  type NodeChange,
  type NodeTypes,
  ReactFlow,
  SelectionMode,
  useReactFlow,
  ViewportPortal,
} from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import {
  type ReactElement,
  type MouseEvent as ReactMouseEvent,
  type ReactNode,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { canConnect } from "../document/can-connect.ts";
import { changeFrame, changeNote, readFrames, readNotes } from "../document/operations/annotations.ts";
import { connect, type Outlet, reconnectSource, reconnectTarget } from "../document/operations/connect.ts";
import { removeTransition } from "../document/transitions.ts";
import { dropAll } from "../editor/drop.ts";
import type { EditorStore, Selection } from "../editor/editor-store.ts";
import { transitionOf } from "../editor/gestures.ts";
import { DRAG_TYPE } from "../editor/palette.tsx";
import { MANY_NODES, type Projection } from "../editor/use-projection.ts";
import { START } from "../graph/to-graph.ts";
import type { Point } from "../layout/elk-layout.ts";
import { nodesById } from "../layout/placement.ts";
import { FrameBox, NoteCard } from "./annotation-nodes.tsx";
import { ConnectionHint } from "./connection-hint.tsx";
import { EdgeActions } from "./edge-actions.tsx";
import { type HelperLines, snapToOthers } from "./helper-lines.ts";
import { Overview } from "./overview.tsx";
import { type CardEdge, RoutedEdge } from "./routed-edge.tsx";
import { EndCard, GroupBox, StartDot, StateCard } from "./state-card.tsx";
import {
  type EditorNode,
  type ProblemMark,
  toEditorEdges,
  toEditorNodes,
  toFrameNode,
  toNoteNode,
} from "./to-editor-flow.ts";
import "./workflow-graph.css";
import "./editor-canvas.css";

const NODE_TYPES: NodeTypes = {
  state: StateCard,
  end: EndCard,
  start: StartDot,
  box: GroupBox,
  note: NoteCard,
  frame: FrameBox,
};
const EDGE_TYPES: EdgeTypes = { routed: RoutedEdge };
const NO_LINES: HelperLines = { x: null, y: null };
const OVERVIEW_FROM = 9;

export interface EditorCanvasProps {
  store: EditorStore;
  projection: Projection;
  selection: Selection;
  problems: ReadonlyMap<string, ProblemMark>;
  dark: boolean;
  label: string;
  /** A line was dropped where nothing is. */
  onDropLine: (outlet: Outlet, at: Point) => void;
  /** An item of the palette was dropped. */
  onDropItem: (id: string, at: Point) => void;
  onInsert: (edgeId: string) => void;
  onMenu: (kind: "node" | "edge" | "pane", at: { x: number; y: number }, canvas: Point) => void;
  onOpen: (id: string) => void;
  children?: ReactNode;
}

function pointOf(event: MouseEvent | TouchEvent): { x: number; y: number } {
  const source = "changedTouches" in event ? event.changedTouches[0] : event;
  return { x: source?.clientX ?? 0, y: source?.clientY ?? 0 };
}

/** The id of the node under a point of the window, however deep the containers around it. */
function nodeUnder({ x, y }: { x: number; y: number }): string | null {
  const element = document
    .elementsFromPoint(x, y)
    .map((found) => found.closest<HTMLElement>(".react-flow__node"))
    .find((found) => found !== null);
  return element?.dataset.id ?? null;
}

/** The graph, to be edited: every gesture becomes a change of the definition. */
export function EditorCanvas(props: EditorCanvasProps): ReactElement {
  const { store, projection, selection, problems, dark, label, onDropLine, onDropItem, onInsert, onMenu, onOpen } =
    props;
  const { document: definition, model, ready } = projection;
  const flow = useReactFlow<EditorNode, CardEdge>();
  const [nodes, setNodes] = useState<EditorNode[]>([]);
  const [lines, setLines] = useState<HelperLines>(NO_LINES);
  const [pointed, setPointed] = useState<string | null>(null);
  const known = useRef<ReadonlyMap<string, EditorNode>>(new Map());
  const knownEdges = useRef<ReadonlyMap<string, CardEdge>>(new Map());
  const reconnected = useRef(false);

  const onText = useCallback(
    (id: string, text: string) => store.apply("Change a note", { document: changeNote(store.document, id, { text }) }),
    [store],
  );
  useLayoutEffect(() => {
    const before = known.current;
    const frames = readFrames(definition).flatMap(
      (frame) =>
        toFrameNode(frame, projection, selection, before, {
          onTitle: (title) =>
            void store.apply("Name a frame", { document: changeFrame(store.document, frame.id, { title }) }),
        }) ?? [],
    );
    const notes = readNotes(definition).map((note) =>
      toNoteNode(note, selection, before, {
        onText: (text) => void onText(note.id, text),
        onSize: (size) => void store.apply("Resize a note", { document: changeNote(store.document, note.id, size) }),
      }),
    );
    const next: EditorNode[] = [...frames, ...notes, ...toEditorNodes(projection, selection, problems, before)];
    known.current = new Map(next.map((node) => [node.id, node]));
    setNodes(next);
  }, [projection, definition, selection, problems, store, onText]);

  const edges = useMemo(() => {
    const next = toEditorEdges(projection, selection, pointed, knownEdges.current);
    knownEdges.current = new Map(next.map((edge) => [edge.id, edge]));
    return next;
  }, [projection, selection, pointed]);

  const onNodesChange = (changes: NodeChange<EditorNode>[]): void => {
    const selected = new Set(store.getState().selection.nodes);
    let selects = false;
    const moves = new Map<string, Point>();
    for (const change of changes) {
      if (change.type === "select") {
        selects = true;
        if (change.selected) selected.add(change.id);
        else selected.delete(change.id);
      } else if (change.type === "position" && change.position !== undefined) moves.set(change.id, change.position);
    }
    if (selects) store.select(selected, store.getState().selection.edges);
    if (moves.size === 0) return;
    const [single] = moves.size === 1 ? [...moves] : [];
    if (single !== undefined) moves.set(single[0], snapped(single[0], single[1]));
    setNodes((list) =>
      list.map((node) => {
        const position = moves.get(node.id);
        return position === undefined ? node : { ...node, position };
      }),
    );
  };
  const snapped = (id: string, position: Point): Point => {
    const node = nodes.find((entry) => entry.id === id);
    if (node === undefined) return position;
    const others = nodes.flatMap((other) =>
      other.id === id || other.parentId !== node.parentId || other.type === "frame"
        ? []
        : [{ position: other.position, width: other.width ?? 0, height: other.height ?? 0 }],
    );
    const snap = snapToOthers({ position, width: node.width ?? 0, height: node.height ?? 0 }, others);
    // Lines are drawn where the canvas begins, also for nodes in a container.
    setLines(node.parentId === undefined ? snap.lines : NO_LINES);
    return snap.position;
  };
  const onEdgesChange = (changes: EdgeChange<CardEdge>[]): void => {
    const selected = new Set(store.getState().selection.edges);
    for (const change of changes) {
      if (change.type !== "select") continue;
      if (change.selected) selected.add(change.id);
      else selected.delete(change.id);
    }
    store.select(store.getState().selection.nodes, selected);
  };

  const outletOf = (nodeId: string | null, handleId: string | null): Outlet | undefined =>
    nodesById(model)
      .get(nodeId ?? "")
      ?.handles.find(({ id }) => id === handleId)?.outlet;
  const tryConnect = (outlet: Outlet, to: string): void => {
    const word = outlet.from === null ? `Begin with ${to}` : `Connect ${outlet.from} to ${to}`;
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
      store.apply("Lead a line elsewhere", reconnectTarget(store.document, transition, connection.target));
      return;
    }
    const outlet = outletOf(connection.source, connection.sourceHandle);
    if (outlet !== undefined && transition !== null && connection.sourceHandle !== edge.sourceHandle)
      store.apply("Move a line", reconnectSource(store.document, transition, outlet));
    else if (outlet !== undefined && transition !== null && connection.source !== edge.source)
      store.apply("Move a line", reconnectSource(store.document, transition, outlet));
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
        store.apply("Lead a line elsewhere", reconnectTarget(store.document, transition, under));
      return;
    }
    // Dropped where nothing is: the line goes.
    if (transition === null) store.refuse("A workflow begins somewhere: lead the start to another state instead");
    else if (transition !== undefined)
      store.apply("Delete a line", { document: removeTransition(store.document, transition) });
  };
  const isValidConnection = (connection: Connection | CardEdge): boolean => {
    const from = connection.source === START ? null : connection.source;
    return canConnect(definition, from, connection.target).ok;
  };
  const onNodeDragStop = (
    event: ReactMouseEvent | MouseEvent | TouchEvent,
    _: EditorNode,
    dragged: EditorNode[],
  ): void => {
    setLines(NO_LINES);
    const native = "nativeEvent" in event ? event.nativeEvent : event;
    const pointer = flow.screenToFlowPosition(pointOf(native));
    const now = new Map(nodes.map((node) => [node.id, node.position]));
    const moved = dragged.flatMap(({ id }) => {
      const position = now.get(id);
      const before = known.current.get(id)?.position;
      const isMoved = position !== undefined && (position.x !== before?.x || position.y !== before.y);
      return isMoved && before !== undefined ? [{ id, position, before }] : [];
    });
    if (moved.length === 0) return;
    const label = moved.length === 1 ? `Move ${moved[0]?.id.replace(/^\w+:/, "")}` : `Move ${moved.length} states`;
    const result = dropAll(projection, moved, pointer);
    // What was refused goes back to where it was.
    if (!store.apply(label, result)) setNodes([...known.current.values()]);
  };
  const openMenu = (kind: "node" | "edge" | "pane", event: ReactMouseEvent | MouseEvent): void => {
    event.preventDefault();
    const at = { x: event.clientX, y: event.clientY };
    onMenu(kind, at, flow.screenToFlowPosition(at));
  };
  const moving = useMoving(projection.routes);
  const many = model.nodes.length > MANY_NODES;
  useOpeningView(ready, projection.settled, many, nodes.length > 0);

  return (
    <section
      className="oven-graph oven-canvas"
      aria-label={label}
      data-moving={moving}
      data-drawn={ready && nodes.length > 0}
      data-ready={ready && projection.settled && (nodes.length > 0 || model.nodes.length === 0)}
    >
      <ReactFlow<EditorNode, CardEdge>
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        colorMode={dark ? "dark" : "light"}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        onConnect={(connection) => {
          const outlet = outletOf(connection.source, connection.sourceHandle);
          if (outlet !== undefined) tryConnect(outlet, connection.target);
        }}
        onConnectEnd={onConnectEnd}
        isValidConnection={isValidConnection}
        onReconnect={onReconnect}
        onReconnectEnd={onReconnectEnd}
        onNodeDragStop={onNodeDragStop}
        onNodeDoubleClick={(_, node) => onOpen(node.id)}
        onNodeContextMenu={(event, node) => {
          if (!store.getState().selection.nodes.has(node.id)) store.select([node.id]);
          openMenu("node", event);
        }}
        onSelectionContextMenu={(event) => openMenu("node", event)}
        onEdgeContextMenu={(event, edge) => {
          store.select([], [edge.id]);
          openMenu("edge", event);
        }}
        onPaneContextMenu={(event) => openMenu("pane", event)}
        onPaneClick={() => store.select([])}
        onEdgeMouseEnter={(_, edge) => setPointed(edge.id)}
        onPaneMouseEnter={() => setPointed(null)}
        onDragOver={(event) => {
          if (!event.dataTransfer.types.includes(DRAG_TYPE)) return;
          event.preventDefault();
          event.dataTransfer.dropEffect = "copy";
        }}
        onDrop={(event) => {
          const id = event.dataTransfer.getData(DRAG_TYPE);
          if (id === "") return;
          event.preventDefault();
          onDropItem(id, flow.screenToFlowPosition({ x: event.clientX, y: event.clientY }));
        }}
        connectionRadius={28}
        deleteKeyCode={null}
        disableKeyboardA11y
        selectionMode={SelectionMode.Partial}
        selectionKeyCode="Shift"
        multiSelectionKeyCode={["Meta", "Control", "Shift"]}
        zoomOnDoubleClick={false}
        onlyRenderVisibleElements={many}
        minZoom={0.08}
        maxZoom={2}
        nodeDragThreshold={3}
        elevateNodesOnSelect={false}
      >
        <Background variant={BackgroundVariant.Dots} gap={20} size={1.2} />
        <Controls showInteractive={false} position="bottom-left" />
        {ready && model.nodes.length >= OVERVIEW_FROM ? <Overview projection={projection} /> : null}
        <HelperLineView lines={lines} />
        <ConnectionHint definition={definition} />
        <EdgeActions
          edges={model.edges}
          pointed={pointed}
          selection={selection}
          onInsert={onInsert}
          store={store}
          model={model}
        />
        {props.children}
      </ReactFlow>
    </section>
  );
}

/** Once, when there is something to see: everything, or of a large graph its beginning. */
function useOpeningView(ready: boolean, settled: boolean, many: boolean, filled: boolean): void {
  const flow = useReactFlow();
  const opened = useRef<"no" | "roughly" | "yes">("no");
  useEffect(() => {
    if (!ready || !filled || opened.current === "yes" || (opened.current === "roughly" && !settled)) return;
    opened.current = settled ? "yes" : "roughly";
    const frame = requestAnimationFrame(() => {
      const start = flow.getNode(START);
      if (many && start !== undefined)
        void flow.setViewport({ x: 80 - start.position.x * 0.7, y: 300 - start.position.y * 0.7, zoom: 0.7 });
      else void flow.fitView({ padding: 0.12, maxZoom: 1 });
    });
    return () => cancelAnimationFrame(frame);
  }, [ready, settled, filled, many, flow]);
}

const MOVE_MS = 220;

/** For a moment after a new layout: the cards go where they belong instead of jumping there. */
function useMoving(layout: unknown): boolean {
  const [moving, setMoving] = useState(false);
  const first = useRef(layout);
  useLayoutEffect(() => {
    if (first.current === layout) return;
    first.current = layout;
    setMoving(true);
    const timer = setTimeout(() => setMoving(false), MOVE_MS);
    return () => clearTimeout(timer);
  }, [layout]);
  return moving;
}

function HelperLineView({ lines }: { lines: HelperLines }): ReactElement | null {
  if (lines.x === null && lines.y === null) return null;
  const FAR = 100_000;
  return (
    <ViewportPortal>
      <svg className="oven-helper-lines" aria-hidden="true">
        {lines.x === null ? null : <line x1={lines.x} x2={lines.x} y1={-FAR} y2={FAR} />}
        {lines.y === null ? null : <line y1={lines.y} y2={lines.y} x1={-FAR} x2={FAR} />}
      </svg>
    </ViewportPortal>
  );
}
