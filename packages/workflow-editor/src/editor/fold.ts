import type { JsonObject } from "@oven/contract";
import type { Edit } from "../document/edit.ts";
import { hiddenBy, readCollapsed, setCollapsed } from "../document/operations/canvas-view.ts";
import { setPositions } from "../document/operations/positions.ts";
import { collapse } from "../graph/collapse.ts";
import type { Point } from "../layout/elk-layout.ts";
import { nodesById, placeNodes } from "../layout/placement.ts";
import { type Drawn, drawnPositions, isPlaced } from "./gestures.ts";

const GAP = 40;

/** Folds containers into cards, or opens them; what an opened one would cover makes room. */
export function foldAt(drawn: Drawn, ids: readonly string[], collapsed: boolean): Edit {
  // A place for everything first, so that it is found again when it is opened.
  const document = isPlaced(drawn.document) ? setPositions(drawn.document, drawnPositions(drawn)) : drawn.document;
  const folded = setCollapsed(document, ids, collapsed);
  if (collapsed || !isPlaced(document)) return { document: folded, select: ids };
  const model = collapse(drawn.full, readCollapsed(folded));
  const placement = placeNodes(model, null);
  const points = drawnPositions({ ...drawn, document: folded, model, placement });
  for (const id of ids) makeRoom(id, drawn, points, placement.get(id) ?? { width: 0, height: 0 });
  return { document: setPositions(folded, points), select: ids };
}

/** Moves what stands to the right of a container, or below it, out of its way. */
function makeRoom(
  id: string,
  drawn: Drawn,
  points: Map<string, Point>,
  { width, height }: { width: number; height: number },
): void {
  const byId = nodesById(drawn.model);
  const at = points.get(id);
  const before = drawn.placement.get(id);
  if (at === undefined || before === undefined) return;
  const siblings = drawn.model.nodes.flatMap((node) => {
    const point = points.get(node.id);
    const box = drawn.placement.get(node.id);
    const beside = node.id !== id && node.parentId === (byId.get(id)?.parentId ?? null);
    return beside && point !== undefined && box !== undefined ? [{ id: node.id, point, box }] : [];
  });
  const covered = siblings.filter(
    ({ point, box }) =>
      point.x < at.x + width && at.x < point.x + box.width && point.y < at.y + height && at.y < point.y + box.height,
  );
  const toTheRight = covered.filter(({ point }) => point.x >= at.x + before.width);
  const below = covered.filter((one) => !toTheRight.includes(one));
  // What reached a little into the folded card, too: rows of its own may have come since it was placed.
  const edge = Math.min(at.y + before.height, ...below.map(({ point }) => point.y));
  const right = Math.max(0, ...toTheRight.map(({ point }) => at.x + width + GAP - point.x));
  const down = Math.max(0, ...below.map(({ point }) => at.y + height + GAP - point.y));
  for (const { id: other, point } of siblings) {
    const x = point.x + (point.x >= at.x + before.width ? right : 0);
    const y = point.y + (point.y >= edge ? down : 0);
    points.set(other, { x, y });
  }
}

/** The definition with a state in view: the containers that hide it are opened. Null: nothing hides it. */
export function reveal(drawn: Drawn, id: string): { document: JsonObject; opened: readonly string[] } | null {
  const opened = hiddenBy(drawn.document, id);
  return opened.length === 0 ? null : { document: foldAt(drawn, opened, false).document, opened };
}
