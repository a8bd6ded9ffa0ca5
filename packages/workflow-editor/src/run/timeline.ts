import { getOwn, type Json } from "@oven/contract";
import type { NodeKind, NodeType } from "@oven/contract/node";
import type { NodeRun, NodeStatus } from "@oven/contract/run";
import { t } from "@oven/i18n";
import { formatDuration } from "@oven/ui/components/format.ts";
import type { NodeProgress } from "../graph/graph-model.ts";
import { type LiveNode, toNodeKey } from "./fold-run-events.ts";

export interface TimelineRow {
  key: string;
  /** Absent while only the stream knows of it. */
  run: NodeRun | null;
  nodeId: string;
  label: string;
  nodeType: string;
  kind: NodeKind;
  depth: number;
  status: NodeStatus;
  visit: number;
  attempt: number;
  start: number;
  /** Absent while it is going on. */
  end: number | null;
  /** Its time is a person's or the world's, not the machine's. */
  waiting: boolean;
}

export interface TimelineInput {
  nodes: readonly NodeRun[];
  live: readonly LiveNode[];
  nodeTypes: readonly NodeType[] | undefined;
  /** Labels by state id. */
  labels: Readonly<Record<string, string>>;
}

function toDepth(nodeId: string, item: string | null): number {
  return nodeId.split(".").length - 1 + (item === null ? 0 : 1);
}

/** A tool call's row is named by its tool. */
function toolOf(input: Json): string | null {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return null;
  const name = input.tool ?? input.toolName;
  return typeof name === "string" ? name : null;
}

const LOOP = "core.forEach";

/** Items of a loop are runs of their own, those of other nodes calls of tools. */
function itemKind(nodeType: string): NodeKind {
  return nodeType === LOOP ? "child" : "tool";
}

function toRowLabel(
  { nodeId, nodeType, item }: Pick<NodeRun, "nodeId" | "nodeType" | "item">,
  input: Json,
  labels: TimelineInput["labels"],
): string {
  if (item !== null && nodeType === LOOP) return t("item {{position}}", { position: Number(item) + 1 });
  if (item !== null) return toolOf(input) ?? item;
  const [state, ...inner] = nodeId.split(".");
  if (inner.length > 0) return inner.join(".");
  return getOwn(labels, state ?? nodeId) ?? nodeId;
}

/** Rows in the order they began, a parent before its children, with what the stream already knows. */
export function toTimeline({ nodes, live, nodeTypes, labels }: TimelineInput): TimelineRow[] {
  const shift = toShift(nodes);
  const kinds = new Map(nodeTypes?.map((type) => [type.id, type.kind]));
  const known = new Set(nodes.map(toNodeKey));
  const rows = nodes.map((run): TimelineRow => {
    const kind = run.item === null ? (kinds.get(run.nodeType) ?? "flow") : (kinds.get(run.nodeType) ?? "tool");
    const start = Date.parse(run.startedAt) + shift(run);
    return {
      key: t("row {{id}}", { id: run.id }),
      run,
      nodeId: run.nodeId,
      label: toRowLabel(run, run.input, labels),
      nodeType: run.nodeType,
      kind: run.item === null ? kind : itemKind(run.nodeType),
      depth: toDepth(run.nodeId, run.item),
      status: run.status,
      visit: run.visit,
      attempt: run.attempt,
      start,
      end: run.completedAt === null ? null : Date.parse(run.completedAt) + shift(run),
      waiting: run.status === "paused" || kinds.get(run.nodeType) === "human",
    };
  });
  for (const node of live) {
    if (known.has(toNodeKey(node))) continue;
    rows.push({
      key: toNodeKey(node),
      run: null,
      nodeId: node.nodeId,
      label: toRowLabel(node, null, labels),
      nodeType: node.nodeType,
      kind: node.item === null ? (kinds.get(node.nodeType) ?? "flow") : itemKind(node.nodeType),
      depth: toDepth(node.nodeId, node.item),
      status: "running",
      visit: node.visit,
      attempt: node.attempt,
      start: Date.parse(node.startedAt),
      end: null,
      waiting: false,
    });
  }
  const all = [...rows, ...toOpenParents(rows, labels, live)];
  const begun = toBeginnings(all);
  return all.sort(
    (one, other) =>
      begun(one) - begun(other) || one.depth - other.depth || (one.run?.id ?? Infinity) - (other.run?.id ?? Infinity),
  );
}

/** Milliseconds by which what was taken over from an earlier run is shown later: right before this run began. */
function toShift(nodes: readonly NodeRun[]): (node: NodeRun) => number {
  const own = Math.max(...nodes.map(({ executionId }) => executionId));
  const begin = Math.min(...nodes.filter((node) => node.executionId === own).map((node) => Date.parse(node.startedAt)));
  const earlier = nodes.filter((node) => node.executionId !== own);
  const end = Math.max(...earlier.map((node) => Date.parse(node.completedAt ?? node.startedAt)));
  return (node) => (node.executionId === own ? 0 : begin - end);
}

/** When a row began to matter: a node that took its items over, with the first of them. */
function toBeginnings(rows: readonly TimelineRow[]): (row: TimelineRow) => number {
  const first = new Map<string, number>();
  for (const { run, nodeId, visit, start } of rows) {
    const key = `${nodeId} ${visit}`;
    if (run?.item != null) first.set(key, Math.min(start, first.get(key) ?? start));
  }
  return ({ run, nodeId, visit, start }) =>
    run?.item == null ? Math.min(start, first.get(`${nodeId} ${visit}`) ?? start) : start;
}

