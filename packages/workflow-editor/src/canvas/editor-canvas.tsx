import { t } from "@oven/i18n";
import {
  Background,
  BackgroundVariant,
  ControlButton,
  Controls,
  type EdgeChange,
  type EdgeTypes,
  type NodeChange,
  type NodeTypes,
  ReactFlow,
  SelectionMode,
  useReactFlow,
} from "@xyflow/react";
import "@xyflow/react/dist/style.css";
import {
  type ReactElement,
  type MouseEvent as ReactMouseEvent,
  type ReactNode,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { changeFrame, changeNote, readFrames, readNotes } from "../document/operations/annotations.ts";
import type { Outlet } from "../document/operations/connect.ts";
import { dropAll } from "../editor/drop.ts";
import type { EditorStore, Selection } from "../editor/editor-store.ts";
import { formatKeys } from "../editor/keys.ts";
import { DRAG_TYPE } from "../editor/palette.tsx";
import { MANY_NODES, type Projection } from "../editor/use-projection.ts";
import type { Point } from "../layout/elk-layout.ts";
import type { CanvasOverlay } from "../overlay/canvas-overlay.ts";
import { FrameBox, NoteCard } from "./annotation-nodes.tsx";
import { ConnectionHint } from "./connection-hint.tsx";
import { EdgeActions } from "./edge-actions.tsx";
import { HelperLineView } from "./helper-line-view.tsx";
import { type HelperLines, snapToOthers } from "./helper-lines.ts";
import { LayoutNotice } from "./layout-notice.tsx";
import { Overview } from "./overview.tsx";
import { CLICK_PX, edgeUnder, pointOf } from "./pointer.ts";
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
import { useCentredView } from "./use-centred-view.ts";
import { useLineGestures } from "./use-line-gestures.ts";
import { useMoving } from "./use-moving.ts";
import { useOpeningView } from "./use-opening-view.ts";
import { ZoomLevel } from "./zoom-level.tsx";
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
/** What a press with Shift is about, rather than about the ground behind it. */
const PRESSED = [
  ...["state", "end", "start", "note"].map((type) => `.react-flow__node-${type}`),
  ".oven-group__title",
  ".react-flow__edge",
].join();

function isSameList<Item>(one: readonly Item[], other: readonly Item[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index]);
}

export interface EditorCanvasProps {
  store: EditorStore;
  projection: Projection;
  /** As new as the document: what is drawn may be a moment behind. */
  current: () => Projection;
  selection: Selection;
  problems: ReadonlyMap<string, ProblemMark>;
  overlay: CanvasOverlay;
  dark: boolean;
  label: string;
  /** A line was dropped where nothing is. */
  onDropLine: (outlet: Outlet, at: Point) => void;
  /** An item of the palette was dropped; on a line, when `edgeId` is not null. */
  onDropItem: (id: string, at: Point, edgeId: string | null) => void;
  onFit: () => void;
  onLayout: () => void;
  onInsert: (edgeId: string) => void;
  onMenu: (kind: "node" | "edge" | "pane", at: { x: number; y: number }, canvas: Point) => void;
  onOpen: (id: string) => void;
  children?: ReactNode;
}

/** A save or a check that ends in the middle of a drag draws the graph anew. */
function withHeld(next: readonly EditorNode[], before: readonly EditorNode[], held: ReadonlySet<string>): EditorNode[] {
  if (held.size === 0) return [...next];
  const at = new Map(before.map(({ id, position }) => [id, position]));
  return next.map((node) => (held.has(node.id) ? { ...node, position: at.get(node.id) ?? node.position } : node));
}

