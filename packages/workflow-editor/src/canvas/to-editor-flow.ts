import { getOwn } from "@oven/contract";
import { t } from "@oven/i18n";
import { MarkerType } from "@xyflow/react";
import type { Frame, Note } from "../document/operations/annotations.ts";
import type { Selection } from "../editor/editor-store.ts";
import { FRAME, NOTE } from "../editor/selected.ts";
import type { Projection } from "../editor/use-projection.ts";
import type { GraphNode } from "../graph/graph-model.ts";
import { START } from "../graph/to-graph.ts";
import { toAbsolute } from "../layout/placement.ts";
import type { CanvasOverlay } from "../overlay/canvas-overlay.ts";
import type { FrameNode, NoteNode } from "./annotation-nodes.tsx";
import { lineLabels } from "./line-label.ts";
import { toMarkWord, toProgressWords } from "./progress-badge.tsx";
import { progressInside } from "./progress-inside.ts";
import type { CardEdge } from "./routed-edge.tsx";
import type { CardNode, CardOverlay } from "./state-card.tsx";
import { toFlowType } from "./to-flow.ts";
import { toHandles } from "./to-handles.ts";

export type EditorNode = CardNode | NoteNode | FrameNode;
export type ProblemMark = "error" | "warning";

function toLabel(node: GraphNode, problem: ProblemMark | null, over: CardOverlay): string {
  const words = [
    node.label,
    node.known ? node.title : t("unknown node type"),
    node.summary,
    node.initial ? t("begins here") : "",
    node.disabled ? t("disabled") : "",
    problem === null ? "" : problem === "error" ? t("has an error") : t("has a warning"),
    toProgressWords(over.progress),
    over.pin === null ? "" : over.pin === "stale" ? t("output pinned before a change") : t("output pinned"),
    over.stale ? t("changed since this run") : "",
    toMarkWord(over.mark),
  ];
  return words.filter((word) => word !== "").join(", ");
}

function toCardOverlay({ nodes, pins, stale, marks }: CanvasOverlay, { id, inside }: GraphNode): CardOverlay {
  return {
    progress: getOwn(nodes, id) ?? progressInside(nodes, inside),
    pin: pins.get(id) ?? null,
    stale: stale.has(id),
    mark: marks.get(id) ?? null,
  };
}

/** A node as it was, when nothing about it changed: React Flow then leaves it alone. */
function keep<Item extends EditorNode>(
  before: ReadonlyMap<string, EditorNode>,
  node: Item,
  same: (old: Item) => boolean,
): Item {
  // cast: nodes of one id are of one kind
  const old = before.get(node.id) as Item | undefined;
  return old !== undefined && same(old) && isSamePlace(old, node) ? old : node;
}

function isSamePlace(one: EditorNode, other: EditorNode): boolean {
  return (
    one.position.x === other.position.x &&
    one.position.y === other.position.y &&
    one.width === other.width &&
    one.height === other.height &&
    one.selected === other.selected &&
    one.parentId === other.parentId
  );
}

/** React Flow's nodes: states, and after the same rules of identity the notes and frames. */
export function toEditorNodes(
  { model, placement }: Projection,
  selection: Selection,
  problems: ReadonlyMap<string, ProblemMark>,
  overlay: CanvasOverlay,
  before: ReadonlyMap<string, EditorNode>,
): CardNode[] {
  return model.nodes.map((node): CardNode => {
    const placed = placement.get(node.id);
    const problem = problems.get(node.id) ?? null;
    const over = toCardOverlay(overlay, node);
    const isStart = node.shape === "start";
    const made: CardNode = {
      id: node.id,
      type: toFlowType(node),
      position: placed?.position ?? { x: 0, y: 0 },
      width: placed?.width ?? 0,
      height: placed?.height ?? 0,
      ...toHandles(node, { width: placed?.width ?? 0, height: placed?.height ?? 0 }),
      data: { node, ...over, editable: true, problem },
      selected: selection.nodes.has(node.id),
      selectable: !isStart,
      focusable: !isStart,
      draggable: !isStart && node.shape !== "missing",
      ariaLabel: toLabel(node, problem, over),
      ...(isStart ? { ariaRole: "img" as const } : {}),
      ...(node.parentId === null ? {} : { parentId: node.parentId }),
    };
    return keep(
      before,
      made,
      (old) => old.data.node === node && old.data.problem === problem && old.ariaLabel === made.ariaLabel,
    );
  });
}

