import type { Json } from "@oven/contract";
import { isTerminal } from "@oven/contract/run";
import { isSameJson, type ParentLink } from "../../index.ts";
import { nodeRun } from "./call-ledger.ts";
import type { SimulatedWorld } from "./simulated-world.ts";
import { isSpread } from "./to-definition.ts";

/** What holds of every run at rest, whatever happened; each broken promise in words. */
export async function brokenPromises(world: SimulatedWorld): Promise<string[]> {
  const broken: string[] = [];
  for (const id of world.runIds)
    broken.push(
      ...(await brokenOf(world, id)).map((promise) => (id === world.runId ? promise : `child ${id}: ${promise}`)),
    );
  return broken;
}

async function brokenOf(world: SimulatedWorld, id: number): Promise<string[]> {
  const run = world.store.run(id);
  const broken: string[] = [];
  const check: Check = (holds, promise) => {
    if (!holds) broken.push(promise);
  };
  const { state, columns, events, rows } = run;
  // A run may be cancelled before its first step.
  if (!state || !columns) return run.status === "cancelled" ? [] : ["the run never started"];

  check(events.every(({ seq }, index) => seq === index + 1) && run.seq === events.length, "the log has a gap");
  const names = rows.map(nameOf);
  check(new Set(names).size === names.length, "a node run has two rows");
  const ended = events.filter(({ event }) => /^node\.(completed|failed|cancelled)$/.test(event));
  const outcomesOf = Map.groupBy(ended, ({ fields }) => nameOf(fields as unknown as Named)); // cast: such events name a node run
  for (const row of rows) {
    const outcomes = outcomesOf.get(nameOf(row)) ?? [];
    const hasEnded = row.status !== "running" && row.status !== "paused";
    check(outcomes.length === (hasEnded ? 1 : 0), `${nameOf(row)} is ${row.status} with ${outcomes.length} outcomes`);
    if (hasEnded) check(outcomes[0]?.event === `node.${row.status}`, `${nameOf(row)} has another outcome in the log`);
  }
  const rowsOf = Map.groupBy(
    rows.filter(({ item }) => item === null),
    ({ nodeId }) => nodeId,
  );
  let dropped = 0;
  for (const [nodeId, visits] of Object.entries(state.visits)) {
    const own = rowsOf.get(nodeId) ?? [];
    // What was only just planned when the run ended never was.
    const late = isTerminal(run.status) ? visits - own.length : 0;
    dropped += late;
    check(own.length === visits || late === 1, `${nodeId} has ${own.length} rows and ${visits} visits`);
  }
  // Rows of composites, and of loops whose iterations are steps of the same run, only gather what is in them.
  const gathers = ({ nodeId, nodeType }: { nodeId: string; nodeType: string }): boolean => {
    const shape = world.drawn.shapes.get(nodeId);
    return nodeType.startsWith("pair.") || (nodeType.startsWith("core.") && !(shape && isSpread(shape)));
  };
  const nodes = rows.filter((row) => row.item === null && !gathers(row));
  check(
    columns.steps >= nodes.length && columns.steps <= nodes.length + dropped,
    `${columns.steps} steps and ${nodes.length} node rows`,
  );
  const spent = spentIn(world, id);
  // A parent learns what a child spent when that ends; of one it has given up perhaps after its own end.
  const isExact = world.runIds.every((other) => {
    const { status, parent } = world.store.run(other);
    return /completed|failed/.test(status) && !(parent && hasGivenUp(world, parent));
  });
  check(
    isExact ? columns.tokenUsage.total === spent : columns.tokenUsage.total <= spent,
    `${columns.tokenUsage.total} tokens, and ${spent} in the log`,
  );

  await checkFold(world, id, check);
  const rowOf = new Map(rows.map((row) => [nameOf(row), row]));
  for (const [unit, calls] of world.ledger.calls) {
    if (!unit.startsWith(`${id} `)) continue;
    const row = rowOf.get(unit.slice(`${id} `.length));
    if (row?.nodeType.endsWith(".at-most-once") !== true || !/^(task|items)/.test(row.nodeType)) continue;
    const again = row.nodeType.startsWith("items") && row.item === null ? 1 : 0;
    const allowed = 1 + again + (world.reruns.get(unit) ?? 0);
    check(calls <= allowed, `${unit}, at most once, was called ${calls} times where ${allowed} were allowed`);
  }
  const waiting = state.units;
  const open = rows.filter(({ status }) => status === "running" || status === "paused");
  for (const row of open)
    check(
      waiting.some((unit) => unit.nodeId === row.nodeId && unit.visit === row.visit && unit.item === row.item),
      `${nameOf(row)} is ${row.status} and the state knows nothing of it`,
    );

  const ends = events.filter(({ event }) => event === "end");
  if (isTerminal(run.status)) {
    check(ends.length === 1 && events.at(-1)?.event === "end", "the log does not end with its end");
    check(open.length === 0, `rows are open at the end: ${open.map(nameOf).join(", ")}`);
    check(state.units.length === 0 && !state.timers && !state.idle, "something is left in the state at the end");
    check(run.wakeAt === null && run.lease === null, "the run is woken or held after its end");
    check(
      [...world.store.reviews.values()].every(({ status, executionId }) => executionId !== id || status !== "open"),
      "a review is open after the end",
    );
    check(
      run.outbox.filter(({ name }) => /^execution\.(completed|failed|cancelled)$/.test(name)).length === 1,
      "the end is not told once",
    );
    for (const child of world.runIds.map((other) => world.store.run(other)))
      if (child.parent?.executionId === id)
        check(isTerminal(child.status), `the run has ended and its child ${child.id} is ${child.status}`);
  } else check(ends.length === 0, "the log ends before the run");
  const told = Map.groupBy(
    run.outbox.filter(({ name }) => name === "simulation.done"),
    ({ payload }) => nameOf(payload as unknown as Named), // cast: the simulated nodes' own payload
  );
  for (const row of rows.filter(({ status, nodeType }) => status === "completed" && nodeType.startsWith("task.")))
    check(told.get(nameOf(row))?.length === 1, `the event of ${nameOf(row)} is not told once`);
  return broken;
}

