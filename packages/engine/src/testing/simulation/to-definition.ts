import type { Json, JsonObject } from "@oven/contract";
import type { Case, Shape } from "./shape.ts";

/** A case's definition, and by state id the shape it was made from. */
export interface Drawn {
  definition: JsonObject;
  shapes: ReadonlyMap<string, Shape>;
  /** Regions run side by side, so that the order of what happens is not fixed. */
  isParallel: boolean;
}

interface Place {
  id: string;
  shape: Shape;
  /** What follows when it is done. */
  next: string;
  parent: Place | undefined;
  children: Place[];
  following: string[];
}

/** Longer than a simulated run lasts: no limit of active time decides an outcome. */
const FOREVER_MS = 1_000_000_000_000;
const MAX_STEPS = 60;
const UNDO = "undo_step";

/**
 * The states of each list follow one another up to a final state, so that every state can be reached and can end; jumps
 * are taken on the first visits only. Each region has variables of its own.
 */
export function toDefinition({ root, calm }: Pick<Case, "root" | "calm">): Drawn {
  const places: Place[] = [];
  const byShape = new Map<string, Shape>();
  const list = (shapes: readonly Shape[], prefix: string, parent: Place | undefined): Place[] =>
    shapes.map((shape, index) => {
      const id = `${prefix}${index}`;
      // Regions do not follow one another: each has an end of its own.
      const isRegion = parent?.shape.kind === "parallel";
      const following = isRegion ? [] : shapes.slice(index + 1).map((_, more) => `${prefix}${index + 1 + more}`);
      const next = following[0] ?? (isRegion ? `${id}_fin` : `${prefix}end`);
      const place: Place = { id, shape, next, parent, children: [], following };
      places.push(place);
      byShape.set(id, shape);
      place.children = list(shape.children, `${id}_`, place);
      return place;
    });
  const roots = list(root, "s", undefined);
  const isParallel = places.some(({ shape }) => shape.kind === "parallel" || isSpread(shape));

  const jumps = new Map<string, string>();
  const remembered = new Set<string>();
  for (const place of places) {
    const { jump } = place.shape;
    if (!jump || place.shape.kind === "branch") continue;
    const near = reachable(place, roots, calm);
    const target = near[jump.to % near.length];
    if (!target) continue;
    const around = chainOf(place);
    const withHistory = jump.history && target.shape.kind === "group" && !around.includes(target);
    if (withHistory) remembered.add(target.id);
    jumps.set(place.id, withHistory ? `${target.id}_h` : target.id);
  }

  // Regions complete their steps in an order of chance, and what undoes them would follow it.
  const undoable = new Set(isParallel ? [] : places.filter(({ shape }) => canBeUndone(shape)));
  const variables: JsonObject = {};
  const build = (place: Place): JsonObject => {
    const { id, shape, next } = place;
    const region = regionOf(place);
    const visits = `v_${id}`;
    const log = `log_${region}`;
    variables[visits] = 0;
    variables[log] = [];
    const entry: Json[] = [
      { type: "assign", params: { path: `$.${visits}`, add: 1 } },
      { type: "assign", params: { path: `$.${log}`, append: id, keep: 200 } },
    ];
    const jump = jumps.get(id);
    const onDone: Json = jump
      ? [{ target: jump, guard: atMost(visits, shape.jump?.times ?? 0) }, { target: next }]
      : next;
    const minutes = `PT${shape.minutes}M`;
    const caught = shape.catches || (calm && isParallel);
    switch (shape.kind) {
      case "hold": {
        const hold: JsonObject = { entry };
        if (shape.size % 3 !== 1) hold.on = { [`go_${id}`]: onDone };
        if (shape.size % 3 !== 0) hold.after = { [minutes]: onDone };
        return hold;
      }
      case "branch": {
        const ahead = place.following.at(-1) ?? next;
        return { entry, always: [{ target: ahead, guard: atMost(visits, 1) }, { target: next }] };
      }
      case "group":
      case "parallel": {
        const leaves = shape.timed && !within(place).some((inner) => inner.shape.kind === "parallel");
        const states: JsonObject = {};
        for (const child of place.children) {
          if (shape.kind === "group") states[child.id] = build(child);
          else {
            const inner = { [child.id]: build(child), [child.next]: { type: "final" } };
            states[`${child.id}_region`] = { initial: child.id, states: inner };
          }
        }
        if (shape.kind === "group") states[`${id}_end`] = { type: "final" };
        if (remembered.has(id)) states[`${id}_h`] = { type: "history", history: shape.late ? "deep" : "shallow" };
        return {
          entry,
          states,
          onDone,
          ...(caught && shape.kind === "group" ? { onError: next } : {}),
          ...(leaves ? { on: { [`leave_${id}`]: next }, after: { [minutes]: next } } : {}),
          ...(shape.kind === "parallel" ? { type: "parallel" } : { initial: place.children[0]?.id ?? `${id}_end` }),
        };
      }
      case "loop": {
        // Without an output of its own an iteration has that of the node that was done last: by chance, across regions.
        const bodyStates: JsonObject = {
          [`${id}_end`]: { type: "final", ...(isParallel ? { output: "$.index" } : {}) },
        };
        for (const child of place.children) bodyStates[child.id] = build(child);
        const source: JsonObject = shape.late
          ? { type: "while", condition: { type: "cel", params: { expression: `index < ${shape.size}` } } }
          : { type: "forEach", collection: Array.from({ length: shape.size }, (_, index) => index) };
        const loop: JsonObject = {
          ...source,
          timeoutMs: FOREVER_MS,
          bodyInitial: place.children[0]?.id ?? `${id}_end`,
          bodyStates,
          onDone,
          ...(isSpread(shape) ? { concurrency: shape.concurrency } : {}),
          // Iterations side by side end by the first error in the order in which they ran.
          continueOnError: shape.broken || (calm && isSpread(shape)),
          ...(caught ? { onError: next } : {}),
        };
        return { entry, loop };
      }
      default: {
        const invoke: JsonObject = { src: `${shape.kind}.${shape.effect}`, input: { visit: `$.${visits}` }, onDone };
        if (shape.effect !== "at-most-once") invoke.retry = { maxAttempts: 3, backoff: "fixed", initialMs: 100 };
        if (caught) invoke.onError = next;
        if (!calm && shape.timed && shape.kind === "task") invoke.timeoutMs = 5_000;
        return { entry, invoke, ...(undoable.has(place) ? { undo: UNDO } : {}) };
      }
    }
  };
  const states: JsonObject = {};
  for (const place of roots) states[place.id] = build(place);
  states.send = { type: "final", output: "$.log_root" };
  const [first] = undoable;
  if (first !== undefined) {
    byShape.set(UNDO, {
      ...first.shape,
      kind: "task",
      effect: "idempotent",
      broken: first.shape.timed,
      jump: undefined,
    });
    const visits = `v_${UNDO}`;
    variables[visits] = 0;
    const input = { visit: `$.${visits}` };
    const retry = { maxAttempts: 3, backoff: "fixed", initialMs: 100 };
    const entry: Json[] = [
      { type: "assign", params: { path: `$.${visits}`, add: 1 } },
      { type: "assign", params: { path: "$.log_root", append: "$.undo.step", keep: 200 } },
    ];
    states[UNDO] = { entry, invoke: { src: "task.idempotent", input, retry, onDone: "undone" } };
    states.undone = { type: "final" };
  }
  variables.log_root = [];
  const definition: JsonObject = {
    initial: "s0",
    context: variables,
    maxSteps: MAX_STEPS,
    timeoutMs: FOREVER_MS,
    states,
  };
  return { definition, shapes: byShape, isParallel };
}

