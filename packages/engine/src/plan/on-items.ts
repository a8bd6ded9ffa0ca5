import type { ItemRequest } from "@oven/contract/node";
import { beginChild } from "./begin-child.ts";
import { settle } from "./deliver.ts";
import type { Frame } from "./frame.ts";
import { MAX_CHILDREN, MAX_ITEMS } from "./limits.ts";
import { failUnit, findUnit, writeStart } from "./node-units.ts";
import type { ItemsWait, QueuedItem, Unit } from "./run-state.ts";

interface ItemsRequest {
  items: readonly ItemRequest[];
  concurrency: number;
  failFast?: boolean | undefined;
}

/** A node waits for its items: each becomes a unit of its own when its turn comes. */
export function openItems(frame: Frame, parent: Unit, { items, concurrency, failFast }: ItemsRequest): void {
  const children = items.length > 0 && items.every((item) => item.child !== undefined);
  const limit = children ? MAX_CHILDREN : MAX_ITEMS;
  const keys = new Set(items.map((item) => item.key));
  if (keys.size !== items.length || items.length > limit) {
    const [code, message] =
      keys.size === items.length
        ? ["FANOUT_LIMIT", `${items.length} items; the limit is ${limit}`]
        : ["ITEM_KEYS", "Two items have the same key"];
    failUnit(frame, parent, { code, nodeId: parent.nodeId, message });
    settle(frame);
    return;
  }
  const numbered = items.every((item, index) => item.key === String(index) && item.effect === undefined);
  parent.wait = {
    for: "items",
    concurrency,
    ...(failFast ? { failFast: true } : {}),
    ...(children ? { children: true } : {}),
    ...(numbered ? { range: [0, items.length] } : { queue: items.map(toQueued) }),
  };
  startQueued(frame, parent);
  closeItems(frame, parent);
}

function toQueued({ key, effect }: ItemRequest): QueuedItem {
  return effect === undefined ? { key } : { key, effect };
}

function takeNext(wait: ItemsWait): QueuedItem | undefined {
  if (wait.range) {
    const [next, end] = wait.range;
    if (next >= end) return undefined;
    wait.range = [next + 1, end];
    return { key: String(next) };
  }
  const [first, ...rest] = wait.queue ?? [];
  wait.queue = rest;
  return first;
}

function hasQueued({ range, queue = [] }: ItemsWait): boolean {
  return range ? range[0] < range[1] : queue.length > 0;
}

/**
 * Starts items up to the limit. One at a time means in order, so there a waiting item holds its place; else an item that
 * waits for the outside leaves its place to the next. The runner, which has the requests, fills in each row's input and
 * type, and what a child is asked to run.
 */
function startQueued(frame: Frame, parent: Unit): void {
  if (parent.wait?.for !== "items") return;
  const wait: ItemsWait = { ...parent.wait };
  parent.wait = wait;
  const holds = (unit: Unit): boolean => {
    if (unit.status !== "waiting" || wait.concurrency === 1) return true;
    return unit.wait?.for === "child" && !unit.wait.paused;
  };
  let free = wait.concurrency - itemsOf(frame, parent).filter(holds).length;
  for (; free > 0 && !frame.end; free -= 1) {
    const next = takeNext(wait);
    if (!next) return;
    startItem(frame, parent, next, wait.children === true);
  }
}

function startItem(frame: Frame, parent: Unit, { key, effect }: QueuedItem, child: boolean): void {
  const { nodeId, visit, src, version } = parent;
  const unit: Unit = {
    nodeId,
    visit,
    item: key,
    src,
    version,
    effect: effect ?? parent.effect,
    status: "planned",
    attempt: 1,
    failures: 0,
    takeovers: 0,
    startedAt: frame.now,
  };
  frame.state.units.push(unit);
  writeStart(frame, unit);
  if (child) beginChild(frame, unit, null, null);
}

function itemsOf(frame: Frame, parent: Unit): Unit[] {
  return frame.state.units.filter((unit) => unit.nodeId === parent.nodeId && unit.item !== null);
}

/** An item waits: unless items go in order, its place is free for the next. */
export function startNextItems(frame: Frame, item: Unit): void {
  const parent = findUnit(frame, item.nodeId);
  if (parent && item.item !== null) startQueued(frame, parent);
}

/** After one item ended: the next starts, or, when all have, the node goes on with their results. */
export function goOnWithItems(frame: Frame, item: Unit): void {
  const parent = findUnit(frame, item.nodeId);
  if (!parent) return;
  startQueued(frame, parent);
  closeItems(frame, parent);
}

/** When every item has ended, the node goes on with their results. */
function closeItems(frame: Frame, parent: Unit): void {
  if (parent.wait?.for !== "items" || hasQueued(parent.wait) || itemsOf(frame, parent).length > 0) return;
  parent.status = "planned";
  parent.resume = { type: "items", items: [] };
  delete parent.wait;
}