/** Folding the whole log gives what folding from the last snapshot gives. */
async function checkFold(world: SimulatedWorld, id: number, check: Check): Promise<void> {
  const record = await world.store.read(id);
  if (!record?.snapshot) return;
  const whole = await world.bases.at({ ...record, snapshot: null });
  const resumed = await world.bases.at(record);
  check(isSameJson(whole.context.values, resumed.context.values), "the last snapshot is not what the log folds to");
}

type Check = (holds: boolean, promise: string) => void;

/** Whether the node run that waits for a child was cancelled: the parent ended before it heard of the child's end. */
function hasGivenUp(world: SimulatedWorld, { executionId, ...named }: ParentLink): boolean {
  const row = world.store.run(executionId).rows.find((one) => nameOf(one) === nameOf(named));
  return row?.status === "cancelled";
}

/** Tokens of the calls of a run and its children, by their logs. */
function spentIn(world: SimulatedWorld, id: number): number {
  const own = world.store
    .run(id)
    .events.filter(({ event, fields }) => event === "node.completed" && /^(?!pair|core)/.test(String(fields.nodeType)))
    .reduce((sum, { fields }) => sum + totalOf(fields.tokenUsage), 0);
  const children = world.runIds.filter((other) => world.store.run(other).parent?.executionId === id);
  return children.reduce((sum, child) => sum + spentIn(world, child), own);
}

function totalOf(usage: Json | undefined): number {
  return typeof usage === "object" && usage !== null && "total" in usage ? Number(usage.total) : 0;
}

interface Named {
  nodeId: string;
  visit: number;
  item?: string | null;
}

function nameOf({ nodeId, visit, item = null }: Named): string {
  return nodeRun({ nodeId, visit, item });
}
