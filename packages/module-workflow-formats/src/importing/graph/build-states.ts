import type { Json } from "@oven/contract";
import type { Guard, State, TransitionObject } from "@oven/contract/workflow";
import { setOwn } from "@oven/engine";
import { toLiteral } from "../literals.ts";
import { canEnd, findJoin, type Surroundings } from "./find-join.ts";
import type { Built, Part, Parts, TangledFork, Way } from "./graph-parts.ts";
import { partKey } from "./part-key.ts";
import type { StateNames } from "./state-names.ts";

export interface BuildOptions {
  names: StateNames;
  /** What stands for a fork that cannot be told in regions: a state that names one of its targets in `branch`. */
  toTangled(fork: TangledFork): Pick<State, "invoke" | "label" | "meta">;
  /** Called with each part that several ways at once come together in: it is entered once, after all of them. */
  onJoin?(key: string): void;
}

/** A foreign graph as states: several targets at once become parallel regions, which end where they come together. */
export function buildStates(parts: Parts, entry: readonly string[], options: BuildOptions): Built {
  return new Region(parts, options, { entry, stops: new Set(), loop: undefined }, undefined).build(
    entry,
    partKey("start"),
  );
}

/** Guards of the ways out of a placeholder: its output says which. */
export function branchGuard(branch: string, key = "$.output.branch"): Guard {
  return { type: "condition", params: { key, operator: "==", value: toLiteral(branch) } };
}

class Region {
  readonly #parts: Parts;
  readonly #options: BuildOptions;
  readonly #around: Surroundings;
  /** What this hands on where a part does not say. */
  readonly #output: Json | undefined;
  readonly #states: Record<string, State> = {};
  readonly #ends = new Map<string, string>();
  readonly #forks = new Map<string, string>();
  readonly #queue: string[] = [];
  readonly #seen = new Set<string>();

  constructor(parts: Parts, options: BuildOptions, around: Surroundings, output: Json | undefined) {
    this.#parts = parts;
    this.#options = options;
    this.#around = around;
    this.#output = output;
  }

