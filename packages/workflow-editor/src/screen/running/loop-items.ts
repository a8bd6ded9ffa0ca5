import { isObject, type Json, type JsonObject } from "@oven/contract";
import type { Execution, NodeRun } from "@oven/contract/run";
import { findState, type StatePlace } from "@oven/scope";

/** What a run had of a loop. */
export interface LoopItems {
  loopId: string;
  /** The index of the item that the run began with: not 0 where it ran one of them alone. */
  first: number;
  items: { index: number; input: Json; status: string }[];
}

/** What is read of a run. */
type LoopedRun = Pick<Execution, "context" | "nodes" | "options">;

/** Which item of each loop around a step is meant, by the loop's id. */
export type ChosenItems = Readonly<Record<string, number>>;

function loopsAround(definition: JsonObject, stateId: string): StatePlace[] {
  const loops: StatePlace[] = [];
  for (let loop = findState(definition, stateId)?.loop; loop !== undefined; loop = loop.loop) loops.unshift(loop);
  return loops;
}

/** The items of the loops around a step that a run came to, the outermost loop first. */
export function toLoopItems(definition: JsonObject, stateId: string, run: Omit<LoopedRun, "nodes">): LoopItems[] {
  return loopsAround(definition, stateId).flatMap(({ id: loopId }) => {
    const output = isObject(run.context) ? run.context[`${loopId}_output`] : undefined;
    const all = isObject(output) && Array.isArray(output.items) ? output.items : [];
    const items = all.flatMap((item) => {
      if (!isObject(item) || typeof item.index !== "number" || typeof item.status !== "string") return [];
      return { index: item.index, input: item.input ?? null, status: item.status };
    });
    return items.length === 0 ? [] : { loopId, first: run.options?.items?.[loopId] ?? 0, items };
  });
}

/** The item that is looked at first: one that failed, the one that a run is in or failed in, else the last. */
export function firstChoice({ items, first }: LoopItems): number {
  const failed = items.find(({ status }) => status === "failed");
  const unfinished = items.find(({ index, status }) => index >= first && status === "pending");
  return (failed ?? unfinished ?? items.at(-1))?.index ?? 0;
}

/**
 * The node runs of the items that were chosen. A node run does not say of which item it is: an item begins with the first state of the
 * loop's body. Null where that does not tell them apart, such as a body that comes to its first state twice, or items that are runs of
 * their own.
 */
export function nodeRunsOf(
  definition: JsonObject,
  stateId: string,
  { nodes, context, options }: LoopedRun,
  chosen: ChosenItems,
): NodeRun[] | null {
  const [outermost, ...inner] = loopsAround(definition, stateId);
  const index = outermost === undefined ? undefined : chosen[outermost.id];
  if (outermost === undefined || index === undefined || inner.length > 0) return null;
  const begins = isObject(outermost.state.loop) ? outermost.state.loop.bodyInitial : undefined;
  const within = new Set(outermost.children.flatMap(all).map(({ id }) => id));
  const rows = nodes.filter(({ nodeId, item }) => item === null && within.has(nodeId));
  const starts = rows.flatMap(({ nodeId }, at) => (nodeId === begins ? [at] : []));
  const [loop] = toLoopItems(definition, stateId, { context, options });
  const begun = loop?.items.filter(({ status }) => status !== "pending").length ?? 0;
  // The one that a run failed in, or is in, has no status of its own yet.
  if (starts.length !== begun && starts.length !== begun + 1) return null;
  const at = index - (loop?.first ?? 0);
  const from = starts[at];
  return from === undefined ? null : rows.slice(from, starts[at + 1]);
}

function all(place: StatePlace): StatePlace[] {
  return [place, ...place.children.flatMap(all)];
}

/** The outermost loop around a step and all states in its body: one run has many outputs of each, or one of all items. */
export function statesOfLoops(definition: JsonObject, stateId: string): ReadonlySet<string> {
  return new Set(
    loopsAround(definition, stateId)
      .slice(0, 1)
      .flatMap(all)
      .map(({ id }) => id),
  );
}
