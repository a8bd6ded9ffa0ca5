import type { RunEvent } from "@oven/contract/run";

export interface LiveNode {
  nodeId: string;
  nodeType: string;
  visit: number;
  attempt: number;
  item: string | null;
  startedAt: string;
}

export interface LiveText {
  nodeId: string;
  visit: number;
  attempt: number;
  text: string;
}

/** What the stream of a run has told so far; the rows of the API are added to it when shown. */
export interface LiveRun {
  lastSeq: number;
  /** Nodes that were started and have not ended. */
  nodes: Record<string, LiveNode>;
  /** Text being written, by part. */
  texts: Record<string, LiveText>;
  events: RunEvent[];
  ended: boolean;
}

/** A run of which no event has arrived. */
export const NOTHING_YET: LiveRun = { lastSeq: 0, nodes: {}, texts: {}, events: [], ended: false };
const KEPT_EVENTS = 1_000;

function text(event: RunEvent, key: string): string {
  const value = event[key];
  return typeof value === "string" ? value : "";
}

function number(event: RunEvent, key: string, otherwise: number): number {
  const value = event[key];
  return typeof value === "number" ? value : otherwise;
}

/** Tells the calls of one run's nodes apart. */
export function toNodeKey(node: { nodeId: string; visit: number; attempt: number; item: string | null }): string {
  return JSON.stringify([node.nodeId, node.visit, node.attempt, node.item]);
}

function toLiveNode(event: RunEvent): LiveNode {
  return {
    nodeId: text(event, "nodeId"),
    nodeType: text(event, "nodeType"),
    visit: number(event, "visit", 1),
    attempt: number(event, "attempt", 1),
    item: typeof event.item === "string" ? event.item : null,
    startedAt: event.at,
  };
}

function without<Value>(record: Record<string, Value>, gone: (value: Value) => boolean): Record<string, Value> {
  return Object.fromEntries(Object.entries(record).filter(([, value]) => !gone(value)));
}

/** One event onto what is known. Events already seen (a reconnect) change nothing. */
export function foldRunEvent(live: LiveRun, event: RunEvent): LiveRun {
  if (event.seq <= live.lastSeq) return live;
  const next: LiveRun = { ...live, lastSeq: event.seq };
  if (event.event === "text.delta") return { ...next, texts: appendText(live.texts, event) };
  next.events = [...live.events, event].slice(-KEPT_EVENTS);
  switch (event.event) {
    case "node.started": {
      const node = toLiveNode(event);
      return { ...next, nodes: { ...live.nodes, [toNodeKey(node)]: node } };
    }
    case "node.completed":
    case "node.failed":
    case "node.cancelled":
    case "node.paused": {
      const { nodeId, visit, item } = toLiveNode(event);
      return {
        ...next,
        nodes: without(live.nodes, (node) => node.nodeId === nodeId && node.visit === visit && node.item === item),
      };
    }
    case "text.discarded": {
      const { nodeId, visit, attempt } = toLiveNode(event);
      return {
        ...next,
        texts: without(
          live.texts,
          (part) => part.nodeId === nodeId && part.visit === visit && part.attempt === attempt,
        ),
      };
    }
    case "execution.completed":
    case "execution.failed":
    case "execution.cancelled":
      return { ...next, nodes: {} };
    case "end":
      return { ...next, nodes: {}, ended: true };
    default:
      return next;
  }
}

function appendText(texts: LiveRun["texts"], event: RunEvent): LiveRun["texts"] {
  const { nodeId, visit, attempt } = toLiveNode(event);
  const key = JSON.stringify([nodeId, visit, attempt, text(event, "partId")]);
  const before = texts[key]?.text ?? "";
  // The offset makes a repeated delta harmless.
  const at = number(event, "offset", before.length);
  return { ...texts, [key]: { nodeId, visit, attempt, text: before.slice(0, at) + text(event, "text") } };
}

/** Texts still being written: those whose node has no finished row yet. */
export function toOpenTexts(
  live: LiveRun,
  rows: readonly { nodeId: string; visit: number; attempt: number; status: string }[],
): LiveText[] {
  const finished = new Set(rows.filter((row) => row.status !== "running").map((row) => `${row.nodeId} ${row.visit}`));
  return Object.values(live.texts).filter((part) => !finished.has(`${part.nodeId} ${part.visit}`));
}
