export type { RunActions } from "./editor/run-actions.ts";
export { describeGuard } from "./graph/describe-guard.ts";
export type { GraphEdge, GraphHandle, GraphModel, GraphNode, NodeProgress } from "./graph/graph-model.ts";
export { toGraph } from "./graph/to-graph.ts";
export { GraphThumbnail } from "./look/graph-thumbnail.tsx";
export { KindIcon } from "./look/kind-icon.tsx";
export { toBases, toStale } from "./overlay/basis.ts";
export type { CanvasOverlay, PinMark } from "./overlay/canvas-overlay.ts";
export { toTakenEdges } from "./overlay/taken-edges.ts";