/** The graph, to be edited: every gesture becomes a change of the definition. */
export function EditorCanvas(props: EditorCanvasProps): ReactElement {
  const { store, projection, selection, problems, dark, label, onDropLine, onDropItem, onInsert, onMenu, onOpen } =
    props;
  const { overlay } = props;
  const { document: definition, model, ready } = projection;
  const flow = useReactFlow<EditorNode, CardEdge>();
  const [nodes, setNodes] = useState<EditorNode[]>([]);
  const [lines, setLines] = useState<HelperLines>(NO_LINES);
  const [pointed, setPointed] = useState<string | null>(null);
  const known = useRef<ReadonlyMap<string, EditorNode>>(new Map());
  const knownEdges = useRef<ReadonlyMap<string, CardEdge>>(new Map());
  const drawnEdges = useRef<CardEdge[]>([]);
  const held = useRef(new Set<string>());

  const onText = useCallback(
    (id: string, text: string) =>
      store.apply(t("Change a note"), { document: changeNote(store.document, id, { text }) }),
    [store],
  );
  useLayoutEffect(() => {
    const before = known.current;
    const frames = readFrames(definition).flatMap(
      (frame) =>
        toFrameNode(frame, projection, selection, before, {
          onTitle: (title) =>
            void store.apply(t("Name a frame"), { document: changeFrame(store.document, frame.id, { title }) }),
        }) ?? [],
    );
    const notes = readNotes(definition).map((note) =>
      toNoteNode(note, selection, before, {
        onText: (text) => void onText(note.id, text),
        onSize: (size) => void store.apply(t("Resize a note"), { document: changeNote(store.document, note.id, size) }),
      }),
    );
    const next: EditorNode[] = [
      ...frames,
      ...notes,
      ...toEditorNodes(projection, selection, problems, overlay, before),
    ];
    known.current = new Map(next.map((node) => [node.id, node]));
    // The same list again is no change to React Flow. What is being dragged stays where the pointer has it.
    setNodes((list) => (isSameList(list, next) ? list : withHeld(next, list, held.current)));
  }, [projection, definition, selection, problems, overlay, store, onText]);

  const edges = useMemo(() => {
    const next = toEditorEdges(projection, selection, pointed, overlay, knownEdges.current);
    const before = [...knownEdges.current.values()];
    if (isSameList(before, next)) return drawnEdges.current;
    knownEdges.current = new Map(next.map((edge) => [edge.id, edge]));
    drawnEdges.current = next;
    return next;
  }, [projection, selection, pointed, overlay]);

  const onNodesChange = (changes: NodeChange<EditorNode>[]): void => {
    const selected = new Set(store.getState().selection.nodes);
    let selects = false;
    const moves = new Map<string, Point>();
    for (const change of changes) {
      if (change.type === "select") {
        selects = true;
        if (change.selected) selected.add(change.id);
        else selected.delete(change.id);
      } else if (change.type === "position") {
        if (change.dragging === true) held.current.add(change.id);
        else held.current.delete(change.id);
        if (change.position !== undefined) moves.set(change.id, change.position);
      }
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
    const snap = snapToOthers({ position, width: node.width ?? 0, height: node.height ?? 0 }, others, flow.getZoom());
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

  const lineGestures = useLineGestures(store, projection, onDropLine);
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
    const label =
      moved.length === 1
        ? t("Move {{replace}}", { replace: moved[0]?.id.replace(/^\w+:/, "") })
        : t("Move {{states}} states", { states: moved.length });
    const result = dropAll(props.current(), moved, pointer);
    // What was refused goes back to where it was.
    if (!store.apply(label, result)) setNodes([...known.current.values()]);
  };
  const openMenu = (kind: "node" | "edge" | "pane", event: ReactMouseEvent | MouseEvent): void => {
    event.preventDefault();
    const at = { x: event.clientX, y: event.clientY };
    onMenu(kind, at, flow.screenToFlowPosition(at));
  };
  const moving = useMoving(projection.layout);
  const many = model.nodes.length > MANY_NODES;
  useOpeningView(ready, projection.settled, many, nodes.length > 0);
  const canvas = useRef<HTMLElement>(null);
  useCentredView(canvas);

  return (
    <section
      ref={canvas}
      className="oven-graph oven-canvas"
      aria-label={label}
      data-moving={moving}
      data-drawn={ready && nodes.length > 0}
      data-ready={ready && projection.settled && (nodes.length > 0 || model.nodes.length === 0)}
      onPointerDownCapture={(event) => {
        // React Flow would begin to select an area there, and the least movement of the hand or the view would end the selection so far.
        if (event.shiftKey && event.target instanceof Element && event.target.closest(PRESSED) !== null)
          event.stopPropagation();
      }}
    >
      <ReactFlow<EditorNode, CardEdge>
        nodes={nodes}
        edges={edges}
        nodeTypes={NODE_TYPES}
        edgeTypes={EDGE_TYPES}
        colorMode={dark ? "dark" : "light"}
        onNodesChange={onNodesChange}
        onEdgesChange={onEdgesChange}
        {...lineGestures}
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
          setPointed(edgeUnder({ x: event.clientX, y: event.clientY }));
        }}
        onDrop={(event) => {
          const id = event.dataTransfer.getData(DRAG_TYPE);
          if (id === "") return;
          event.preventDefault();
          const at = { x: event.clientX, y: event.clientY };
          setPointed(null);
          onDropItem(id, flow.screenToFlowPosition(at), edgeUnder(at));
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
        nodeDragThreshold={CLICK_PX}
        nodeClickDistance={CLICK_PX}
        paneClickDistance={CLICK_PX}
        elevateNodesOnSelect={false}
      >
        <Background variant={BackgroundVariant.Dots} gap={20} size={1.2} />
        <Controls showInteractive={false} showFitView={false} position="bottom-left">
          <ControlButton aria-label={t("Fit View")} title={t("Show everything")} onClick={props.onFit}>
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path d="M4 9V4h5M15 4h5v5M20 15v5h-5M9 20H4v-5" fill="none" stroke="currentColor" strokeWidth="2.4" />
            </svg>
          </ControlButton>
          <ControlButton
            aria-label={t("Lay out")}
            title={t("Lay out ({{keys}})", { keys: formatKeys("Shift+L") })}
            onClick={props.onLayout}
          >
            <svg viewBox="0 0 24 24" aria-hidden="true">
              <path
                d="M3 9h6v6H3zM15 3h6v6h-6zM15 15h6v6h-6zM9 12h3M12 6v12M12 6h3M12 18h3"
                fill="none"
                stroke="currentColor"
                strokeWidth="2"
              />
            </svg>
          </ControlButton>
        </Controls>
        {ready && model.nodes.length >= OVERVIEW_FROM ? <Overview projection={projection} /> : null}
        <ZoomLevel />
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
      <LayoutNotice progress={projection.progress} />
    </section>
  );
}
