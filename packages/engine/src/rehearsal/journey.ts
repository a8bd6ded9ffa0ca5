import type { Json, JsonObject } from "@oven/contract";
import type { TokenUsage } from "@oven/contract/node";
import type { ErrorInfo } from "@oven/contract/run";
import { hashJson } from "../compile/content-hash.ts";
import type { CompiledMachine } from "../compile/machine.ts";
import { readPath } from "../expressions/scope.ts";
import { expandInput, NO_TOKENS } from "../plan/node-units.ts";
import type { Plan, RunEnd, RunFacts } from "../plan/plan-types.ts";
import { toScope } from "../plan/run-scope.ts";
import type { Unit } from "../plan/run-state.ts";
import { type CatalogEntry, type NodeCatalog, readsOf } from "../ports.ts";
import { UnitMemory } from "../run/unit-memory.ts";
import type { RowChange } from "../store.ts";
import { asksModelOnly } from "./live-calls.ts";

/** A call with an effect outside, or whose answer comes from outside. */
export interface JourneyCall {
  nodeId: string;
  visit: number;
  item: string | null;
  src: string;
  input: Json;
  /** Tells calls with the same node type and input apart from all others. */
  digest: string;
  /** It asks a model and does nothing else. */
  asksModelOnly: boolean;
}

/** What one call of a step was given and what it gave. */
export interface JourneyUnit {
  /** The places in loops in whose passes it is, from the outside: `<node> <visit> <item>`. */
  within: readonly string[];
  nodeId: string;
  visit: number;
  item: string | null;
  src: string;
  input: Json;
  output: Json;
  status: "running" | Extract<RowChange, { type: "finish" }>["status"];
  error: ErrorInfo | null;
  /** A model was really asked, because no answer was recorded. */
  isLive: boolean;
  tokens: number;
  costMicros: number;
  durationMs: number | null;
}

/** What a run did, as far as two of them are compared. */
export interface Journey {
  end: RunEnd | null;
  /** `<node> <visit>` of every step that began, in order; `<node> <visit> <item>` in front of the steps of a child. */
  steps: string[];
  calls: JourneyCall[];
  /** Every call of a step, whether it asks outside or not, in order; those of passes behind the step of their loop. */
  units: JourneyUnit[];
  tokenUsage: TokenUsage;
  costMicros: number;
  /** Between its first and its last move, in milliseconds. */
  durationMs: number;
}

/** A call of a node that has begun: what its answer depends on. */
export interface BegunUnit {
  nodeId: string;
  visit: number;
  item: string | null;
  src: string;
  version: number;
  input: Json;
  /** Of node type, version, input, and what else the node reads of its run and of its definition. */
  signature: string;
}

export function placeOf({ nodeId, visit, item }: Pick<BegunUnit, "nodeId" | "visit" | "item">): string {
  return `${nodeId} ${visit} ${item ?? "\n"}`;
}

export function noJourney(): Journey {
  return { end: null, steps: [], calls: [], units: [], tokenUsage: NO_TOKENS, costMicros: 0, durationMs: 0 };
}

/** Follows the moves of one run and writes its journey. */
export class JourneyWriter {
  readonly memory = new UnitMemory();
  readonly journey = noJourney();
  readonly #compiled: CompiledMachine;
  readonly #catalog: NodeCatalog;
  readonly #settings: JsonObject;
  readonly #open = new Map<string, JourneyUnit>();
  #resting = new Set<string>();
  readonly #rests = new Map<string, number>();

  constructor(compiled: CompiledMachine, catalog: NodeCatalog) {
    this.#compiled = compiled;
    this.#catalog = catalog;
    const { agentConfig, memoryConfig } = compiled.settings;
    this.#settings = { agentConfig, memoryConfig } as unknown as JsonObject; // cast: settings of a definition are JSON
  }

