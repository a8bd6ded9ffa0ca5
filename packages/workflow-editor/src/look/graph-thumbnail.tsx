import type { NodeType } from "@oven/contract/node";
import type { ReactElement } from "react";
import { toGraph } from "../graph/to-graph.ts";
import { type Ranked, toRanks } from "../layout/rank-layout.ts";
import { inkOf } from "./kind-icon.tsx";

const BOX = { width: 46, height: 26, gapX: 26, gapY: 14, margin: 10 };

interface Placed extends Ranked {
  x: number;
  y: number;
}

function place(ranked: Ranked[]): { placed: Map<string, Placed>; width: number; height: number } {
  const rows = Math.max(1, ...ranked.map((entry) => entry.row + 1));
  const columns = Math.max(1, ...ranked.map((entry) => entry.rank + 1));
  const inner = rows * BOX.height + (rows - 1) * BOX.gapY;
  const placed = new Map<string, Placed>();
  for (const entry of ranked) {
    const inColumn = ranked.filter((other) => other.rank === entry.rank).length;
    const used = inColumn * BOX.height + (inColumn - 1) * BOX.gapY;
    placed.set(entry.node.id, {
      ...entry,
      x: BOX.margin + entry.rank * (BOX.width + BOX.gapX),
      y: BOX.margin + (inner - used) / 2 + entry.row * (BOX.height + BOX.gapY),
    });
  }
  return {
    placed,
    width: BOX.margin * 2 + columns * BOX.width + (columns - 1) * BOX.gapX,
    height: BOX.margin * 2 + inner + 14,
  };
}

function toCurve(from: Placed, to: Placed): string {
  const startY = from.y + BOX.height / 2;
  const endY = to.y + BOX.height / 2;
  if (to.rank > from.rank) {
    const startX = from.x + BOX.width;
    const bend = (to.x - startX) / 2;
    return `M ${startX} ${startY} C ${startX + bend} ${startY} ${to.x - bend} ${endY} ${to.x} ${endY}`;
  }
  const under = Math.max(from.y, to.y) + BOX.height + 14;
  const startX = from.x + BOX.width / 2;
  const endX = to.x + BOX.width / 2;
  return `M ${startX} ${from.y + BOX.height} C ${startX} ${under} ${endX} ${under} ${endX} ${to.y + BOX.height}`;
}

export interface GraphThumbnailProps {
  definition: unknown;
  nodeTypes?: readonly NodeType[] | undefined;
  /** Said by screen readers: "Graph of Support reply". */
  label: string;
}

/** A small picture of a graph, without React Flow. Takes the width of its container. */
export function GraphThumbnail({ definition, nodeTypes, label }: GraphThumbnailProps): ReactElement {
  const { ranked, edges } = toRanks(toGraph(definition, nodeTypes));
  const { placed, width, height } = place(ranked);
  return (
    <svg viewBox={`0 0 ${width} ${height}`} width="100%" height="100%" role="img" aria-label={label}>
      {edges.map((edge) => {
        const from = placed.get(edge.source);
        const to = placed.get(edge.target);
        if (from === undefined || to === undefined) return null;
        return (
          <path
            key={`${edge.source}→${edge.target}`}
            d={toCurve(from, to)}
            fill="none"
            stroke="var(--oven-border-strong)"
            strokeWidth={1.4}
          />
        );
      })}
      {[...placed.values()].map(({ node, x, y }) => (
        <ThumbnailBox key={node.id} x={x} y={y} node={node} />
      ))}
    </svg>
  );
}

function ThumbnailBox({ x, y, node }: { x: number; y: number; node: Ranked["node"] }): ReactElement {
  const final = node.shape === "final";
  const failed = node.outcome === "failed";
  const ink = final ? `var(--oven-status-${failed ? "failed" : "completed"})` : inkOf(node.kind, node.look);
  return (
    <g>
      <title>{node.label}</title>
      <rect
        x={x + 0.5}
        y={y + 0.5}
        width={BOX.width - 1}
        height={BOX.height - 1}
        rx={final ? BOX.height / 2 : 6}
        fill="var(--oven-surface)"
        stroke={final ? ink : "var(--oven-border-strong)"}
      />
      {final ? (
        <circle cx={x + BOX.width / 2} cy={y + BOX.height / 2} r={4} fill={ink} />
      ) : (
        <>
          <rect x={x + 7} y={y + 8} width={10} height={10} rx={3} fill={ink} />
          <rect x={x + 21} y={y + 9} width={18} height={3} rx={1.5} fill="var(--oven-border-strong)" />
          <rect x={x + 21} y={y + 15} width={12} height={3} rx={1.5} fill="var(--oven-border)" />
        </>
      )}
    </g>
  );
}
