import type { JsonObject } from "@oven/contract";
import { t } from "@oven/i18n";
import { findState, outermost, type TransitionPlace } from "@oven/scope";
import { type Edit, isRefused, type Refusal } from "../document/edit.ts";
import type { PaletteItem } from "../document/new-states.ts";
import { addConnected, addState, insertOnTransition } from "../document/operations/add-state.ts";
import { readDirection } from "../document/operations/canvas-view.ts";
import type { Outlet } from "../document/operations/connect.ts";
import { dropPositions, readPositions, setPositions } from "../document/operations/positions.ts";
import { unwrapState, type Wrapping, wrapStates } from "../document/operations/wrap-states.ts";
import type { GraphEdge, GraphHandle, GraphModel } from "../graph/graph-model.ts";
import { START } from "../graph/to-graph.ts";
import { endingIn, withUndoEnd } from "../inspector/undo-steps.ts";
import type { Point } from "../layout/elk-layout.ts";
import { containerAt, freeSpot, GAP_X, nextTo, nodesById, type Placement, toAbsolute } from "../layout/placement.ts";

/** What is drawn: a definition, its graph, and where it stands. */
export interface Drawn {
  document: JsonObject;
  model: GraphModel;
  /** With what folded containers hide. */
  full: GraphModel;
  placement: Placement;
}

/** Whether the author placed states, or the layout does. */
export function isPlaced(document: JsonObject): boolean {
  return readPositions(document).size > 0;
}

/** Where every state is drawn now, by its id. */
export function drawnPositions({ model, placement }: Drawn): Map<string, Point> {
  return new Map(
    model.nodes.flatMap((node): [string, Point][] => {
      const placed = placement.get(node.id);
      return node.shape === "start" || node.shape === "missing" || placed === undefined
        ? []
        : [[node.id, placed.position]];
    }),
  );
}

/** The definition with every state's place written down: from then on nothing moves by itself. */
export function pinned(drawn: Drawn): JsonObject {
  return setPositions(drawn.document, drawnPositions(drawn));
}

/** A point of the canvas as seen from a container. */
export function relativeTo(container: string | null, point: Point, { model, placement }: Drawn): Point {
  if (container === null) return point;
  const origin = toAbsolute(container, model, placement);
  return { x: point.x - origin.x, y: point.y - origin.y };
}

/** A new state at a point of the canvas; `outlet`: at the end of a line that was dropped there. */
export function addAt(drawn: Drawn, item: PaletteItem, point: Point, outlet: Outlet | null): Edit | Refusal {
  const container = containerAt(point, drawn.model, drawn.placement);
  const position = relativeTo(container, point, drawn);
  const document = pinned(drawn);
  const spot = { container, position };
  return outlet === null ? addState(document, item.make(), spot) : addConnected(document, outlet, item.make(), spot);
}

/** A new state that was dropped at a point: on a line it goes in between, unless nothing may lead on from it. */
export function dropItem(drawn: Drawn, item: PaletteItem, point: Point, edgeId: string | null): Edit | Refusal {
  const edge = edgeId === null ? undefined : drawn.model.edges.find(({ id }) => id === edgeId);
  const inserted = edge === undefined ? null : insertOn(drawn, edge, item);
  return inserted === null || isRefused(inserted) ? addAt(drawn, item, point, null) : inserted;
}

/** A new state behind a selected one, joined to the first of its handles that leads nowhere; without one, by itself. */
export function addAfter(drawn: Drawn, item: PaletteItem, after: string | null): Edit | Refusal {
  const { document, model } = drawn;
  const place = after === null ? undefined : findState(document, after);
  if (place === undefined) {
    const first = addState(document, item.make(), { container: null });
    return isPlaced(document) && !isRefused(first) ? { ...first, document: besideAll(first, drawn) } : first;
  }
  const outlet = nodesById(model).get(place.id)?.handles.find(isFree)?.outlet;
  return addBehind(drawn, item, place.id, outlet);
}

/** A new state behind another one, at the end of one of its lines; `outlet` undefined: no line leads to it. */
export function addBehind(drawn: Drawn, item: PaletteItem, after: string, outlet: Outlet | undefined): Edit | Refusal {
  const { document, model, placement } = drawn;
  const node = nodesById(model).get(after);
  const parent = findState(document, after)?.parent?.id ?? null;
  // What undoes a step stands at the top level, wherever the step is.
  const container = outlet?.slot === "undo" ? null : parent;
  const placed = placement.get(after);
  const siblings = model.nodes.filter(
    (other) => other.parentId === (node?.parentId ?? null) && other.shape !== "start",
  );
  const position =
    isPlaced(document) && placed !== undefined && container === parent
      ? freeSpot(
          nextTo(placed, readDirection(document)),
          { width: NEW.width, height: NEW.height },
          siblings.flatMap(({ id }) => placement.get(id) ?? []),
          readDirection(document),
        )
      : undefined;
  const spot = { container, position };
  if (outlet === undefined) return addState(document, item.make(), spot);
  if (outlet.slot !== "undo") return addConnected(document, outlet, item.make(), spot);
  const { document: ending, end } = withUndoEnd(document);
  return addConnected(ending, outlet, endingIn(item.make(), end), spot);
}

