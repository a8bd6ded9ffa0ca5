import type { NodeKind } from "@oven/contract/node";
import type { Address } from "@oven/scope";
import type { Direction } from "../document/operations/canvas-view.ts";
import type { Outlet } from "../document/operations/connect.ts";
import type { FlowLook } from "../look/flow-look.ts";

/** What leads out of a state. The tone decides how its line is drawn. */
export type EdgeTone = "done" | "error" | "event" | "timer" | "always" | "start" | "undo";

export interface GraphHandle {
  id: string;
  /** Empty when the state has only one way on and no guard. */
  label: string;
  tone: EdgeTone;
  /** What a line from here is made of. */
  outlet: Outlet;
  /** Not in the definition yet: a line from here makes it. */
  offered: boolean;
}

export interface GraphNode {
  /** The state id: unique in a valid definition. */
  id: string;
  /** `workflow`: what the definition handles itself. */
  shape: "start" | "workflow" | "state" | "final" | "group" | "history" | "missing";
  parentId: string | null;
  label: string;
  /** Title of the node type, or what a state without one does. */
  title: string;
  /** One line of what matters for this type of node. */
  summary: string;
  kind: NodeKind;
  /** Of a state that steers a run; null: it looks as all of its kind. */
  look: FlowLook | null;
  nodeType: string | null;
  /** False when the server has no such node type. */
  known: boolean;
  /** The first state of its parent. */
  initial: boolean;
  /** Passed over when the run gets there. */
  disabled: boolean;
  /** The outcome of a final state. */
  outcome: string | null;
  handles: GraphHandle[];
  /** Place in the definition, like `$.states.review`. */
  path: string;
  address: Address;
  /** The states inside a container that is drawn as a card, which hides them. */
  inside: readonly string[] | null;
  /** Which way lines go. */
  direction: Direction;
  /** What it is for, in the author's words. */
  description: string;
  /** From `meta.positions`, when the author placed it. */
  position: { x: number; y: number } | null;
}

export interface GraphEdge {
  id: string;
  source: string;
  sourceHandle: string;
  target: string;
  tone: EdgeTone;
  label: string;
  path: string;
}

export interface GraphModel {
  /** Parents come before their children. */
  nodes: GraphNode[];
  edges: GraphEdge[];
}

/** How far a run got in one state; shown on its card. */
export interface NodeProgress {
  status: "running" | "paused" | "completed" | "failed" | "cancelled" | "skipped";
  /** Instead of the status' name: a duration, "waiting". */
  label?: string;
  visits?: number;
  /** Items of a loop or calls of tools: how many have ended. */
  items?: { ended: number; total: number };
  /** What it used: tokens, cost. */
  spent?: readonly string[];
}