function canBeUndone({ kind, size }: Shape): boolean {
  return (kind === "task" || kind === "items" || kind === "pair") && size >= 2;
}

/** Its iterations are runs of their own. */
export function isSpread({ kind, late, concurrency }: Shape): boolean {
  return kind === "loop" && !late && concurrency > 1;
}

function atMost(variable: string, value: number): JsonObject {
  return { type: "condition", params: { key: `$.${variable}`, operator: "<=", value } };
}

function chainOf(place: Place): Place[] {
  const chain: Place[] = [];
  for (let at: Place | undefined = place; at; at = at.parent) chain.push(at);
  return chain;
}

function within(place: Place): Place[] {
  return [place, ...place.children.flatMap(within)];
}

/** Where variables of a state live: its region, or the run. */
function regionOf(place: Place): string {
  return chainOf(place).find(({ parent }) => parent?.shape.kind === "parallel")?.id ?? "root";
}

/** Siblings, and those of the groups around; not over the border of a loop, and in a calm case not out of a region. */
function reachable(place: Place, roots: readonly Place[], calm: boolean): Place[] {
  const found: Place[] = [];
  for (let at: Place | undefined = place; at; at = at.parent) {
    const { parent } = at;
    if (parent?.shape.kind === "parallel") {
      found.push(at);
      if (calm) return found;
      continue;
    }
    found.push(...(parent ? parent.children : roots));
    if (parent?.shape.kind === "loop") return found;
  }
  return found;
}
