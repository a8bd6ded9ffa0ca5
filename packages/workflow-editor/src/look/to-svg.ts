import { markDeceptive } from "@oven/contract";
import type { GraphModel, GraphNode } from "../graph/graph-model.ts";
import { type Anchor, toAnchorPoint, toCardSize } from "../layout/card-size.ts";
import type { Layout, Point } from "../layout/elk-layout.ts";
import { type Placement, toAbsolute } from "../layout/placement.ts";
import { toRoundedPath } from "../layout/rounded-path.ts";

export interface PictureColours {
  canvas: string;
  surface: string;
  sunken: string;
  border: string;
  text: string;
  muted: string;
  edge: string;
  failed: string;
  completed: string;
  kind: Record<GraphNode["kind"], string>;
}

/** What sets a state or a line apart from the others, by colour and, for who does not see it, by sign and stroke. */
export interface PictureMark {
  colour: string;
  /** As `stroke-dasharray`; null: a solid line. */
  dash: string | null;
  /** One character, drawn at a corner of the card. */
  sign: string;
  word: string;
}

export interface PictureOptions {
  nodes?: ReadonlyMap<string, PictureMark>;
  edges?: ReadonlyMap<string, PictureMark>;
  /** Begins the ids in it: several pictures in one page must not share them. */
  prefix?: string;
  /** What it shows, for who does not see it. */
  label?: string;
}

export interface Picture {
  svg: string;
  width: number;
  height: number;
}

const MARGIN = 40;
const FONT = "Inter, system-ui, sans-serif";

const toXml = (text: string): string =>
  markDeceptive(text).replace(
    /[&<>"]/g,
    (sign) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[sign] ?? sign,
  );
const cut = (text: string, length: number): string => (text.length > length ? `${text.slice(0, length - 1)}…` : text);

/** The whole graph as a picture that needs no style sheet. */
export function toSvg(
  model: GraphModel,
  placement: Placement,
  routes: Layout["routes"],
  colours: PictureColours,
  { nodes: marked = new Map(), edges: markedEdges = new Map(), prefix = "", label }: PictureOptions = {},
): Picture {
  const at = new Map(model.nodes.map((node) => [node.id, toAbsolute(node.id, model, placement)]));
  const boxes = model.nodes.map((node) => {
    const { x, y } = at.get(node.id) ?? { x: 0, y: 0 };
    const { width = 0, height = 0 } = placement.get(node.id) ?? {};
    return { node, x, y, width, height };
  });
  const points = [
    ...boxes.flatMap(({ x, y, width, height }) => [
      { x, y },
      { x: x + width, y: y + height },
    ]),
    ...[...routes.values()].flat(),
  ];
  const left = Math.min(0, ...points.map(({ x }) => x)) - MARGIN;
  const top = Math.min(0, ...points.map(({ y }) => y)) - MARGIN;
  const width = Math.max(...points.map(({ x }) => x), 0) - left + MARGIN;
  const height = Math.max(...points.map(({ y }) => y), 0) - top + MARGIN;
  const byId = new Map(boxes.map((box) => [box.node.id, box]));
  const lines = model.edges.map((edge) => {
    const from = byId.get(edge.source);
    const to = byId.get(edge.target);
    if (from === undefined || to === undefined) return "";
    const size = toCardSize(from.node);
    const start = onBox(size.handles[edge.sourceHandle] ?? size.entry, from);
    const end = onBox(toCardSize(to.node).entry, to);
    const middle = { x: (start.x + end.x) / 2, y: (start.y + end.y) / 2 };
    const stepped =
      to.node.direction === "down"
        ? [start, { x: start.x, y: middle.y }, { x: end.x, y: middle.y }, end]
        : [start, { x: middle.x, y: start.y }, { x: middle.x, y: end.y }, end];
    const route = routes.get(edge.id) ?? stepped;
    const mark = markedEdges.get(edge.id);
    if (mark !== undefined)
      return `<path d="${toRoundedPath(route)}" fill="none" stroke="${mark.colour}" stroke-width="2.5"${strokeOf(mark)} marker-end="url(#${prefix}end-${mark.word})"><title>${toXml(`${mark.word}: ${edge.label}`)}</title></path>`;
    const colour = edge.tone === "error" ? colours.failed : colours.edge;
    const dash =
      edge.tone === "error" ? ' stroke-dasharray="5 4"' : edge.tone === "undo" ? ' stroke-dasharray="2 4"' : "";
    return `<path d="${toRoundedPath(route)}" fill="none" stroke="${colour}" stroke-width="1.5"${dash} marker-end="url(#${prefix}end-${edge.tone === "error" ? "error" : "line"})"/>`;
  });
  const marker = (id: string, colour: string): string =>
    `<marker id="${prefix}end-${id}" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L10 5L0 10z" fill="${colour}"/></marker>`;
  const ends = [...new Map([...markedEdges.values()].map((mark) => [mark.word, mark])).values()].map(
    ({ word, colour }) => marker(word, colour),
  );
  const drawMark = (box: Box): string => {
    const mark = marked.get(box.node.id);
    return mark === undefined ? "" : drawSign(box, mark, colours);
  };
  const body = [
    `<defs>${marker("line", colours.edge)}${marker("error", colours.failed)}${ends.join("")}</defs>`,
    `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="${colours.canvas}"/>`,
    ...boxes.filter(({ node }) => node.shape === "group").map((box) => drawGroup(box, colours) + drawMark(box)),
    ...lines,
    ...boxes.filter(({ node }) => node.shape !== "group").map((box) => drawCard(box, colours) + drawMark(box)),
  ];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="${left} ${top} ${width} ${height}" font-family="${FONT}"${label === undefined ? "" : ` role="img" aria-label="${toXml(label)}"`}>${body.join("")}</svg>`;
  return { svg, width, height };
}

interface Box extends Point {
  node: GraphNode;
  width: number;
  height: number;
}

function strokeOf({ dash }: PictureMark): string {
  return dash === null ? "" : ` stroke-dasharray="${dash}"`;
}

function drawSign({ x, y, width, height, node }: Box, mark: PictureMark, colours: PictureColours): string {
  return [
    `<g><title>${toXml(`${mark.word}: ${node.label}`)}</title>`,
    `<rect x="${x - 4}" y="${y - 4}" width="${width + 8}" height="${height + 8}" rx="13" fill="none" stroke="${mark.colour}" stroke-width="3"${strokeOf(mark)}/>`,
    `<circle cx="${x + width}" cy="${y}" r="11" fill="${mark.colour}"/>`,
    drawText(mark.sign, x + width, y + 5, 15, colours.canvas, ' font-weight="700" text-anchor="middle"'),
    "</g>",
  ].join("");
}

function onBox(anchor: Anchor, box: Box): Point {
  const { x, y } = toAnchorPoint(anchor, box);
  return { x: box.x + x, y: box.y + y };
}

function drawText(text: string, x: number, y: number, size: number, colour: string, more = ""): string {
  return `<text x="${x}" y="${y}" font-size="${size}" fill="${colour}"${more}>${toXml(text)}</text>`;
}

function drawGroup({ node, x, y, width, height }: Box, colours: PictureColours): string {
  return (
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="12" fill="${colours.sunken}" fill-opacity="0.5" stroke="${colours.border}"/>` +
    drawText(
      cut(`${node.label} · ${node.title}`, Math.floor(width / 8)),
      x + 12,
      y + 22,
      12,
      colours.text,
      ' font-weight="600"',
    )
  );
}