export function toNoteNode(
  note: Note,
  selection: Selection,
  before: ReadonlyMap<string, EditorNode>,
  on: Omit<NoteNode["data"], "note">,
): NoteNode {
  const id = `${NOTE}${note.id}`;
  const { x, y, width, height } = note;
  const made: NoteNode = {
    id,
    type: "note",
    position: { x, y },
    width,
    height,
    measured: { width, height },
    handles: [],
    zIndex: -1,
    data: { note, ...on },
    selected: selection.nodes.has(id),
    ariaLabel: `Note: ${note.text}`,
  };
  return keep(before, made, (old) => old.data.note.text === note.text);
}

const FRAME_ROOM = { side: 16, top: 40 };

/** A frame around what its members take; none of them is drawn: no frame. */
export function toFrameNode(
  frame: Frame,
  { model, placement }: Projection,
  selection: Selection,
  before: ReadonlyMap<string, EditorNode>,
  on: Omit<FrameNode["data"], "frame">,
): FrameNode | null {
  const boxes = frame.members.flatMap((member) => {
    const placed = placement.get(member);
    return placed === undefined
      ? []
      : [{ ...toAbsolute(member, model, placement), width: placed.width, height: placed.height }];
  });
  if (boxes.length === 0) return null;
  const left = Math.min(...boxes.map(({ x }) => x)) - FRAME_ROOM.side;
  const top = Math.min(...boxes.map(({ y }) => y)) - FRAME_ROOM.top;
  const right = Math.max(...boxes.map(({ x, width }) => x + width)) + FRAME_ROOM.side;
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height)) + FRAME_ROOM.side;
  const id = `${FRAME}${frame.id}`;
  const made: FrameNode = {
    id,
    type: "frame",
    position: { x: left, y: top },
    width: right - left,
    height: bottom - top,
    measured: { width: right - left, height: bottom - top },
    handles: [],
    zIndex: -2,
    data: { frame, ...on },
    selected: selection.nodes.has(id),
    ariaLabel: `Frame: ${frame.title}`,
  };
  return keep(before, made, (old) => old.data.frame.title === frame.title);
}

/** Lines can be taken at their ends only while they are pointed at or selected: two more shapes each. */
export function toEditorEdges(
  { model, routes }: Projection,
  selection: Selection,
  pointed: string | null,
  { taken, going }: CanvasOverlay,
  before: ReadonlyMap<string, CardEdge>,
): CardEdge[] {
  const groups = new Set(model.nodes.filter((node) => node.shape === "group").map((node) => node.id));
  const toLineLabel = lineLabels(model);
  return model.edges.map((edge): CardEdge => {
    const selected = selection.edges.has(edge.id);
    const reconnectable =
      selected || pointed === edge.id ? (edge.source === START ? ("target" as const) : true) : false;
    const route = routes.get(edge.id) ?? null;
    const path = taken.has(edge.id) ? (going ? ("live" as const) : ("taken" as const)) : null;
    const ariaLabel = toLineLabel(edge, path !== null);
    const old = before.get(edge.id);
    if (
      old?.data?.edge === edge &&
      old.selected === selected &&
      old.reconnectable === reconnectable &&
      old.data.route === route &&
      old.data.path === path &&
      old.ariaLabel === ariaLabel
    )
      return old;
    const colour = edge.tone === "error" ? "var(--oven-status-failed)" : "var(--oven-edge)";
    return {
      id: edge.id,
      type: "routed",
      source: edge.source,
      sourceHandle: edge.sourceHandle,
      target: edge.target,
      targetHandle: "in",
      selected,
      reconnectable,
      data: { edge, route, labelled: groups.has(edge.source) && edge.label !== "", editable: true, path },
      markerEnd: { type: MarkerType.ArrowClosed, color: colour, width: 16, height: 16 },
      ariaLabel,
    };
  });
}
