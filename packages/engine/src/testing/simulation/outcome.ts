import type { Json, JsonObject } from "@oven/contract";
import { nodeRun } from "./call-ledger.ts";
import type { SimulatedWorld } from "./simulated-world.ts";

/** How a run and its children came out, without what faults may change: instants, attempts, and across regions the order. */
export async function outcomeOf(world: SimulatedWorld): Promise<JsonObject> {
  const outcome: JsonObject = {};
  for (const id of world.runIds) {
    if (endsWithParent(world, id)) continue;
    const name = familyName(world, id);
    for (const [key, value] of Object.entries(await outcomeOfRun(world, id))) outcome[`${name}${key}`] = value;
  }
  return outcome;
}

/**
 * The outcome without what a pass through a loop sees of its parent's context: that is as it stood when the pass began, and how
 * far other regions had come by then is a matter of their order. What its own states wrote stays.
 */
export function withoutFrozenViews(outcome: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(outcome).map(([key, value]) => {
      const [, part] = /([^ >]+)#[^>]* > context$/.exec(key) ?? [];
      return [key, part === undefined ? value : keysOf(value as JsonObject, `${part}_`)]; // cast: a context is an object
    }),
  );
}

function keysOf(values: JsonObject, mark: string): JsonObject {
  return Object.fromEntries(Object.entries(values).filter(([key]) => key.includes(mark)));
}

/** Regions that run into a common limit do so in the order in which they ran, and take with them whatever children are left. */
function endsWithParent(world: SimulatedWorld, id: number): boolean {
  const { parent } = world.store.run(id);
  if (!parent || !world.drawn.isParallel) return false;
  return world.store.run(parent.executionId).columns?.outcome === "limit" || endsWithParent(world, parent.executionId);
}

/** A child by the node run that waits for it: ids are given in the order in which children begin. */
function familyName(world: SimulatedWorld, id: number): string {
  const { parent } = world.store.run(id);
  return parent ? `${familyName(world, parent.executionId)}${nodeRun(parent)} > ` : "";
}

async function outcomeOfRun(world: SimulatedWorld, id: number): Promise<JsonObject> {
  const run = world.store.run(id);
  const { columns, state, rows, outbox } = run;
  const record = await world.store.read(id);
  if (!columns || !state || !record) return { status: run.status };
  const { status, outcome, errorInfo, output, tokenUsage, costMicros, steps, activeStates, stateValue } = columns;
  const end: JsonObject = { status, outcome, error: errorInfo?.code ?? null };
  // Regions that run into a common limit do so in the order in which they ran.
  if (world.drawn.isParallel && outcome === "limit") return end;
  const { context } = await world.bases.at(record);
  const found = rows.map(
    (row): Json => ({ row: nodeRun(row), ended: row.status, answer: row.output, error: row.error?.code ?? null }),
  );
  const events = outbox
    .filter(({ name }) => name !== "execution.paused" && name !== "execution.resumed")
    .map(({ name, payload }): Json => ({ name, payload }));
  return {
    ...end,
    output,
    tokenUsage: { ...tokenUsage },
    costMicros,
    steps,
    activeStates,
    stateValue,
    visits: state.visits,
    context: context.values,
    rows: world.drawn.isParallel ? sorted(found) : found,
    events: sorted(events),
  };
}

function sorted(list: readonly Json[]): Json[] {
  return list.map((entry) => JSON.stringify(entry)).sort();
}
