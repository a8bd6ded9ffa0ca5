import type { JsonObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { indexStates } from "@oven/scope";
import { useDeferredValue, useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { readCollapsed } from "../document/operations/canvas-view.ts";
import { collapse } from "../graph/collapse.ts";
import type { GraphModel } from "../graph/graph-model.ts";
import { toGraph } from "../graph/to-graph.ts";
import type { Layout } from "../layout/elk-layout.ts";
import { layoutGraph } from "../layout/layout-in-worker.ts";
import { LayoutProgress } from "../layout/layout-progress.ts";
import { PlacedRoutes } from "../layout/placed-routes.ts";
import { type Placement, placeNodes } from "../layout/placement.ts";
import type { EditorStore } from "./editor-store.ts";
import { isPlaced } from "./gestures.ts";

export interface Projection {
  document: JsonObject;
  model: GraphModel;
  /** With what folded containers hide. */
  full: GraphModel;
  placement: Placement;
  /** Lines as the layout drew them, or around cards that the author placed; each holds while its ends stand where they stood. */
  routes: Layout["routes"];
  /** Changes with every new layout. */
  layout: unknown;
  /** False until a definition without places has been laid out for the first time. */
  ready: boolean;
  /** False while a layout is under way. */
  settled: boolean;
  progress: LayoutProgress;
}

/** What decides the layout: which nodes there are, how large they are, and what joins them. */
function structureOf(model: GraphModel): string {
  const nodes = model.nodes.map(
    ({ id, parentId, shape, summary, handles }) =>
      `${parentId}/${id} ${shape} ${summary === ""} ${handles.map((handle) => handle.label === "").join()}`,
  );
  const direction = model.nodes[0]?.direction ?? "right";
  return [direction, ...nodes, ...model.edges.map(({ id }) => id)].join("\n");
}

/** From here on laying out takes longer than a person should wait for the first picture. */
export const MANY_NODES = 150;

const NO_ROUTES: Layout["routes"] = new Map();

/** The graph of a document that is newer than the one that is drawn: gestures must not go by an older one. */
export function upToDate(
  drawn: Projection,
  document: JsonObject,
  nodeTypes: readonly NodeType[] | undefined,
): Projection {
  if (drawn.document === document) return drawn;
  const full = toGraph(document, nodeTypes, { offer: true });
  const model = collapse(full, readCollapsed(document));
  return { ...drawn, document, full, model, placement: placeNodes(model, drawn.placement) };
}

/** The graph of the document and where it stands; laid out anew when it has no places of its own and its structure changed. */
export function useProjection(store: EditorStore, nodeTypes: readonly NodeType[] | undefined): Projection {
  const latest = useSyncExternalStore(store.subscribe, () => store.document);
  // What is typed into a field is shown there first: a large graph follows when there is time.
  const deferred = useDeferredValue(latest);
  const document = indexStates(latest).list.length > MANY_NODES ? deferred : latest;
  const full = useMemo(() => toGraph(document, nodeTypes, { offer: true }), [document, nodeTypes]);
  const model = useMemo(() => collapse(full, readCollapsed(document)), [full, document]);
  const placed = isPlaced(document);
  const structure = useMemo(() => (placed ? null : structureOf(model)), [placed, model]);
  const [laidOut, setLaidOut] = useState<{ layout: Layout; structure: string } | null>(null);
  const [failure, setFailure] = useState<Error | null>(null);
  const [progress] = useState(() => new LayoutProgress());
  const [stopped, setStopped] = useState<string | null>(null);
  const current = useRef(model);
  current.current = model;
  useEffect(() => {
    if (structure === null) return;
    const giveUp = new AbortController();
    const stop = (): void => {
      giveUp.abort();
      progress.set(null);
      setStopped(structure);
    };
    const onProgress = (share: number): void => progress.set({ share, stop });
    layoutGraph(current.current, { onProgress, signal: giveUp.signal })
      .then(
        (layout) => {
          if (!giveUp.signal.aborted) setLaidOut({ layout, structure });
        },
        (error: unknown) => {
          if (!giveUp.signal.aborted) setFailure(error instanceof Error ? error : new Error(String(error)));
        },
      )
      .finally(() => {
        // One that was given up for another has nothing more to say.
        if (!giveUp.signal.aborted) progress.set(null);
      });
    return () => {
      giveUp.abort();
      progress.set(null);
    };
  }, [structure, progress]);
  // Thrown while rendering, so that the nearest error boundary shows it.
  if (failure !== null) throw failure;
  const placement = useMemo(() => placeNodes(model, laidOut?.layout.nodes ?? null), [model, laidOut]);
  const [router] = useState(() => new PlacedRoutes());
  const layout = laidOut?.layout.routes ?? NO_ROUTES;
  const routes = useMemo(
    () => router.routesOf(model, placement, placed ? NO_ROUTES : layout),
    [placed, router, model, placement, layout],
  );
  // A large graph is shown at rough places at once, and moves when its layout is there.
  const ready = placed || laidOut !== null || model.nodes.length === 0 || model.nodes.length > MANY_NODES;
  const settled = structure === null || laidOut?.structure === structure || stopped === structure;
  return useMemo(
    () => ({ document, model, full, placement, routes, layout, ready, settled, progress }),
    [document, model, full, placement, routes, layout, ready, settled, progress],
  );
}
