import { getOwn } from "@oven/contract";
import { t } from "@oven/i18n";
import { MarkerType } from "@xyflow/react";
import type { DiffMark } from "../compare/drawn-diff.ts";
import type { GraphModel, GraphNode, NodeProgress } from "../graph/graph-model.ts";
import { toCardSize } from "../layout/card-size.ts";
import type { Layout } from "../layout/elk-layout.ts";
import { lineLabels } from "./line-label.ts";
import { progressInside } from "./progress-inside.ts";
import type { CardEdge } from "./routed-edge.tsx";
import type { CardNode } from "./state-card.tsx";
import { toHandles } from "./to-handles.ts";

export function toFlowType(node: GraphNode): string {
  if (node.shape === "start") return "start";
  // React Flow styles its own type `group`.
  if (node.shape === "group") return "box";
  return node.shape === "state" || node.shape === "workflow" ? "state" : "end";
}

/** What is drawn over a graph that is only looked at. */
export interface FlowMarks {
  /** Lines a run took. */
  taken?: ReadonlySet<string> | undefined;
  nodes?: ReadonlyMap<string, DiffMark> | undefined;
  edges?: ReadonlyMap<string, "added" | "removed"> | undefined;
}

function toAriaLabel(node: GraphNode, progress: NodeProgress | null, mark: DiffMark | null): string {
  const words = [
    node.label,
    node.known ? node.title : t("unknown node type"),
    node.summary,
    progress?.status ?? "",
    mark ?? "",
  ];
  return words.filter((word) => word !== "").join(", ");
}

/** React Flow's nodes and edges from the model, its layout and how far a run got. */
export function toFlow(
  model: GraphModel,
  layout: Layout,
  statusByNode: Readonly<Record<string, NodeProgress>>,
  selected: string | null,
  marks: FlowMarks = {},
): { nodes: CardNode[]; edges: CardEdge[] } {
  const nodes = model.nodes.map((node): CardNode => {
    const size = toCardSize(node);
    const placed = layout.nodes.get(node.id);
    const progress = getOwn(statusByNode, node.id) ?? progressInside(statusByNode, node.inside);
    const mark = marks.nodes?.get(node.id) ?? null;
    return {
      id: node.id,
      type: toFlowType(node),
      position: placed?.position ?? { x: 0, y: 0 },
      width: placed?.width ?? size.width,
      height: placed?.height ?? size.height,
      ...toHandles(node, placed ?? size),
      data: { node, progress, mark },
      selected: node.id === selected,
      selectable: node.shape !== "start",
      focusable: node.shape !== "start",
      ariaLabel: toAriaLabel(node, progress, mark),
      ...(node.shape === "start" ? { ariaRole: "img" as const } : {}),
      ...(node.parentId === null ? {} : { parentId: node.parentId }),
    };
  });
  const groups = new Set(model.nodes.filter((node) => node.shape === "group").map((node) => node.id));
  const toLineLabel = lineLabels(model);
  const edges = model.edges.map((edge): CardEdge => {
    const isTaken = marks.taken?.has(edge.id) === true;
    const colour = edge.tone === "error" ? "var(--oven-status-failed)" : "var(--oven-edge)";
    return {
      id: edge.id,
      type: "routed",
      source: edge.source,
      sourceHandle: edge.sourceHandle,
      target: edge.target,
      targetHandle: "in",
      data: {
        edge,
        route: layout.routes.get(edge.id) ?? null,
        labelled: groups.has(edge.source) && edge.label !== "",
        path: isTaken ? "taken" : null,
        mark: marks.edges?.get(edge.id) ?? null,
      },
      markerEnd: { type: MarkerType.ArrowClosed, color: colour, width: 16, height: 16 },
      focusable: false,
      ariaLabel: toLineLabel(edge, isTaken),
    };
  });
  return { nodes, edges };
}
