import type { ItemRequest } from "@oven/contract";
import { settle } from "./deliver.ts";
import type { Frame } from "./frame.ts";
import { MAX_ITEMS } from "./limits.ts";
import { failUnit, findUnit, writeStart } from "./node-units.ts";
import type { Unit } from "./run-state.ts";

/** A node waits for its items: each becomes a unit of its own. */
export function openItems(frame: Frame, parent: Unit, items: readonly ItemRequest[], concurrency: number): void {
  const keys = new Set(items.map((item) => item.key));
  if (keys.size !== items.length || items.length > MAX_ITEMS) {
    const [code, message] =
      keys.size === items.length
        ? ["FANOUT_LIMIT", `${items.length} items; the limit is ${MAX_ITEMS}`]
        : ["ITEM_KEYS", "Two items have the same key"];
    failUnit(frame, parent, { code, nodeId: parent.nodeId, message });
    settle(frame);
    return;
  }
  parent.wait = { for: "items", concurrency };
  for (const item of items) {
    const effect = item.effect ?? parent.effect;
    const unit: Unit = {
      nodeId: parent.nodeId,
      visit: parent.visit,
      item: item.key,
      src: parent.src,
      version: parent.version,
      effect,
      status: "queued",
      attempt: 1,
      failures: 0,
      takeovers: 0,
      startedAt: frame.now,
    };
    frame.state.units.push(unit);
  }
  startQueued(frame, parent);
  closeItems(frame, parent);
}

/**
 * Starts items up to the limit. One at a time means in order, so there a waiting item holds its place. The runner,
 * which has the requests, fills in each row's input and type.
 */
function startQueued(frame: Frame, parent: Unit): void {
  const items = frame.state.units.filter((unit) => unit.nodeId === parent.nodeId && unit.item !== null);
  const concurrency = parent.wait?.for === "items" ? parent.wait.concurrency : 1;
  const holds = (unit: Unit): boolean =>
    unit.status === "planned" ||
    unit.status === "running" ||
    unit.status === "backoff" ||
    (concurrency === 1 && unit.status === "waiting");
  let free = concurrency - items.filter(holds).length;
  for (const unit of items) {
    if (free <= 0) break;
    if (unit.status !== "queued") continue;
    free -= 1;
    unit.status = "planned";
    unit.startedAt = frame.now;
    writeStart(frame, unit);
  }
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
  const open = frame.state.units.some(
    (unit) =>
      unit.nodeId === parent.nodeId && unit.item !== null && unit.status !== "completed" && unit.status !== "failed",
  );
  if (open) return;
  frame.state.units = frame.state.units.filter((unit) => unit.nodeId !== parent.nodeId || unit.item === null);
  parent.status = "planned";
  parent.resume = { type: "items", items: [] };
  delete parent.wait;
}