  /** Takes one move in and answers the calls that begin with it. */
  note(plan: Plan, facts: RunFacts, durationMs: number): BegunUnit[] {
    const rows = this.memory.note(plan.rows);
    const { tokenUsage, costMicros } = plan.snapshot.state;
    Object.assign(this.journey, { end: plan.end, tokenUsage, costMicros, durationMs });
    this.#noteRests(plan);
    const begun = rows.flatMap((row) => (row.type === "start" ? [this.#begin(row, plan, facts)] : []));
    for (const row of rows) if (row.type === "finish") this.#finish(row);
    return begun;
  }

  #finish({ nodeId, visit, item, ...row }: Extract<RowChange, { type: "finish" }>): void {
    const unit = this.#open.get(placeOf({ nodeId, visit, item }));
    if (unit === undefined) return;
    const { status, output, error, costMicros, durationMs } = row;
    Object.assign(unit, { status, output, error, costMicros, durationMs, tokens: row.tokenUsage?.total ?? 0 });
    this.#open.delete(placeOf(unit));
  }

  /** States in which no node runs and the run comes to rest: it waits for an event or a timer there. */
  #noteRests({ snapshot }: Plan): void {
    const resting = new Set((snapshot.state.idle ?? []).map(({ stateId }) => stateId));
    for (const id of resting) {
      if (this.#resting.has(id)) continue;
      const visit = (this.#rests.get(id) ?? 0) + 1;
      this.#rests.set(id, visit);
      this.journey.steps.push(`${id} ${visit}`);
    }
    this.#resting = resting;
  }

  /** Notes that a call that has not ended is made for real. */
  noteLive(place: Pick<BegunUnit, "nodeId" | "visit" | "item">): void {
    const unit = this.#open.get(placeOf(place));
    if (unit !== undefined) unit.isLive = true;
  }

  /** Takes the journey of a child in: one pass through the body of a loop. */
  addChild({ nodeId, visit, item }: Pick<BegunUnit, "nodeId" | "visit" | "item">, child: Journey): void {
    this.journey.steps.push(...child.steps.map((step) => `${nodeId} ${visit} ${item} ${step}`));
    this.journey.calls.push(...child.calls);
    const place = `${nodeId} ${visit} ${item}`;
    for (const unit of child.units) this.journey.units.push({ ...unit, within: [place, ...unit.within] });
  }

  #begin(row: Extract<RowChange, { type: "start" }>, { snapshot }: Plan, facts: RunFacts): BegunUnit {
    const { nodeId, visit, item, nodeType: src, nodeVersion } = row;
    const { context, state } = snapshot;
    const input = expandInput(row.input, context.values.messages ?? []);
    const entry = this.#catalog.get(src, nodeVersion);
    const owner = this.#compiled.states.get(nodeId);
    const scope = toScope(facts, state, context, owner, state.loops ?? []);
    const reads = readsOf(entry, input).map((path) => readPath(scope, path) ?? null);
    const settings = entry !== undefined && isComputable(entry) ? null : this.#settings;
    const digest = hashJson([src, input]);
    const signature = hashJson([src, nodeVersion, input, reads, settings]);
    if (item === null) this.journey.steps.push(`${nodeId} ${visit}`);
    const isCall = item === null ? entry !== undefined && asksOutside(entry) : owner?.kind !== "fanOut";
    if (isCall) {
      const isModel = asksModelOnly(entry, { item, input });
      this.journey.calls.push({ nodeId, visit, item, src, input, digest, asksModelOnly: isModel });
    }
    const unit: JourneyUnit = {
      ...{ within: [], nodeId, visit, item, src, input, output: null, status: "running", error: null, isLive: false },
      ...{ tokens: 0, costMicros: 0, durationMs: null },
    };
    this.#open.set(placeOf(unit), unit);
    this.journey.units.push(unit);
    return { nodeId, visit, item, src, version: nodeVersion, input, signature };
  }
}

/** Whether what runs at this place is not asked anywhere: a part of the graph itself, or a node of which `isKnown` says so. */
export function isComputed(
  { nodeId, src, version }: Pick<Unit, "nodeId" | "src" | "version">,
  compiled: CompiledMachine,
  catalog: NodeCatalog,
  isKnown: (entry: CatalogEntry) => boolean = isComputable,
): boolean {
  if (compiled.states.get(nodeId)?.kind === "fanOut") return true;
  const entry = catalog.get(src, version);
  return entry !== undefined && isKnown(entry);
}

/** Whether the answer of such a node comes from its input and its run alone. */
export function isComputable({ effect, isLocal }: CatalogEntry): boolean {
  return effect === "pure" && isLocal === true;
}

/** Whether such a node computes, or only says for what it waits. What calls another run is not foreseeable. */
export function isForeseeable(entry: CatalogEntry): boolean {
  return isComputable(entry) || (entry.effect === "pure" && entry.isWait === true && entry.calls === undefined);
}

function asksOutside({ effect, expand }: CatalogEntry): boolean {
  return effect !== "pure" && expand === undefined;
}