  /** @param from the part that the entry lies behind */
  build(entry: readonly string[], from: string): Built {
    const initial = this.#go(entry, undefined, from);
    for (let key = this.#queue.shift(); key !== undefined; key = this.#queue.shift()) {
      const part = this.#parts.get(key);
      if (part !== undefined) setOwn(this.#states, part.id, this.#state(key, part));
    }
    return { initial, states: this.#states };
  }

  #state(key: string, part: Part): State {
    const about = {
      label: part.label,
      ...(part.description === undefined ? {} : { description: part.description }),
      ...(part.disabled === true ? { disabled: true } : {}),
      ...(part.meta === undefined ? {} : { meta: part.meta }),
    };
    if (part.final !== undefined) return { type: "final", ...about, ...part.final };
    if (part.invoke !== undefined && part.ways.length === 0)
      return { ...about, invoke: { ...part.invoke, ...this.#onError(key, part) } };
    const onward = this.#transitions(key, part);
    if (part.invoke !== undefined) {
      return { ...about, invoke: { ...part.invoke, onDone: onward, ...this.#onError(key, part) } };
    }
    if (part.parallel !== undefined)
      return { ...about, ...this.#regions(key, part.parallel), onDone: onward, ...this.#onError(key, part) };
    if (part.group !== undefined) return { ...about, ...this.#inside(key, part.group.entry), onDone: onward };
    if (part.loop === undefined) return { ...about, always: onward };
    const { body, ...loop } = part.loop;
    const within = { ...this.#around, stops: new Set([...this.#around.stops, key]), loop: key };
    const inside = new Region(this.#parts, this.#options, within, body.output);
    const { initial, states } = inside.build(body.entry, key);
    const built = { ...loop, bodyInitial: initial, bodyStates: states };
    return { ...about, loop: { ...built, onDone: onward, ...this.#onError(key, part) } };
  }

  #regions(key: string, regions: NonNullable<Part["parallel"]>): Pick<State, "type" | "states"> {
    const states: Record<string, State> = {};
    for (const { id, label, entry, output } of regions)
      setOwn(states, id, { label, ...this.#inside(key, entry, output) });
    return { type: "parallel", states };
  }

  /** What lies in a part, from its entry to its end. */
  #inside(key: string, entry: readonly string[], output?: Json): Built {
    const within = { ...this.#around, stops: new Set([...this.#around.stops, key]) };
    return new Region(this.#parts, this.#options, within, output).build(entry, key);
  }

  #onError(key: string, part: Part): { onError?: TransitionObject } {
    return part.onError === undefined ? {} : { onError: { target: this.#go(part.onError, part, key) } };
  }

  #transitions(key: string, part: Part): TransitionObject[] {
    const ways: readonly Way[] = part.ways.some(({ guard }) => guard === undefined)
      ? part.ways
      : [...part.ways, { targets: [] }];
    return ways.map(({ guard, targets, actions }) => ({
      target: this.#go(targets, part, key),
      ...(guard === undefined ? {} : { guard }),
      ...(actions === undefined ? {} : { actions }),
    }));
  }

  #go(targets: readonly string[], from: Part | undefined, key: string): string {
    const { loop, stops } = this.#around;
    const [only, ...more] = new Set(targets.filter((target) => target !== loop));
    if (only === undefined) return this.#end(from);
    const goesRound = loop !== undefined && targets.includes(loop);
    if (more.length > 0 || (goesRound && !canEnd(this.#parts, only, this.#around)))
      return this.#fork(goesRound ? [only, ...more, loop] : [only, ...more], from, key);
    if (stops.has(only)) return this.#end(from);
    if (!this.#seen.has(only)) {
      this.#seen.add(only);
      this.#queue.push(only);
    }
    return this.#parts.get(only)?.id ?? this.#end(from);
  }

  #end(from: Part | undefined): string {
    const output = this.#output ?? from?.endOutput;
    const key = JSON.stringify(output ?? null);
    const known = this.#ends.get(key);
    if (known !== undefined) return known;
    const id = this.#options.names.take("done");
    this.#ends.set(key, id);
    setOwn(this.#states, id, { type: "final", ...(output === undefined ? {} : { output }) });
    return id;
  }

  #fork(all: readonly string[], from: Part | undefined, key: string): string {
    const known = JSON.stringify([...all].sort());
    const made = this.#forks.get(known);
    if (made !== undefined) return made;
    const { names } = this.#options;
    // The end of a round is where the other ways end.
    const targets = all.filter((target) => target !== this.#around.loop);
    const join = findJoin(this.#parts, targets, { ...this.#around, hasToEnd: targets.length < all.length });
    if (join === undefined) {
      const id = names.take(`${from?.id ?? "start"}_ways`);
      this.#forks.set(known, id);
      const tangled = this.#options.toTangled({ from: key, targets: all });
      const onDone = all.map((target, index) => ({
        target: this.#go([target], from, key),
        ...(index === all.length - 1 ? {} : { guard: branchGuard(this.#parts.get(target)?.label ?? target) }),
      }));
      setOwn(this.#states, id, { ...tangled, ...(tangled.invoke && { invoke: { ...tangled.invoke, onDone } }) });
      return id;
    }
    const { at, isCertain } = join;
    if (at !== undefined) this.#options.onJoin?.(at);
    const begun = targets.filter((target) => target !== at);
    const [single, ...others] = begun;
    // One way that always leads to the other is a sequence; one that may end before is not, for the other follows all the same.
    if (single !== undefined && others.length === 0 && isCertain) return this.#go([single], from, key);
    const id = names.take(`${from?.id ?? "start"}_parallel`);
    this.#forks.set(known, id);
    const stops = at === undefined ? this.#around.stops : new Set([...this.#around.stops, at]);
    const within = { ...this.#around, stops };
    const states: Record<string, State> = {};
    for (const target of begun) {
      const label = this.#parts.get(target)?.label ?? target;
      const region = names.take(`${label}_way`);
      setOwn(states, region, {
        label,
        ...new Region(this.#parts, this.#options, within, undefined).build([target], key),
      });
    }
    const label = "At the same time";
    const inside: Part = { id, label, ways: [], endOutput: `$.${id}_output` };
    const onDone = { target: this.#go(at === undefined ? [] : [at], inside, key) };
    setOwn(this.#states, id, { type: "parallel", label, states, onDone });
    return id;
  }
}
