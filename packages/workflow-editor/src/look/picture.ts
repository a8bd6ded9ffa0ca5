import { isObject } from "@oven/contract";
import type { NodeType } from "@oven/contract/node";
import { isPlaced } from "../editor/gestures.ts";
import { toGraph } from "../graph/to-graph.ts";
import { layoutGraph } from "../layout/layout-in-worker.ts";
import { placeNodes } from "../layout/placement.ts";
import { type Picture, type PictureColours, toSvg } from "./to-svg.ts";

/** The graph of a definition as a picture: where its author placed it, or laid out. */
export async function drawDefinition(
  definition: unknown,
  nodeTypes: readonly NodeType[] | undefined,
  colours: PictureColours,
): Promise<Picture> {
  const model = toGraph(definition, nodeTypes);
  const layout = isObject(definition) && isPlaced(definition) ? null : await layoutGraph(model);
  return toSvg(model, placeNodes(model, layout?.nodes ?? null), layout?.routes ?? new Map(), colours);
}
