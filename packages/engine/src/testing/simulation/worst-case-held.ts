import { isObject, type Json, type JsonObject } from "@oven/contract";
import fc from "fast-check";
import { type Totals, validateDefinition, worstCase } from "../../index.ts";
import { type Case, cases, type Fault, type Shape } from "./shape.ts";
import { simulatedFacts } from "./simulated-ceilings.ts";
import { simulatedCatalog } from "./simulated-nodes.ts";
import { SimulatedWorld } from "./simulated-world.ts";
import { type Drawn, toDefinition } from "./to-definition.ts";

/** What people, other systems and callers may do at any moment; no fault of the installation. */
const OUTSIDE: readonly Fault["kind"][] = ["cancel", "event", "decide", "decide twice"];

/** How one random run kept to the worst case of its definition. */
export interface Held {
  /** By quantity, what the run needed. */
  needed: Readonly<Record<string, number>>;
  /** What it may need at most; null: nothing bounds it. */
  most: Readonly<Record<string, number | null>>;
  /** Quantities of which it needed more. */
  exceeded: string[];
  definition: JsonObject;
}

/**
 * Runs the random definition of a seed, and compares what it needs with its worst case. Odd seeds have no jumps and no limit of steps, so
 * that only the structure bounds them, half of them in a loop around all, and as many attempts as their calls need; loops are allowed exactly as many passes as they make.
 */
export async function holdSeed(seed: number): Promise<Held> {
  const [sampled] = fc.sample(cases, { seed, numRuns: 1 });
  if (!sampled) throw new Error("no case was drawn");
  const isStructural = seed % 2 === 1;
  const root = isStructural ? inLoop(sampled.root.map(withoutJumps), seed) : sampled.root;
  const given = { ...sampled, ...toQuiet(sampled), root };
  const drawn = toTight(toDefinition(given), isStructural);
  const world = new SimulatedWorld(given, { drawn });
  await world.run();
  const catalog = simulatedCatalog();
  const { definition, problems } = validateDefinition(drawn.definition, catalog);
  if (!definition) throw new Error(`the definition is not valid: ${JSON.stringify(problems)}`);
  const most = toBounds(worstCase(definition, catalog, simulatedFacts(drawn.shapes)));
  const needed = neededBy(world);
  const exceeded = Object.keys(needed).filter((name) => (needed[name] ?? 0) > (most[name] ?? Number.POSITIVE_INFINITY));
  return { needed, most, exceeded, definition: drawn.definition };
}

function toQuiet({ faults }: Case): Pick<Case, "faults" | "workers"> {
  return { faults: faults.filter(({ kind }) => OUTSIDE.includes(kind)), workers: 1 };
}

/** Of every four, one stands in a loop over a list, one in a loop whose passes run side by side: such loops are rare otherwise. */
function inLoop(root: Shape[], seed: number): Shape[] {
  const [first] = root;
  const kind = Math.floor(seed / 2) % 4;
  if (first === undefined || kind < 2) return root;
  const size = 2 + (seed % 3);
  return [
    { ...first, kind: "loop", children: root, late: false, broken: false, timed: false, size, concurrency: kind - 1 },
  ];
}

function withoutJumps(shape: Shape): Shape {
  return { ...shape, jump: undefined, children: shape.children.map(withoutJumps) };
}

function toTight(drawn: Drawn, isStructural: boolean): Drawn {
  const tighten = (value: Json, key: string): Json => {
    if (Array.isArray(value)) return value.map((item) => tighten(item, ""));
    if (!isObject(value)) return value;
    const inner = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, tighten(member, name)]));
    const shape = drawn.shapes.get(key);
    if (shape === undefined) return inner;
    if (isStructural && isObject(inner.invoke) && isObject(inner.invoke.retry)) {
      const retry = { ...inner.invoke.retry, maxAttempts: shape.failures + 1 };
      return { ...inner, invoke: { ...inner.invoke, retry } };
    }
    if (!isObject(inner.loop)) return inner;
    return { ...inner, loop: { ...inner.loop, maxIterations: Math.max(1, shape.size), onLimit: "continue" } };
  };
  const { maxSteps, ...definition } = tighten(drawn.definition, "") as JsonObject; // cast: an object stays one
  return { ...drawn, definition: isStructural || maxSteps === undefined ? definition : { ...definition, maxSteps } };
}

function toBounds(totals: Totals): Held["most"] {
  const bound = (name: string): number | null => {
    const { most = 0, causes = [] } = totals.get(name) ?? {};
    if (Number.isFinite(most)) return most;
    if (causes.length === 0) throw new Error(`nothing is said to make ${name} unbounded`);
    return null;
  };
  const [active, waiting] = [bound("active"), bound("waiting")];
  return {
    calls: bound("calls"),
    tokens: bound("tokens"),
    costMicros: bound("costMicros"),
    reviews: bound("reviews"),
    time: active === null || waiting === null ? null : active + waiting,
  };
}

function neededBy(world: SimulatedWorld): Held["needed"] {
  const { columns } = world.store.run(world.runId);
  const calls = [...world.ledger.calls.values()].reduce((total, count) => total + count, 0);
  const { startedAt, completedAt } = columns ?? {};
  return {
    calls,
    tokens: columns?.tokenUsage.total ?? 0,
    costMicros: columns?.costMicros ?? 0,
    reviews: world.store.reviews.size,
    time: startedAt && completedAt ? Date.parse(completedAt) - Date.parse(startedAt) : 0,
  };
}