function drawCard({ node, x, y, width, height }: Box, colours: PictureColours): string {
  if (node.shape === "start") return `<circle cx="${x + 10}" cy="${y + 10}" r="8" fill="${colours.muted}"/>`;
  if (node.shape !== "state" && node.shape !== "workflow") {
    const colour = node.outcome === "failed" || node.shape === "missing" ? colours.failed : colours.completed;
    return (
      `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="22" fill="${colours.surface}" stroke="${colour}"/>` +
      drawText(
        cut(node.label, 20),
        x + width / 2,
        y + height / 2 + 5,
        13,
        colours.text,
        ' font-weight="600" text-anchor="middle"',
      )
    );
  }
  const size = toCardSize(node);
  const handles = node.handles.flatMap((handle) =>
    handle.label === ""
      ? []
      : [
          drawText(
            cut(handle.label, 30),
            x + width - 12,
            y + toAnchorPoint(size.handles[handle.id] ?? size.entry, size).y + 4,
            11,
            handle.tone === "error" ? colours.failed : colours.muted,
            ' text-anchor="end"',
          ),
        ],
  );
  return [
    `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="10" fill="${colours.surface}" stroke="${colours.border}"${node.disabled ? ' stroke-dasharray="4 3"' : ""}/>`,
    `<rect x="${x + 11}" y="${y + 11}" width="32" height="32" rx="8" fill="${colours.kind[node.kind]}" fill-opacity="0.85"/>`,
    // A picture of its own ends at its edge: the reader's font may be wider than ours.
    `<svg x="${x}" y="${y}" width="${width - 6}" height="${height}" viewBox="${x} ${y} ${width - 6} ${height}">`,
    drawText(cut(node.label, 24), x + 53, y + 24, 13, colours.text, ' font-weight="600"'),
    drawText(cut(node.title, 28), x + 53, y + 41, 11.5, colours.muted),
    node.summary === "" ? "" : drawText(cut(node.summary, 36), x + 12, y + 67, 12, colours.muted),
    ...handles,
    "</svg>",
  ].join("");
}
