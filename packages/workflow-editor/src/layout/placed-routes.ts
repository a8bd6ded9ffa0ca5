import type { GraphModel, GraphNode } from "../graph/graph-model.ts";
import { type Anchor, toAnchorPoint, toCardSize } from "./card-size.ts";
import type { Point } from "./elk-layout.ts";
import { nodesById, type Placement, toAbsolute } from "./placement.ts";
import { type Box, endsAt, type LineEnd, routeAround, runsUnder } from "./route-around.ts";

/** What was found last, and where the cards stood then. */
interface Known {
  boxes: string;
  laid: ReadonlyMap<string, Point[]>;
  routes: Map<string, Point[]>;
  tried: Map<string, Point[] | null>;
}

const NOT_LAID: ReadonlyMap<string, Point[]> = new Map();

/**
 * Leads lines around cards where the author placed them, and where the layout leads one under a card: it does so to and from
 * containers. Ways that hold are the same objects again.
 */
export class PlacedRoutes {
  #known: Known = { boxes: "", laid: NOT_LAID, routes: new Map(), tried: new Map() };

  /**
   * The corners of lines in canvas coordinates: as `laid` has them, or around cards that they would pass under. A line without is
   * drawn straight to where it leads.
   */
  routesOf(
    model: GraphModel,
    placement: Placement,
    laid: ReadonlyMap<string, Point[]> = NOT_LAID,
  ): Map<string, Point[]> {
    const boxes = new Map<string, Box>();
    for (const node of model.nodes) {
      const placed = placement.get(node.id);
      if (placed !== undefined && node.shape !== "start")
        boxes.set(node.id, { ...toAbsolute(node.id, model, placement), width: placed.width, height: placed.height });
    }
    const key = JSON.stringify([...boxes]);
    const before = this.#known;
    const tried = new Map<string, Point[] | null>();
    const routes = new Map<string, Point[]>();
    const byId = nodesById(model);
    for (const edge of model.edges) {
      const from = endOf(byId.get(edge.source), edge.sourceHandle, model, placement);
      const to = endOf(byId.get(edge.target), "in", model, placement);
      if (from === null || to === null) continue;
      const name = `${edge.id} ${from.x} ${from.y} ${to.x} ${to.y}`;
      const old = before.boxes === key && before.laid === laid ? before.tried.get(name) : undefined;
      const route = old === undefined ? findRoute(laid.get(edge.id), from, to, inTheWay(edge, boxes, byId)) : old;
      tried.set(name, route);
      if (route !== null) routes.set(edge.id, route);
    }
    const isSame =
      routes.size === before.routes.size && [...routes].every(([id, route]) => before.routes.get(id) === route);
    this.#known = { boxes: key, laid, tried, routes: isSame ? before.routes : routes };
    return this.#known.routes;
  }
}

function findRoute(laid: Point[] | undefined, from: LineEnd, to: LineEnd, boxes: readonly Box[]): Point[] | null {
  const holds = laid !== undefined && endsAt(laid, from, to) && !runsUnder(laid, boxes);
  return holds ? laid : routeAround(from, to, boxes);
}

/** What a line must not pass under: every card, and containers that hold neither of its ends. */
function inTheWay(
  { source, target }: { source: string; target: string },
  boxes: ReadonlyMap<string, Box>,
  byId: ReadonlyMap<string, GraphNode>,
): Box[] {
  const around = new Set<string>();
  for (const end of [source, target])
    for (let at = byId.get(end); at !== undefined; at = at.parentId === null ? undefined : byId.get(at.parentId))
      if (at.shape === "group") around.add(at.id);
  return [...boxes].flatMap(([id, box]) => (around.has(id) ? [] : [box]));
}

function endOf(node: GraphNode | undefined, handle: string, model: GraphModel, placement: Placement): LineEnd | null {
  const placed = node === undefined ? undefined : placement.get(node.id);
  if (node === undefined || placed === undefined) return null;
  const size = toCardSize(node);
  const anchor: Anchor = handle === "in" ? size.entry : (size.handles[handle] ?? size.entry);
  const corner = toAbsolute(node.id, model, placement);
  const point = toAnchorPoint(anchor, placed);
  return { x: corner.x + point.x, y: corner.y + point.y, side: anchor.side };
}