/** A composite has its own row only at its end; until then one stands in for it. */
function toOpenParents(
  rows: readonly TimelineRow[],
  labels: TimelineInput["labels"],
  live: readonly LiveNode[],
): TimelineRow[] {
  if (live.length === 0) return [];
  const parents = new Map<string, TimelineRow>();
  for (const row of rows) {
    const state = row.nodeId.split(".")[0] ?? row.nodeId;
    if (row.nodeId === state || rows.some((other) => other.nodeId === state && other.run?.item == null)) continue;
    const known = parents.get(state);
    parents.set(state, {
      key: t("open {{state}}", { state }),
      run: null,
      nodeId: state,
      label: getOwn(labels, state) ?? state,
      nodeType: "",
      kind: known?.kind ?? row.kind,
      depth: 0,
      status: "running",
      visit: 1,
      attempt: 1,
      start: Math.min(known?.start ?? row.start, row.start),
      end: null,
      waiting: false,
    });
  }
  return [...parents.values()];
}

/** Whether other rows say what this one was doing. */
function isParent(row: TimelineRow, rows: readonly TimelineRow[]): boolean {
  if (row.run?.item != null) return false;
  return rows.some(
    (other) =>
      other !== row &&
      (other.nodeId.startsWith(`${row.nodeId}.`) || (other.nodeId === row.nodeId && other.run?.item != null)),
  );
}

export interface Bar {
  /** Percent of the whole. */
  left: number;
  width: number;
}

const WAIT_SHARE = 0.12;
const NARROWEST = 0.8;

/**
 * Where each bar lies. Stretches in which nothing but waiting happened are drawn short, or a review of two hours
 * would leave nothing of the two seconds around it.
 */
export function toBars(rows: readonly TimelineRow[], now: number): Map<string, Bar> {
  const busy = mergeIntervals(
    rows.filter((row) => !row.waiting && !isParent(row, rows)).map((row) => [row.start, row.end ?? now]),
  );
  const all = mergeIntervals(rows.map((row) => [row.start, row.end ?? now]));
  const first = all[0]?.[0] ?? now;
  const last = all.at(-1)?.[1] ?? now;
  const work = Math.max(
    1,
    busy.reduce((sum, [start, end]) => sum + (end - start), 0),
  );
  const gaps = toGaps(busy, first, last);
  const widest = work * WAIT_SHARE;
  // Every gap keeps its own length up to a share of the work.
  const at = (time: number): number => {
    let position = time - first;
    for (const [start, end] of gaps) {
      const length = end - start;
      if (time <= start || length <= widest) continue;
      const inside = Math.min(time, end) - start;
      position -= inside - (inside / length) * widest;
    }
    return position;
  };
  const total = Math.max(1, at(last));
  const bars = new Map<string, Bar>();
  for (const row of rows) {
    const left = (at(row.start) / total) * 100;
    const width = (at(row.end ?? now) / total) * 100 - left;
    bars.set(row.key, {
      left: Math.min(left, 100 - NARROWEST),
      width: Math.min(Math.max(width, NARROWEST), 100 - Math.min(left, 100 - NARROWEST)),
    });
  }
  return bars;
}

type Interval = [start: number, end: number];

function mergeIntervals(intervals: readonly Interval[]): Interval[] {
  const merged: Interval[] = [];
  for (const [start, end] of [...intervals].sort((one, other) => one[0] - other[0])) {
    const open = merged.at(-1);
    if (open !== undefined && start <= open[1]) open[1] = Math.max(open[1], end);
    else merged.push([start, end]);
  }
  return merged;
}

function toGaps(busy: readonly Interval[], first: number, last: number): Interval[] {
  const gaps: Interval[] = [];
  let at = first;
  for (const [start, end] of busy) {
    if (start > at) gaps.push([at, start]);
    at = Math.max(at, end);
  }
  if (last > at) gaps.push([at, last]);
  return gaps;
}

function toProgressLabel(row: TimelineRow): { label?: string } {
  if (row.status === "paused") return { label: t("waiting") };
  const ms = row.run?.durationMs;
  return ms == null ? {} : { label: formatDuration(ms) };
}

/** How far the run got in each state, for the overlay: the newest visit, and how many there were. */
export function toProgress(
  rows: readonly TimelineRow[],
  end: { status: string; currentState: string },
): Record<string, NodeProgress> {
  const progress: Record<string, NodeProgress> = {};
  for (const row of rows) {
    const [state, ...inner] = row.nodeId.split(".");
    if (state === undefined || row.run?.item != null) continue;
    const known = getOwn(progress, state);
    if (inner.length > 0) {
      // A composite has its own row only at its end.
      if (known === undefined && row.end === null) progress[state] = { status: row.status };
      continue;
    }
    progress[state] = {
      status: row.status,
      ...toProgressLabel(row),
      visits: Math.max(row.visit, known?.visits ?? 1),
    };
  }
  if (end.status === "completed" || end.status === "failed") {
    for (const state of end.currentState.split(", ")) {
      if (state !== "" && getOwn(progress, state) === undefined) progress[state] = { status: end.status };
    }
  }
  return progress;
}
