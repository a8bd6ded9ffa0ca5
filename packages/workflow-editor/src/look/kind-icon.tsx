import type { NodeKind } from "@oven/contract/node";
import type { ReactElement } from "react";
import { FLOW_LOOKS, type FlowLook } from "./flow-look.ts";

/** One stroke drawing per kind, 24 × 24; the same in palette, canvas, timeline and docs. */
const DRAWINGS: Record<NodeKind, string> = {
  model:
    "M12 3l1.9 5.1L19 10l-5.1 1.9L12 17l-1.9-5.1L5 10l5.1-1.9zM18.5 15.5l.8 2.2 2.2.8-2.2.8-.8 2.2-.8-2.2-2.2-.8 2.2-.8z",
  tool: "M14.7 6.3a4 4 0 0 0-5.2 5.2L4 17v3h3l5.5-5.5a4 4 0 0 0 5.2-5.2l-2.6 2.6-2.5-.5-.5-2.5z",
  memory:
    "M5 6c0-1.7 3.1-3 7-3s7 1.3 7 3-3.1 3-7 3-7-1.3-7-3zM5 6v12c0 1.7 3.1 3 7 3s7-1.3 7-3V6M5 12c0 1.7 3.1 3 7 3s7-1.3 7-3",
  human: "M12 11a4 4 0 1 0 0-8 4 4 0 0 0 0 8zM4.5 21c0-4 3.4-6.5 7.5-6.5s7.5 2.5 7.5 6.5",
  data: "M8 4c-2 0-2.5 1-2.5 2.8v2.4c0 1.6-.8 2.8-2.5 2.8 1.7 0 2.5 1.2 2.5 2.8v2.4C5.5 19 6 20 8 20M16 4c2 0 2.5 1 2.5 2.8v2.4c0 1.6.8 2.8 2.5 2.8-1.7 0-2.5 1.2-2.5 2.8v2.4c0 1.8-.5 2.8-2.5 2.8",
  flow: "M6 4v16M6 12h5c3 0 4-1.5 4-4.5V7M15 12.5V17M12 8l3-3 3 3M12 16l3 3 3-3",
  child: "M4 4h10v10H4zM10 14v6h10V10h-6",
};

export interface KindIconProps {
  kind: NodeKind;
  /** Of a state that steers a run: a symbol and a colour of its own. */
  look?: FlowLook | null | undefined;
  size?: number;
  /** Left out where a label next to it says the same. */
  title?: string;
}

/** The custom property that a node's colour is in. */
export function inkOf(kind: NodeKind, look: FlowLook | null | undefined): string {
  const colour = look == null ? null : FLOW_LOOKS[look].colour;
  return colour === null ? `var(--oven-kind-${kind})` : `var(--oven-flow-${colour})`;
}

/** The symbol of a kind of node, in its colour. */
export function KindIcon({ kind, look, size = 18, title }: KindIconProps): ReactElement {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke={inkOf(kind, look)}
      strokeWidth={1.8}
      strokeLinecap="round"
      strokeLinejoin="round"
      role={title === undefined ? undefined : "img"}
      aria-label={title}
      aria-hidden={title === undefined}
    >
      <path d={look == null ? DRAWINGS[kind] : FLOW_LOOKS[look].drawing} />
    </svg>
  );
}