function besideAll(first: Edit, { model, placement }: Drawn): JsonObject {
  const boxes = model.nodes.flatMap((node) => (node.parentId === null ? (placement.get(node.id) ?? []) : []));
  const bottom = Math.max(0, ...boxes.map(({ position, height }) => position.y + height));
  return setPositions(
    first.document,
    (first.select ?? []).map((id) => [id, { x: 0, y: bottom + 40 }] as const),
  );
}

/** Whether a handle waits for a line. Errors are not offered by themselves. */
export function isFree(handle: GraphHandle): boolean {
  if (handle.tone === "error") return false;
  return handle.offered || (handle.outlet.transition !== null && handle.outlet.transition.target === null);
}

/** The transition that an edge draws; null for the line from the start. Undefined when the edge is gone. */
export function transitionOf(edge: GraphEdge, model: GraphModel): TransitionPlace | null | undefined {
  if (edge.source === START) return null;
  const handle = nodesById(model)
    .get(edge.source)
    ?.handles.find(({ id }) => id === edge.sourceHandle);
  return handle?.outlet.transition ?? undefined;
}

/** About as large as most cards; the true size is known once it is drawn. */
const NEW = { width: 236, height: 110 };

const RIGHT = ["x", "y", "width"] as const;
const DOWN = ["y", "x", "height"] as const;

/** A new state on a line; what stands behind it in the same container makes room. */
export function insertOn(drawn: Drawn, edge: GraphEdge, item: PaletteItem): Edit | Refusal {
  const { document, model, placement } = drawn;
  const transition = transitionOf(edge, model);
  if (transition === undefined) return { reason: t("This line is gone") };
  const inserted = insertOnTransition(document, transition, item.make());
  if (isRefused(inserted) || !isPlaced(document)) return inserted;
  const [id = ""] = inserted.select ?? [];
  const parent = findState(inserted.document, id)?.parent?.id ?? null;
  const byId = nodesById(model);
  const from = placement.get(edge.source);
  const to = placement.get(edge.target);
  const sameLevel = byId.get(edge.target)?.parentId === parent && byId.get(edge.source)?.parentId === parent;
  if (from === undefined || to === undefined || !sameLevel) return inserted;
  // Along the way lines go, and across it.
  const [along, across, length] = readDirection(document) === "down" ? DOWN : RIGHT;
  const forward = to.position[along] > from.position[along];
  const place = { ...from.position };
  if (forward) place[along] = from.position[along] + from[length] + GAP_X;
  else {
    place[along] = (from.position[along] + to.position[along]) / 2;
    place[across] = Math.max(from.position[across], to.position[across]) + 160;
  }
  if (edge.source === START) place[across] = to.position[across];
  const missing = forward ? place[along] + NEW[length] + GAP_X - to.position[along] : 0;
  const moved = drawnPositions(drawn);
  if (missing > 0)
    for (const node of model.nodes) {
      const point = moved.get(node.id);
      if (node.parentId === parent && point !== undefined && point[along] >= to.position[along])
        moved.set(node.id, { ...point, [along]: point[along] + missing });
    }
  moved.set(id, place);
  return { ...inserted, document: setPositions(inserted.document, moved) };
}

const INSET = { x: 20, y: 54 };

/** Puts states into a new container that is drawn around where they stand. */
export function wrapAt(drawn: Drawn, ids: readonly string[], kind: Wrapping): Edit | Refusal {
  const { document, placement } = drawn;
  const wrapped = wrapStates(document, ids, kind);
  if (isRefused(wrapped) || !isPlaced(document)) return wrapped;
  const [id = ""] = wrapped.select ?? [];
  const tops = outermost(document, ids);
  const points = tops.flatMap((top) => placement.get(top.id)?.position ?? []);
  const corner = {
    x: Math.min(...points.map(({ x }) => x)) - INSET.x,
    y: Math.min(...points.map(({ y }) => y)) - INSET.y,
  };
  const inner = tops.flatMap((top): [string, Point][] => {
    const point = placement.get(top.id)?.position;
    if (point === undefined) return [];
    // A region holds one of them, in its corner.
    return [[top.id, kind === "parallel" ? INSET : { x: point.x - corner.x, y: point.y - corner.y }]];
  });
  return { ...wrapped, document: setPositions(wrapped.document, [[id, corner], ...inner]) };
}

/** Takes a container apart; what was in it stays where it is drawn. */
export function unwrapAt(drawn: Drawn, id: string): Edit | Refusal {
  const { document, model, placement } = drawn;
  const open = unwrapState(document, id);
  if (isRefused(open) || !isPlaced(document)) return open;
  const outer = nodesById(model).get(id)?.parentId ?? null;
  const points = (open.select ?? []).map(
    (child) => [child, relativeTo(outer, toAbsolute(child, model, placement), drawn)] as const,
  );
  return { ...open, document: dropPositions(setPositions(open.document, points), new Set([id])) };
}
