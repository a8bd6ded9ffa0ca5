import type { DiffMark } from "../compare/drawn-diff.ts";
import type { NodeProgress } from "../graph/graph-model.ts";

export type PinMark = "pinned" | "stale";

/** What is drawn over the graph of a definition; nothing of it is part of the definition. */
export interface CanvasOverlay {
  /** By state id: how far a run got. */
  nodes: Readonly<Record<string, NodeProgress>>;
  /** Ids of the lines the run took. */
  taken: ReadonlySet<string>;
  /** The run goes on: its path moves. */
  going: boolean;
  /** States whose output stands in for a call. */
  pins: ReadonlyMap<string, PinMark>;
  /** States that would not do what the run shows: they, or what comes before them, were changed since. */
  stale: ReadonlySet<string>;
  /** States that were made different elsewhere a moment ago. */
  marks: ReadonlyMap<string, DiffMark>;
}

export const NO_OVERLAY: CanvasOverlay = {
  nodes: {},
  taken: new Set(),
  going: false,
  pins: new Map(),
  stale: new Set(),
  marks: new Map(),
};
