import type { JsonObject } from "@oven/contract";
import { layoutHere } from "../layout/layout-here.ts";
import { placeNodes } from "../layout/placement.ts";
import { type Picture, type PictureColours, type PictureMark, type PictureOptions, toSvg } from "../look/to-svg.ts";
import { type DiffMark, toDrawnDiff } from "./drawn-diff.ts";

export type { Picture, PictureColours } from "../look/to-svg.ts";
export type { DiffMark } from "./drawn-diff.ts";

/** How each mark looks. Their strokes and signs differ, too: colour alone would not reach everybody. */
export const DIFF_MARKS: Record<DiffMark, { sign: string; dash: string | null; word: string }> = {
  added: { sign: "+", dash: null, word: "added" },
  removed: { sign: "−", dash: "7 5", word: "removed" },
  changed: { sign: "~", dash: "2 3", word: "changed" },
  moved: { sign: "→", dash: "11 3 2 3", word: "moved" },
};

export interface DiffPictureOptions extends Pick<PictureOptions, "prefix" | "label"> {
  colours: PictureColours;
  marks: Record<DiffMark, string>;
}

/** Two definitions as one picture: the newer one with what was added, changed, moved and removed. Needs no browser. */
export async function drawDiff(
  from: JsonObject,
  to: JsonObject,
  { colours, marks, ...options }: DiffPictureOptions,
): Promise<Picture> {
  const { model, nodes, edges } = toDrawnDiff(from, to);
  const isPlaced = model.nodes.some(({ position }) => position !== null);
  const layout = isPlaced ? null : await layoutHere(model);
  const marked = (found: ReadonlyMap<string, DiffMark>): Map<string, PictureMark> =>
    new Map([...found].map(([id, mark]) => [id, { ...DIFF_MARKS[mark], colour: marks[mark] }]));
  return toSvg(model, placeNodes(model, layout?.nodes ?? null), layout?.routes ?? new Map(), colours, {
    ...options,
    nodes: marked(nodes),
    edges: marked(edges),
  });
}
